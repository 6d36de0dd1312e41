mktrace -o run.dat "$SCHEDULES/database.txt" && ftwait report run.dat --timeline=client --json; ftwait report run.dat --timeline --by cpu --format csv
