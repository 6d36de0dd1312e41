mktrace -o run.dat "$SCHEDULES/advice-frozen-fs.txt" && ftwait report run.dat --comm dd | head -n 12
