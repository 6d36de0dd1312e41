mktrace -o run.dat "$SCHEDULES/memory-limit.txt" && ftwait report run.dat --comm db | sed -n 3,14p
