mktrace -o run.dat "$SCHEDULES/files.txt"
ftwait report run.dat --waits --top 0
ftwait report run.dat --disk | sed -n '/^Files,/,/^Who/p'
ftwait report run.dat --critical-path=app | sed -n '/^Parts/,/^$/p'
