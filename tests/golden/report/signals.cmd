mktrace -o run.dat "$SCHEDULES/signals.txt" && ftwait report run.dat --waits --tid 601 && ftwait report run.dat --chains --tid 601 --folded && ftwait report run.dat --graph --tid 601 | grep "signal "
