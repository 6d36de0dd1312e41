# Two machines that talk, as each recorded it: -v machine=web or machine=db. The client on web asks the
# server on db, which reads its disk and answers. All packets have lengths of their own and take 40 us,
# and the clock of db is 2 s ahead. Both have the same pids, devices, files, interrupts, addresses of
# sockets and locks, and paths of control groups; they differ in architecture. Meanwhile late@web waits
# for a CPU that hog@web has, and db loses events.
function web(time, cpu, text) {
	if (machine == "web")
		printf "%d/%d %s\n", time, cpu, text
}
function db(time, cpu, text) {
	if (machine == "db")
		printf "%d/%d %s\n", time + 2000000, cpu, text
}
function say(text) {
	print text
}
function receive_on_web(time, bytes, skb) {
	web(time, 0, "0[h] irq_handler_entry 25 eth0")
	web(time + 1, 0, "0[h] softirq_raise 3")
	web(time + 2, 0, "0[h] irq_handler_exit 25")
	web(time + 3, 0, "0[s] softirq_entry 3")
	web(time + 4, 0, "0[s] netif_receive_skb eth0 " bytes " " skb)
	web(time + 5, 0, "0[s] sk_data_ready sk1")
	web(time + 6, 0, "0[s] sched_waking client")
	web(time + 7, 0, "0[s] softirq_exit 3")
	web(time + 10, 0, "0 sched_switch 0:R > client")
	web(time + 11, 0, "client sock_recv_length sk1 " bytes - 52 " 6 2 0")
}
function receive_on_db(time, bytes, skb) {
	db(time, 1, "0[h] irq_handler_entry 25 eth0")
	db(time + 2, 1, "0[h] softirq_raise 3")
	db(time + 5, 1, "0[h] irq_handler_exit 25")
	db(time + 6, 1, "0[s] softirq_entry 3")
	db(time + 7, 1, "0[s] netif_receive_skb eth0 " bytes " " skb)
	db(time + 8, 1, "0[s] sk_data_ready sk1")
	db(time + 9, 1, "0[s] sched_waking server")
	db(time + 12, 1, "0[s] softirq_exit 3")
	db(time + 15, 1, "0 sched_switch 0:R > server")
	db(time + 16, 1, "server sock_recv_length sk1 " bytes - 52 " 6 2 0")
}
function read_disk(time, sector) {
	db(time, 1, "server mm_filemap_add_to_page_cache 8,0 77 " sector)
	db(time, 1, "server block_bio_queue 8,0 " sector "+8 RS")
	db(time + 1, 1, "server block_rq_issue 8,0 " sector "+8 RS")
	db(time + 2, 1, "server sched_switch server:D > 0")
	db(time + 202, 1, "0[h] irq_handler_entry 30 nvme0q1")
	db(time + 203, 1, "0[h] block_rq_complete 8,0 " sector "+8 RS")
	db(time + 204, 1, "0[h] sched_waking server")
	db(time + 206, 1, "0[h] irq_handler_exit 30")
	db(time + 210, 1, "0 sched_switch 0:R > server")
}
function write_disk(time, sector) {
	web(time, 0, "client ext4_sync_file_enter 8,0 77")
	web(time, 0, "client block_bio_queue 8,0 " sector "+16 WS")
	web(time + 1, 0, "client block_rq_issue 8,0 " sector "+16 WS")
	web(time + 2, 0, "client sched_switch client:D > 0")
	web(time + 52, 0, "0[h] irq_handler_entry 30 virtio0")
	web(time + 53, 0, "0[h] block_rq_complete 8,0 " sector "+16 WS")
	web(time + 54, 0, "0[h] sched_waking client")
	web(time + 55, 0, "0[h] irq_handler_exit 30")
	web(time + 60, 0, "0 sched_switch 0:R > client")
	web(time + 61, 0, "client ext4_sync_file_exit 8,0 77")
}
function ask(time, n,   out, back) {
	out = 100 + 17 * n
	back = 900 + 13 * n
	web(time, 0, "client sys_enter 0")
	web(time + 1, 0, "client sock_send_length sk1 " out - 52 " 6 2 0")
	web(time + 2, 0, "client net_dev_queue eth0 " out + 14 " skb" n)
	web(time + 3, 0, "client sched_switch client:S > 0")
	receive_on_db(time + 35, out, "skb" n)
	read_disk(time + 55, 1000 + 8 * n)
	db(time + 270, 1, "server contention_begin 0xd0000200 0x2")
	db(time + 271, 1, "server contention_end 0xd0000200 0")
	db(time + 272, 1, "server sys_enter 64") # write(), where web has semget()
	db(time + 273, 1, "server sys_exit 64 " (n == 7 ? -11 : 40))
	db(time + 275, 1, "server sock_send_length sk1 " back - 52 " 6 2 0")
	db(time + 276, 1, "server net_dev_queue eth0 " back + 14 " skb" 100 + n)
	db(time + 280, 1, "server sched_switch server:S > 0")
	receive_on_web(time + 312, back, "skb" 100 + n)
	web(time + 325, 0, "client sys_exit 0 " back - 52)
	if (n == 5)
		write_disk(time + 330, 5000)
	web(time + 400, 0, "client contention_begin 0xd0000200 0x2")
	web(time + 403, 0, "client contention_end 0xd0000200 0")
	web(time + 404, 0, "client sched_switch client:S > 0")
	web(time + 600 + 7 * n * n, 0, "0[h] hrtimer_expire_entry T1 hrtimer_wakeup 0")
	web(time + 601 + 7 * n * n, 0, "0[h] sched_waking client")
	web(time + 602 + 7 * n * n, 0, "0[h] hrtimer_expire_exit T1")
	web(time + 610 + 7 * n * n, 0, "0 sched_switch 0:R > client")
	return time + 620 + 7 * n * n
}
BEGIN {
	say("unit us")
	say("cpus 2")
	say("kernel 6.1.0-18-amd64")
	say("arch " (machine == "web" ? "x86_64" : "aarch64"))
	say("path 8:0 77 /var/lib/app")
	say("hierarchies 0")
	say("cgroup 0 0 /system.slice/app.service")
	if (machine == "web") {
		say("tasks client=101 hog=102 late=103")
		say("process client 1 0")
	} else {
		say("tasks server=101 other=102")
		say("process server 1 0")
	}
	web(0, 0, "0 sched_switch 0:R > client")
	web(0, 1, "0 sched_switch 0:R > hog")
	db(0, 0, "0 sched_switch 0:R > other")
	db(5, 1, "0 sched_switch 0:R > server")
	web(10, 0, "client inet_sock_set_state sk1 2 10.0.0.6:0 10.0.0.9:80")
	web(12, 0, "client[s] inet_sock_set_state sk1 1 10.0.0.6:45000 10.0.0.9:80")
	db(12, 1, "server[s] inet_sock_set_state sk1 3 10.0.0.9:80 10.0.0.6:45000")
	db(13, 1, "server[s] inet_sock_set_state sk1 1 10.0.0.9:80 10.0.0.6:45000")
	db(20, 1, "server sched_switch server:S > 0")
	db(30, 0, "other contention_begin 0xd0000400 0x20")
	db(31, 0, "other sys_enter 63")
	db(40, 0, "other sched_switch other:S > 0")
	web(50, 1, "hog sched_switch hog:R+ > late")
	web(55, 1, "late sched_switch late:S > hog")
	web(60, 1, "hog sched_waking late")
	time = 100
	for (n = 1; n <= 20; n++)
		time = ask(time, n)
	db(time + 2, 0, "0 sched_switch 0:R > other")
	db(time + 4, 0, "other sched_switch other:S > 0")
	if (machine == "db")
		say("lost 0 7")
	db(time + 10, 0, "0 sched_switch 0:R > other")
	db(time + 20, 0, "other sched_switch other:S > 0")
	web(time + 20, 0, "0[s] kfree_skb 3 tcp_v4_rcv 2048")
	db(time + 30, 1, "0[s] kfree_skb 3 tcp_v4_rcv 2048")
	db(time + 31, 1, "0[s] kfree_skb 6 udp_queue_rcv_one_skb 2048")
	web(time + 100, 1, "hog sched_switch hog:R+ > late")
	web(time + 110, 1, "late sched_switch late:S > hog")
	web(time + 200, 0, "client sched_switch client:S > 0")
	db(time + 200, 1, "0 sched_switch 0:R > server")
	db(time + 201, 1, "server sched_switch server:S > 0")
}
