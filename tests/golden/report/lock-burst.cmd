{
	echo 'tasks A=101/reader B=102/writer X=103/spinner'
	echo '0/0 0 sched_switch 0:R > A'
	echo '0/1 0 sched_switch 0:R > X'
	echo '1000/0 A contention_begin rtnl_mutex 0x20'
	echo '2000/0 A sched_switch A:D > B'
	for at in $(seq 1000000 1000 1999000); do
		echo "$at/1 X contention_begin 0xd0000300 0x1"
		echo "$((at + 900))/1 X contention_end 0xd0000300 0"
	done
	for at in $(seq 3000000 5000000 494000000); do
		echo "$at/1 X contention_begin 0xd0000$((at / 5000000 + 400)) 0x1"
		echo "$((at + 4900000))/1 X contention_end 0xd0000$((at / 5000000 + 400)) 0"
	done
	echo '400001000/0 B sched_waking A'
	echo '400002000/0 B sched_switch B:S > A'
	echo '400003000/0 A contention_end rtnl_mutex 0'
	echo '500004000/0 A softirq_raise 7'
} | mktrace | ftwait report - --lock --top 3
