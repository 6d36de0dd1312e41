/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The buffers run over if they are not drained on a busy machine. The calling thread gets the
 * lowest real-time priority: it runs for some hundredths of the time, before all ordinary tasks and
 * after all real-time ones. A nice value alone is worth little, as it counts only within one
 * session (sched_autogroup) or control group; beside eight busy sessions a recorder with nice -15
 * lost a third of 5 million events. Nice remains the fallback where real time is refused.
 *
 * Children do not inherit the priority.
 */
#pragma once

#include <stdbool.h>

struct drain_priority {
	int nice_before;
	bool is_realtime;
	int error; /* 0, or -errno of the refusal */
};

/* Call before the drain's worker threads are made: they inherit the nice value. */
void drain_priority_begin(struct drain_priority *priority);
void drain_priority_raise(struct drain_priority *priority);
void drain_priority_end(struct drain_priority *priority);
