mktrace -o run.dat "$SCHEDULES/two-servers.txt" && ftwait report run.dat --comm 'srv-*' | grep answered
