# SPDX-License-Identifier: GPL-2.0-or-later
# 45 tasks of two programs take turns on 2 CPUs, 10 ms each, for 3 s: nothing waits but for a CPU.
BEGIN {
	tasks = 45
	print "clock mono\ncpus 2\nunit ms"
	line = "tasks"
	for (i = 0; i < tasks; i++)
		line = line sprintf(" t%d=%d/%s", i, 100 + i, name(i))
	print line
	for (i = 2; i < tasks; i++)
		print "1/0 0 sched_waking t" i "\n1/0 0 sched_wakeup t" i " 0"
	print "2/0 0 sched_switch 0:R > t0\n2/1 0 sched_switch 0:R > t1"
	on[0] = 0
	on[1] = next_task = 1
	for (at = 10; at <= 3000; at += 10)
		for (cpu = 0; cpu < 2; cpu++) {
			next_task = (next_task + 1) % tasks
			print at "/" cpu " t" on[cpu] " sched_switch t" on[cpu] ":R+ > t" next_task
			on[cpu] = next_task
		}
}

function name(i)
{
	return i % 3 ? "ffmpeg" : "cc1"
}
