mktrace -o run.dat "$SCHEDULES/database.txt" && ftwait report run.dat --summary --waits --chains --critical-path=501 --graph --json
