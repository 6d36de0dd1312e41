mktrace -o run.dat "$SCHEDULES/cycles.txt" && for width in 60 80 120; do terminal $width ftwait report run.dat --period 90us --comm control; done
