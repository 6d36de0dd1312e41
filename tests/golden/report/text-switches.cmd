grep -v 'sched_wak' "$SCHEDULES/text-base.txt" > switches.txt; ftwait report -v switches.txt | grep -e 'No wake-ups' -e 'at least' -e 'no wake-ups'
