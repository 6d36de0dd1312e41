mktrace -o a.dat "$SCHEDULES/lossy.txt" && mktrace -o b.dat "$SCHEDULES/database.txt" && cat b.dat a.dat > c.dat && ftwait report c.dat --strict
