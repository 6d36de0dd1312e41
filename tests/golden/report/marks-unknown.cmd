mktrace -o run.dat "$SCHEDULES/marks.txt" && ftwait report run.dat --from 100us --to "frame 1 ended"
