/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The buffers must be drained also on a busy machine, or they run over. The calling thread gets the
 * lowest real-time priority: it runs for some hundredths of the time, before all ordinary tasks and
 * after all real-time ones. A nice value alone is worth little: it counts within one's own session
 * (sched_autogroup) or control group only; beside eight busy sessions a recorder with nice -15 was
 * seen to lose a third of 5 million events. Where real time is refused, nice has to do.
 *
 * Children do not inherit it.
 */
#pragma once

#include <stdbool.h>

struct drain_priority {
	int nice_before;
	bool is_realtime;
	int error; /* why not: 0 or -errno */
};

/* For threads that work for the drain, before they are made: they take their nice value over. */
void drain_priority_begin(struct drain_priority *priority);
void drain_priority_raise(struct drain_priority *priority);
void drain_priority_end(struct drain_priority *priority);
