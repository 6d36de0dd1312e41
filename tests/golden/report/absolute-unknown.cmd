mktrace -o run.dat "$SCHEDULES/pool.txt"; ftwait report run.dat --absolute; ftwait report run.dat --from 03:12
