mktrace -o run.dat "$SCHEDULES/database.txt" && cp run.dat kept.dat
ftwait report - < run.dat -o run.dat; echo status $?
ftwait report run.dat >> run.dat; echo status $?; cmp run.dat kept.dat && echo intact
