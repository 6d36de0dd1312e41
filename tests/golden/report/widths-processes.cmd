mktrace -o run.dat "$SCHEDULES/long-names.txt" && for width in 80 120 200; do terminal $width ftwait report run.dat --processes; done
