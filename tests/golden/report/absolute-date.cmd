mktrace -o run.dat "$SCHEDULES/date.txt" && TZ=UTC0 ftwait report run.dat --absolute --waits && TZ=UTC0 ftwait report run.dat --from 2026-11-26T03:12:05.5 --waits
