# a virtual machine whose host stole time, one whose host tells of none, a recording that was killed
told() {
	echo "$1" | cat - "$SCHEDULES/woken-early.txt" | mktrace -o run.dat
	ftwait report run.dat | sed -n '/^health/,$p'
	ftwait report run.dat --json | grep steal_ns
}
told 'guest
steal 0 120000000
steal 1 1000000'
told 'guest
steal 0 0'
told guest
told 'cpus 2'
