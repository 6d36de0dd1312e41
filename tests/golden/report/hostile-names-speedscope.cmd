mktrace -o run.dat "$SCHEDULES/hostile.txt" && ftwait report run.dat --format speedscope
