mktrace -o run.dat "$SCHEDULES/family.txt" && ftwait report run.dat --processes --tid 101 --from 100us --min 3us
