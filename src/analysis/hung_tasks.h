/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tasks that still wait when the trace ends and seem to hang. They are of two sorts: tasks that
 * were in state D, or asleep for a contended lock, for a long time; and tasks that wait for each
 * other in a circle, for locks for any time, or in pipes for a long time. Other sleeps in S are
 * normal: most tasks are in such a sleep when a trace ends.
 *
 * The task that a sleeper in a pipe waits for is inferred: it is the task that ended all earlier
 * sleeps of the sleeper in pipes. If several tasks ended them, as where one stage serves many, the
 * sleeper is taken to wait for none of them. The place of a sleep is known only by its stack.
 *
 * Order of calls: init; add for every span, those of a track in order, or add_history; print;
 * release. Spans that are no such waits are ignored. It takes about 128 bytes for each task that
 * waits.
 */
#pragma once

#include "analysis.h"
#include "base/data/map.h"
#include "hangs.h"

struct hung_task {
	uint32_t track;
	uint8_t letter;
	bool has_cause;
	uint32_t frames; /* id in names: stack of the sleep; 0: not known */
	bool is_in_pipe;
	nsec_t begin, end;
	struct cause_note cause; /* if has_cause */
};

/* The task that ended a task's sleeps in pipes. */
struct pipe_partner {
	uint32_t track; /* TRACK_NONE: several tasks did, or not all of them are known */
	uint32_t times;
};

struct hung_tasks {
	struct hung_task *task; /* in D, or for a lock, or in a pipe */
	size_t count, capacity;
	struct pipe_partner *partner;
	size_t partner_count, partner_capacity;
	struct map partner_of_track; /* index in partner */
};

void hung_tasks_init(struct hung_tasks *hung);
/* The part of hung_tasks_add() that is not inline, for a wait that is open or has a known place. */
void hung_tasks_add_wait(struct hung_tasks *hung, const struct span *span);
/* Inline, as it runs for all spans. */
static inline void hung_tasks_add(struct hung_tasks *hung, const struct span *span)
{
	if (span->kind == SEGMENT_WAIT && (span->is_open || span->place) &&
	    !(span->detail & WAIT_FOR_WORK))
		hung_tasks_add_wait(hung, span);
}
/* Adds all relevant spans of the timeline. */
void hung_tasks_add_history(struct hung_tasks *hung, const struct timeline *timeline);
/*
 * Prints the asked tasks that hang, but for those of `hangs`, which were printed already; prints
 * nothing if there are none. is_first: only what must be the first thing to know, circles and waits
 * of programs of at least a second; else only the others.
 */
void hung_tasks_print(const struct hung_tasks *hung, const struct hangs *hangs,
                      const struct question *question, bool is_first, const struct output *to);
/* Passes the asked programs that hang for a second or longer, but for those of `hangs`: those that
   hung_tasks_print() counts with is_first, apart from circles. */
void hung_tasks_visit(const struct hung_tasks *hung, const struct hangs *hangs,
                      const struct question *question,
                      void (*take)(void *state, const struct hung_task *task), void *state);
/* "in D for 19.990 s (lock 0x7f00)", appended. */
void hung_task_describe(const struct hung_task *task, const struct question *question,
                        struct buffer *to);
/* Appends the most certain circle, as "Likely deadlock: A[101] behind B[102] behind A[101]";
   returns the number of its tasks, 0 if there is none. */
size_t hung_tasks_describe_circle(const struct hung_tasks *hung, const struct question *question,
                                  struct buffer *to);
/* Passes the tasks of all likely circles that an asked task is part of, whether they are asked
   themselves or not. */
void hung_tasks_visit_circles(const struct hung_tasks *hung, const struct question *question,
                              void (*take)(void *state, uint32_t track), void *state);
/* Prints only the circles. Returns false if there are none. */
bool hung_tasks_print_circles(const struct hung_tasks *hung, const struct question *question,
                              const struct output *to);
void hung_tasks_release(struct hung_tasks *hung);
