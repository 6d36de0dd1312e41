awk -v requests=400 -f "$SCHEDULES/requests-tail.awk" | mktrace -o run.dat; ftwait report run.dat --tail --json
