/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tracepoint.h"

#include "base/array.h"

const struct event_group event_groups[] = {
	{"sched", "who runs, waits and wakes whom; always recorded", true},
	{"irq", "interrupts, soft interrupts, calls between CPUs", true},
	{"block", "requests to disks", true},
	{"net", "packets and sockets", true},
	{"lock", "contended locks of the kernel", true},
	{"timer", "timers armed and run", true},
	{"workqueue", "work handed to kernel workers", true},
	{"signal", "signals sent", true},
	{"mm", "reclaim, compaction, throttled writers", false},
	{"syscalls", "every system call; costly", false},
};

const size_t event_group_count = ARRAY_SIZE(event_groups);

const struct tracepoint *const tracepoint_tables[] = {
	sched_tracepoints, place_tracepoints,  irq_tracepoints,   block_tracepoints,
	net_tracepoints,   lock_tracepoints,   timer_tracepoints, work_tracepoints,
	memory_tracepoints, syscall_tracepoints, NULL,
};
