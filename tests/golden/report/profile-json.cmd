mktrace -o run.dat "$SCHEDULES/profile.txt" && ftwait report run.dat --critical-path=101 --chains --all --waits --json
