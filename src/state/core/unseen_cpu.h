/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * CPUs that were not recorded: tracing_cpumask leaves them out, or only one file of per_cpu/ was
 * read. Nothing shows when a task runs there, and when it sleeps; but events of other CPUs show
 * that it was there:
 *
 *	A   RUN | WAIT  | UNKNOWN               | RUNNABLE  | RUN    CPU 0
 *	                 ^ woken onto CPU 1      ^ woken again, onto CPU 0: it had slept again
 *
 * A runnable task cannot be woken, so the second wake-up proves that A has run. If no second one
 * comes, a long stay in the queue of such a CPU is no better known: a CPU that is recorded would
 * have begun to run the task, with an event.
 *
 * A CPU counts as not recorded as long as it has no event. One that idled since the trace began has
 * none, either: it is named only if a task was there, and no event comes until the trace ends.
 */
#pragma once

#include "tracker.h"

/* So long a CPU may take to wake up; a shorter stay in its queue proves nothing. */
#define UNSEEN_MIN 1000000u

static inline bool cpu_is_unseen(const struct machine *machine, int64_t number)
{
	return number >= 0 && number < CPUS_MAX && !machine->cpu[number];
}

/* Whether the task, runnable until t, may have run meanwhile, as it stood in the queue of a CPU
   that is not recorded. */
static inline bool task_is_unseen(const struct machine *machine, const struct task_state *task,
                                  nsec_t t)
{
	return cpu_is_unseen(machine, task->cpu) && t >= task->since + UNSEEN_MIN &&
	       (task->is_queued || machine->has_migrate); /* else it may be elsewhere */
}

/*
 * The CPU of that number has no event, and the task was there since its present span began: what it
 * did in that span is not known.
 */
void task_lose_sight(struct machine *machine, uint32_t track, uint32_t number);
/* A wake-up of the task names the CPU on which it was last: loses sight of the task if it must have
   run there unseen. */
void unseen_note_wake(struct machine *machine, uint32_t track, int64_t number);
/* The trace ends: adds to the health the CPUs on which tasks were, and that have no event. */
void unseen_cpus_close(struct machine *machine);
