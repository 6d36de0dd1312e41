mktrace -o run.dat "$SCHEDULES/one-story.txt" && ftwait report run.dat
