mktrace -o run.dat "$SCHEDULES/both-ends.txt" && for width in 80 200; do terminal $width ftwait report run.dat --net; done
