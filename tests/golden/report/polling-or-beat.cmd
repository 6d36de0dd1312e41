mktrace -o run.dat "$SCHEDULES/beats.txt" && ftwait report run.dat --comm beat && ftwait report run.dat --comm looker && ftwait report run.dat
