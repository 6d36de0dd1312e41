/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * System calls that may block while the buffers fill. Opening or writing a file of an instance
 * takes a lock (trace_types_lock) that another process holds for as long as it makes or removes an
 * instance: on a busy machine switching tracing off took longer than a second, and the buffers ran
 * over.
 */
#pragma once

#include <stdbool.h>

#include "page_queue.h"
#include "ring_reader.h"

/*
 * Makes the call in a thread of its own, with the drain's priority, and drains until it returns. If
 * no thread can be made, the caller makes the call without draining. Returns the result of `call`,
 * or -errno of the drain if only that failed.
 */
int drain_while(struct ring_reader *reader, struct page_queue *queue, int (*call)(void *state),
                void *state);

/*
 * The priority of the draining thread: on a busy machine the buffers run over if they are not
 * drained in time. The calling thread gets the lowest real-time priority: it runs for a few
 * hundredths of the time, before all ordinary tasks and after all real-time tasks. A nice value
 * alone helps little, as it counts only within one session (sched_autogroup) or control group:
 * while eight other sessions were busy, a recorder with nice -15 lost a third of 5 million events.
 * A nice value is used only where the kernel refuses a real-time priority.
 *
 * Children do not inherit the priority.
 */

struct drain_priority {
	int nice_before;
	bool is_realtime;
	int error; /* 0, or the -errno with which the kernel refused it */
};

/* Call before the drain's worker threads are made: they inherit the nice value. */
void drain_priority_begin(struct drain_priority *priority);
void drain_priority_end(struct drain_priority *priority);
