mktrace -o run.dat "$SCHEDULES/memory.txt" && ftwait report run.dat --memory --format csv
