mktrace -o run.dat "$SCHEDULES/database.txt" && ftwait report -i run.dat --waits --top 1; ftwait report -i run.dat other.dat; ftwait report --input run.dat --input gone.dat
