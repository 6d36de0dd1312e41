/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tracepoint.h"

#include <string.h>

#include "base/array.h"

const struct event_group event_groups[] = {
	{"sched", NULL, "who runs, waits and wakes whom; always recorded", true},
	{"irq", NULL, "interrupts, soft interrupts, calls between CPUs", true},
	{"block", "disk", "requests to disks", true},
	{"net", NULL, "packets and sockets", true},
	{"lock", NULL, "contended locks of the kernel", true},
	{"mmap_lock", NULL, "who holds address spaces; costly", false},
	{"timer", NULL, "timers armed and run", true},
	{"workqueue", "work", "work handed to kernel workers", true},
	{"signal", NULL, "signals sent", true},
	{"mm", "memory", "reclaim, compaction, throttled writers", false},
	{"syscalls", "syscall", "every system call; costly", false},
};

const size_t event_group_count = ARRAY_SIZE(event_groups);

const struct tracepoint *const tracepoint_tables[] = {
	sched_tracepoints, place_tracepoints,  irq_tracepoints,   block_tracepoints,
	net_tracepoints,   lock_tracepoints,   timer_tracepoints, work_tracepoints,
	memory_tracepoints, syscall_tracepoints, mark_tracepoints, NULL,
};

bool tracepoint_is_of(const struct tracepoint *row, const struct event_group *group)
{
	return (row->group && strcmp(row->group, group->name) == 0) ||
	       (row->also && strcmp(row->also, group->name) == 0);
}
