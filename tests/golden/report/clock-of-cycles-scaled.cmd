(printf 'clock x86-tsc\nscale 1677721600 32\n'; cat "$SCHEDULES/three-cpus.txt") > t.txt && mktrace -o run.dat t.txt && ftwait report run.dat --waits
