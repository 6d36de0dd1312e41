mktrace -o run.dat "$SCHEDULES/long-names.txt" && terminal 40 ftwait report run.dat --summary --waits --chains --lock --top 4
