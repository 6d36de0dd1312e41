# SPDX-License-Identifier: GPL-2.0-or-later
# awk -v seconds=N [-v forks=N] -f load.awk: a schedule of 30 tasks that each wait once a second for a
# disk, the first one for 2 ms, the next one for 1 ms longer and so on, and for a feeder; of one that
# waits in D from 500 ms on; and of names that a terminal would obey, or show in more columns than
# one. With N forks a second, of 60 at most, each child has a name of its own, and ends.
BEGIN {
	CONVFMT = "%.0f" # of large times, too
	tasks = "tasks feeder=90/feeder stuck=301/stuck"
	for (i = 1; i <= 30; i++)
		tasks = tasks sprintf(" n%d=%d/%s", i, 100 + i, name(i))
	print tasks
	for (i = 0; forks && i < 300; i++)
		print "tasks c" i "=" 1000 + i "/-"
	print "cpus 2"
	print "clock mono"
	print "kernel 6.18.0"
	print "unit us"
	print "realtime 0 1700000000000000000 1000"
	print "state stuck R"
	print "1000/1 0 sched_switch 0:R > stuck"
	for (second = 0; second < seconds; second++) {
		for (i = 1; i <= 30; i++) {
			if (second == 0 && i == 16)
				print "500000/1 stuck sched_switch stuck:D > 0"
			turn(i, second * 1000000 + i * 32000)
			for (fork = i; fork <= forks; fork += 30)
				child(second * 1000000 + i * 32000 + 31500 + 200 * int(fork / 30))
		}
	}
}

function child(at,   c)
{
	c = "c" count % 300
	print "comm " c " child" count++
	print at "/0 0 sched_process_fork feeder " c
	print at + 1 "/0 0 sched_wakeup_new " c
	print at + 2 "/0 0 sched_switch 0:R > " c
	print at + 3 "/0 " c " sched_process_exit " c
	print at + 4 "/0 " c " sched_switch " c ":Z > 0"
}

function name(i)
{
	if (i == 28)
		return "\\x1b[2J\\x1b[5;5H"
	if (i == 29)
		return "\\xe6\\xbc\\xa2\\xe5\\xad\\x97\\xcc\\x81"
	if (i == 30)
		return "a\\x0ab\\x0d\\xff\\x9b31m"
	return "task" (i < 10 ? "0" : "") i
}

function turn(i, at,   wait)
{
	wait = 1000 * (i + 1)
	if (wait > 31000)
		wait = 31000
	print at "/0 0 sched_switch 0:R > feeder"
	print at + 5 "/0 feeder sched_waking n" i
	print at + 10 "/0 feeder sched_switch feeder:S > n" i
	print at + 20 "/0 n" i " block_rq_issue 259,0 " 100 * i "+8 R"
	print at + 30 "/0 n" i " sched_switch n" i ":D > 0"
	print at + 30 + wait "/0 0[h] irq_handler_entry 30 nvme0q1"
	print at + 31 + wait "/0 0[h] block_rq_complete 259,0 " 100 * i "+8 R"
	print at + 32 + wait "/0 0[h] sched_waking n" i
	print at + 33 + wait "/0 0[h] irq_handler_exit 30"
	print at + 34 + wait "/0 0 sched_switch 0:R > n" i
	print at + 40 + wait "/0 n" i " sched_switch n" i ":S > 0"
}
