mktrace -s 10ms -n -o a.dat "$SCHEDULES/killed-sleeper.txt"; ftwait report a.dat; ftwait record -q --repair a.dat; ftwait report --waits a.dat
