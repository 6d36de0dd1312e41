# the process of record -p ended before the first event: every task is shown, and the health says so
{
	echo 'tasks A=101'
	echo 'pids 999'
	echo 'unit ms'
	echo ' 0/0 0 sched_switch 0:R > A'
	echo '10/0 A sched_switch A:S > 0'
	echo '20/0 0 softirq_raise 7'
} | mktrace -o run.dat
ftwait report run.dat | sed -n '/^Tasks/,$p'
ftwait report run.dat --all | grep -c 'no process of record -p'
