mktrace -o run.dat "$SCHEDULES/profile.txt" && ftwait report run.dat --summary --all --from 45us
