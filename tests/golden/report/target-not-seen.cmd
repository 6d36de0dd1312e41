# the process of record -p ended before the first event: every task is shown, and the first line says so
{
	echo 'tasks A=101'
	echo 'pids 999'
	echo 'unit ms'
	echo ' 0/0 0 sched_switch 0:R > A'
	echo '10/0 A sched_switch A:S > 0'
	echo '20/0 0 softirq_raise 7'
} | mktrace -o run.dat
ftwait report run.dat | sed '/^Together/,/^Tasks/d'
ftwait report run.dat --all | grep -c 'processes that were to be recorded'
