mktrace -o run.dat "$SCHEDULES/database.txt"
ftwait report run.dat --waits > /dev/full; echo status $?; ftwait report run.dat --format perfetto > /dev/full; echo status $?
ftwait report run.dat --waits -o /dev/full; echo status $?; ftwait list --help > /dev/full; echo status $?
(ftwait report run.dat --waits >&-; echo status $?); ftwait report run.dat --waits --json | head -c 1
