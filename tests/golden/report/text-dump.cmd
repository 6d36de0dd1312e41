cp "$SCHEDULES/text-dump.txt" . && ftwait report -v text-dump.txt | grep -v "^[a-z].*|"
