mktrace -o run.dat "$SCHEDULES/short-life.txt" && ftwait report run.dat --critical-path=cc1 && ftwait report run.dat --critical-path=cc1 --from 0 --to 1 | grep "^Of"
