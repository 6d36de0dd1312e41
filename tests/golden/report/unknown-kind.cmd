mktrace -o run.dat "$SCHEDULES/database.txt" && ftwait report --kind dsk run.dat --waits
