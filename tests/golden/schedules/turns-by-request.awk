# A server that reads 10 requests and waits so often for a disk before each answer:
# awk -v waits=2 -f turns-by-request.awk
BEGIN {
	print "unit us\ncpus 1\ntasks srv=100/server\n0/0 0 sched_switch 0:R > srv"
	print "1/0 srv[s] inet_sock_set_state sk2 3 10.0.0.9:80 10.0.0.6:45000"
	print "2/0 srv[s] inet_sock_set_state sk2 1 10.0.0.9:80 10.0.0.6:45000"
	for (n = t = 0; n < 10; n++) {
		printf "%d/0 srv sched_switch srv:S > 0\n", t += 20
		t += 300
		printf "%d/0 0[s] sk_data_ready sk2\n%d/0 0[s] sched_waking srv\n", t, t + 1
		printf "%d/0 0 sched_switch 0:R > srv\n", t += 5
		printf "%d/0 srv sock_recv_length sk2 10 6 2 0\n", t += 1
		for (wait = 0; wait < waits; wait++) {
			printf "%d/0 srv block_rq_issue 8,0 %d+8 R\n", t += 20, 8 * wait
			printf "%d/0 srv sched_switch srv:D > 0\n", ++t
			printf "%d/0 0[h] block_rq_complete 8,0 %d+8 R\n", t += 90 + n * 7 % 13, 8 * wait
			printf "%d/0 0[h] sched_waking srv\n", t + 1
			printf "%d/0 0 sched_switch 0:R > srv\n", t += 5
		}
		printf "%d/0 srv sock_send_length sk2 99 6 2 0\n", t += 10
	}
	printf "%d/0 srv sched_switch srv:S > 0\n", t + 20
}
