mktrace -o run.dat "$SCHEDULES/timers.txt" && for width in 60 80 120; do terminal $width ftwait report run.dat --timers; done
