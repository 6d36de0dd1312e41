(printf 'kernel 4.19.2\nstates shifted\n'; cat "$SCHEDULES/three-cpus.txt") > t.txt && mktrace -o run.dat t.txt && ftwait report run.dat --waits
