mktrace -o run.dat "$SCHEDULES/database.txt" && echo precious > old
ftwait report run.dat --critical-path=nobody-here -o old; echo status $?
ftwait report run.dat --critical-path=nobody-here -o new; echo status $?
cat old; ls; ftwait report run.dat --waits -o old && head -n 1 old && ! grep precious old
