# nothing that was not recorded is named, nor the view that would be empty; what to record is said once
mktrace -o run.dat "$SCHEDULES/interrupt-unseen.txt" && ftwait report run.dat && ftwait report run.dat --wakeups && ftwait report run.dat --kind irq --waits && ftwait report run.dat --kind interrupt --waits --format csv
