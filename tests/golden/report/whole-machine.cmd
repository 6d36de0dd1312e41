# the first line of a whole machine's answer, by what was busy
head() { ftwait report "$@" --summary | sed -n '4p;/^Idle/p'; }
crowd() {
	cat <<- 'END'
		cpus 1
		tasks A=101 B=102 C=103
		unit ms
		 0/0 0 sched_switch 0:R > A
		 1/0 A sched_waking B
		 1/0 A sched_waking C
		10/0 A sched_switch A:R > B
		20/0 B sched_switch B:R > C
		30/0 C sched_switch C:R > A
	END
}
crowd | mktrace -o crowd.dat
head crowd.dat
head crowd.dat --from 0.005 --to 0.025
head crowd.dat --comm A
{
	echo 'cpus 1'
	echo 'tasks A=101'
	echo 'unit ms'
	echo ' 0/0 0 sched_switch 0:R > A'
	echo '10/0 A sched_switch A:S > 0'
	echo '10/0 0 sched_switch 0:R > A'
	echo '20/0 A sched_switch A:S > 0'
} | mktrace -o alone.dat
head alone.dat
{
	echo 'cpus 1'
	echo 'tasks A=101'
	echo 'unit ms'
	echo ' 0/0 0 sched_switch 0:R > A'
	echo ' 1/0 A block_rq_issue 8,0 100+8 W'
	echo ' 2/0 A sched_switch A:D > 0'
	echo '99/0 0 block_rq_complete 8,0 100+8 W'
	echo '99/0 0 sched_waking A'
	echo '99/0 0 sched_switch 0:R > A'
	echo '100/0 A sched_switch A:S > 0'
} | mktrace -o disk.dat
head disk.dat
