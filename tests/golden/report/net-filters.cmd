mktrace -o run.dat "$SCHEDULES/connections.txt" && ftwait report run.dat --net --comm client --sort retransmits --kind net
