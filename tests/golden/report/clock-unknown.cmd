(printf 'clock sundial\n'; cat "$SCHEDULES/three-cpus.txt") > t.txt && mktrace -o run.dat t.txt && ftwait report run.dat --waits
