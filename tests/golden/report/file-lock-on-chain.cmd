mktrace -o a.dat "$SCHEDULES/file-locks.txt"; ftwait report a.dat --pid 102 | grep '^Most'
