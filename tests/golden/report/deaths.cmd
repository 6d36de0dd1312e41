mktrace -o run.dat "$SCHEDULES/deaths.txt" && ftwait report run.dat --top 1 | sed "/WENT TO/,\$d" && ftwait report run.dat --all --to 0.0005 --top 1 | sed "/WENT TO/,\$d"
