mktrace -o run.dat "$SCHEDULES/database.txt" && cp run.dat kept.dat && ln -s run.dat other.dat
ftwait report run.dat -o other.dat; echo status $?; cmp run.dat kept.dat && echo intact
