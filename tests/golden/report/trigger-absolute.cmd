{ echo realtime 0 1795651190000000000 1; cat "$SCHEDULES/trigger.txt"; } > dated.txt && mktrace -o run.dat dated.txt && TZ=UTC0 ftwait report run.dat --absolute --at trigger --waits
