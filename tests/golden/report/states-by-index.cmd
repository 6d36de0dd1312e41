(printf 'kernel 4.14.40\nstates index\n'; cat "$SCHEDULES/three-cpus.txt") > t.txt && mktrace -o run.dat t.txt && ftwait report run.dat --waits
