# A server that answers so many requests. Of each 50 one waits for the task keeper, which sleeps; of each 80 one is
# preempted by hog; interrupts come in one of 100; in another one it waits for a disk, and hog has the CPU when the disk
# is ready. Another server answers three. With -v without_keeper=1 nothing waits for the keeper, with -v busy=1 it runs
# every other time; with -v slow=1 the other server also answers two for each three of the first one, which take it far
# longer.
# awk [-v t=BEGIN] -v requests=400 -f requests-tail.awk
function arrive(server, socket) {
	printf "%d/0 %s sched_switch %s:S > 0\n", t += 20, server, server
	t += 300
	printf "%d/0 0[s] sk_data_ready %s\n%d/0 0[s] sched_waking %s\n", t, socket, t + 1, server
	printf "%d/0 0 sched_switch 0:R > %s\n", t += 5, server
	printf "%d/0 %s sock_recv_length %s 10 6 2 0\n", t += 1, server, socket
}
function open_socket(server, socket, port) {
	printf "%d/0 %s[s] inet_sock_set_state %s 3 10.0.0.9:%d 10.0.0.6:45000\n", ++t, server, socket, port
	printf "%d/0 %s[s] inet_sock_set_state %s 1 10.0.0.9:%d 10.0.0.6:45000\n", ++t, server, socket, port
}
function keep() { # the server sleeps until the keeper wakes it
	printf "%d/1 0[h] sched_waking keep\n%d/1 0 sched_switch 0:R > keep\n", t += 5, t + 2
	if (busy && n % 100 == 60) {
		printf "%d/0 srv sched_switch srv:S > 0\n", t + 10
		printf "%d/1 keep sched_waking srv\n%d/0 0 sched_switch 0:R > srv\n", t += 900, t + 5
		printf "%d/1 keep sched_switch keep:S > 0\n", t += 10
		return
	}
	printf "%d/1 keep hrtimer_start T1 hrtimer_wakeup %d %d 0\n", t + 4, (t + 900) * 1000, (t + 850) * 1000
	printf "%d/1 keep sched_switch keep:S > 0\n", t + 5
	printf "%d/0 srv sched_switch srv:S > 0\n", t + 10
	t += 850
	printf "%d/1 0[h] hrtimer_expire_entry T1 hrtimer_wakeup\n%d/1 0[h] sched_waking keep\n", t, t
	printf "%d/1 0[h] hrtimer_expire_exit T1\n%d/1 0 sched_switch 0:R > keep\n", t, t + 5
	printf "%d/1 keep sched_waking srv\n%d/0 0 sched_switch 0:R > srv\n", t += 50, t + 5
	printf "%d/1 keep sched_switch keep:S > 0\n", t += 10
}
function disk() {
	printf "%d/0 srv block_rq_issue 8,0 %d+8 R\n", t += 5, n
	printf "%d/0 srv sched_waking hog\n%d/0 srv sched_switch srv:D > hog\n", t, t += 1
	printf "%d/0 hog[h] block_rq_complete 8,0 %d+8 R\n%d/0 hog[h] sched_waking srv\n", t += 400, n, t + 1
	printf "%d/0 hog sched_switch hog:S > srv\n", t += 300
}
function answer_slowly() { # the other server, while this one sleeps
	printf "%d/0 srv sched_switch srv:S > other\n", t += 20
	arrive("other", "sk3")
	printf "%d/0 other sock_send_length sk3 99 6 2 0\n", t += 5000 + n * 7 % 13 * 100
	printf "%d/0 other sched_waking srv\n%d/0 other sched_switch other:S > srv\n", t += 5, t + 1
}
BEGIN {
	print "unit us\ncpus 2\ntasks srv=100/server keep=200/keeper hog=300/hog other=400/other"
	printf "%d/0 0 sched_switch 0:R > srv\n", t
	open_socket("srv", "sk2", 80)
	if (slow) {
		printf "%d/0 srv sched_switch srv:S > other\n", t += 20
		open_socket("other", "sk3", 81)
		printf "%d/0 other sched_switch other:S > srv\n", t += 20
	}
	for (n = 0; n < requests; n++) {
		arrive("srv", "sk2")
		if (n % 50 == 10 && !without_keeper)
			keep()
		if (n % 80 == 30) {
			printf "%d/0 srv sched_waking hog\n%d/0 srv sched_switch srv:R > hog\n", t += 5, t + 1
			printf "%d/0 hog sched_switch hog:S > srv\n", t += 700
		}
		if (n % 100 == 75)
			disk()
		if (n % 100 == 55) {
			printf "%d/0 srv[h] irq_handler_entry 30 eth0\n", t += 1
			printf "%d/0 srv[h] irq_handler_exit 30 1\n", t += 600
		}
		printf "%d/0 srv sock_send_length sk2 99 6 2 0\n", t += 30 + n * 7 % 13
		if (slow && n % 3 < 2)
			answer_slowly()
	}
	printf "%d/0 srv sched_switch srv:S > other\n", t += 20
	if (!slow)
		open_socket("other", "sk3", 81)
	for (n = 0; n < 3; n++) {
		arrive("other", "sk3")
		printf "%d/0 other sock_send_length sk3 99 6 2 0\n", t += 30
	}
	printf "%d/0 other sched_switch other:S > 0\n", t + 20
}
