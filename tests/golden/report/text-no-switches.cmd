grep -v sched_switch "$SCHEDULES/android.txt" > marks.txt && ftwait report marks.txt
