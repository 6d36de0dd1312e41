mktrace "$SCHEDULES/database.txt" | ftwait report - --summary
