# record -p of a process that had ended, and that its parent has not waited for: the first lines say both
{
	echo 'tasks A=101/make P=17/sh Z=18/python3'
	echo 'state Z Z'
	echo 'process Z 17 -'
	echo 'process P 1 -'
	echo 'pids 18'
	echo 'unit ms'
	echo ' 0/0 0 sched_switch 0:R > A'
	echo '10/0 A sched_switch A:S > 0'
	echo '20/0 0 softirq_raise 7'
} | mktrace -o run.dat
ftwait report run.dat --top 1 | sed '/TIME/,$d'
ftwait report run.dat --all --top 1 | sed '/TIME/,$d'
