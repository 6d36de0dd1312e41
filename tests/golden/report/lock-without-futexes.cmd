# nothing is said of futexes that were not recorded, but that; where a system call was seen they were
schedule() {
	echo 'tasks A=101/waiter B=102/holder'
	echo '0/0 0 sched_switch 0:R > A'
	echo '0/1 0 sched_switch 0:R > B'
	[ -z "$1" ] || echo "5/1 B $1"
	echo '10/0 A flock_lock_inode 254,0 77 1 0'
	echo '20/0 A sched_switch A:S > 0'
	echo '90000/1 B sched_waking A'
	echo '90020/0 0 sched_switch 0:R > A'
	echo '90030/0 A softirq_raise 7'
}
for event in '' 'sys_enter 202' 'sys_enter_futex 0x1000 1'; do
	schedule "$event" | mktrace | ftwait report - --lock
done
