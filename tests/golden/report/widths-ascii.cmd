mktrace -o run.dat "$SCHEDULES/long-names.txt" && LC_ALL=C terminal 80 ftwait report run.dat --waits --chains --top 4
