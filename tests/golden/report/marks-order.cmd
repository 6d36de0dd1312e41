mktrace -o run.dat "$SCHEDULES/marks.txt" && ftwait report run.dat --from "frame 2 begins" --to "frame 1 ends"
