mktrace -o run.dat "$SCHEDULES/inversion-no-lock.txt" && { ftwait report run.dat --comm rt-audio --to 20ms; ftwait report run.dat --comm rt-audio --from 19ms; } | grep -o 'Priority inversion.*'
