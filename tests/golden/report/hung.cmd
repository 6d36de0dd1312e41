mktrace -o run.dat "$SCHEDULES/hung.txt" && ftwait report run.dat --summary
ftwait report run.dat --summary --comm B | grep ^Still
ftwait report run.dat --summary --comm W | grep ^Still
