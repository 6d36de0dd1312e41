# A server that answers so many requests. Of each 50 one syncs a file: there it waits first until a worker of the file
# system has handled the end of its writes, then for the journal's block on the disk; each second time the first takes
# longer. One of 80 waits for that worker, too, but in no such call: it is what the worker does that it needs.
# awk -v requests=400 -v number=75 -f syncs-tail.awk
function open_socket(server, socket, port) {
	printf "%d/0 %s[s] inet_sock_set_state %s 3 10.0.0.9:%d 10.0.0.6:45000\n", ++t, server, socket, port
	printf "%d/0 %s[s] inet_sock_set_state %s 1 10.0.0.9:%d 10.0.0.6:45000\n", ++t, server, socket, port
}
function arrive() {
	printf "%d/0 srv sched_switch srv:S > 0\n", t += 20
	t += 300
	printf "%d/0 0[s] sk_data_ready sk2\n%d/0 0[s] sched_waking srv\n", t, t + 1
	printf "%d/0 0 sched_switch 0:R > srv\n", t += 5
	printf "%d/0 srv sock_recv_length sk2 10 6 2 0\n", t += 1
}
function issue() {
	printf "%d/0 srv block_rq_issue 8,0 %d+8 WS\n%d/0 srv sched_switch srv:D > 0\n", t += 5, ++sector * 8, t + 1
}
function by_worker(took) {
	issue()
	t += took
	printf "%d/0 0[h] block_rq_complete 8,0 %d+8 WS\n", t, sector * 8
	printf "%d/0 0[h] workqueue_queue_work W1 ext4_end_io_rsv_work\n%d/0 0[h] sched_waking kworker/u4:1\n", t, t + 1
	printf "%d/0 0 sched_switch 0:R > kworker/u4:1\n", t += 4
	printf "%d/0 kworker/u4:1 workqueue_execute_start W1 ext4_end_io_rsv_work\n", t
	printf "%d/0 kworker/u4:1 sched_waking srv\n", t += 6
	printf "%d/0 kworker/u4:1 workqueue_execute_end W1 ext4_end_io_rsv_work\n", t += 2
	printf "%d/0 kworker/u4:1 sched_switch kworker/u4:1:I > srv\n", t += 2
}
function by_disk(took) {
	issue()
	printf "%d/0 0[h] block_rq_complete 8,0 %d+8 WS\n", t += took, sector * 8
	printf "%d/0 0[h] sched_waking srv\n%d/0 0 sched_switch 0:R > srv\n", t + 1, t += 4
}
BEGIN {
	print "unit us\ncpus 1\nkernel 6.1.0-18-amd64\narch x86_64\ntasks srv=100/server kworker/u4:1=20"
	print "0/0 0 sched_switch 0:R > srv"
	open_socket("srv", "sk2", 80)
	for (n = 0; n < requests; n++) {
		arrive()
		if (n % 50 == 10) {
			printf "%d/0 srv sys_enter %d\n", t += 2, number
			by_worker(n % 100 < 50 ? 900 : 100)
			by_disk(n % 100 < 50 ? 100 : 900)
			printf "%d/0 srv sys_exit %d 0\n", t += 2, number
		}
		if (n % 80 == 30)
			by_worker(700)
		printf "%d/0 srv sock_send_length sk2 99 6 2 0\n", t += 30 + n * 7 % 13
	}
	printf "%d/0 srv sched_switch srv:S > 0\n", t + 20
}
