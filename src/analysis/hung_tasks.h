/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who still waits when the trace ends and looks as if it hung: tasks in state D, or asleep for a
 * contended lock, for long; and tasks that wait for each other in a circle: for locks, for however
 * long, or in pipes, for long. Other sleeps in S are no news: most tasks end a trace in one.
 *
 * Whom a task in a pipe waits for is an inference: for the one that ended all of its earlier sleeps
 * in pipes. One that several have served, a stage that anybody may ask, waits for none of them. The
 * place of the sleeps must be known by their stacks.
 *
 * Order of calls: init, add for every span, in the order of each line (all others than such waits
 * are ignored), or add_history, then tell, then release. About 128 bytes a task that waits.
 */
#pragma once

#include "analysis.h"
#include "base/map.h"

struct hung_task {
	uint32_t line;
	uint8_t letter;
	bool has_cause;
	uint32_t frames; /* id in names: where it sleeps; 0: not known */
	bool is_in_pipe;
	nsec_t begin, end;
	struct cause_note cause; /* where has_cause */
};

/* Who ended a task's sleeps in pipes. */
struct pipe_partner {
	uint32_t line; /* LINE_NONE: several, or not all are known */
	uint32_t times;
};

struct hung_tasks {
	struct hung_task *task; /* in D, or for a lock, or in a pipe */
	size_t count, capacity;
	struct pipe_partner *partner;
	size_t partner_count, partner_capacity;
	struct map partner_of_line; /* index in partner */
};

void hung_tasks_init(struct hung_tasks *hung);
/* What hung_tasks_add() does for a wait for something, open or in a place that is told. */
void hung_tasks_add_wait(struct hung_tasks *hung, const struct span *span);
/* Inline: for all spans. */
static inline void hung_tasks_add(struct hung_tasks *hung, const struct span *span)
{
	if (span->kind == SEGMENT_WAIT && (span->is_open || span->place) &&
	    !(span->detail & WAIT_FOR_WORK))
		hung_tasks_add_wait(hung, span);
}
/* All spans of the timeline that count. */
void hung_tasks_add_history(struct hung_tasks *hung, const struct timeline *timeline);
/* Of the asked tasks; no line where nothing hangs. */
void hung_tasks_tell(const struct hung_tasks *hung, const struct question *question,
                     const struct presenter *presenter, void *to);
/* The circles alone; false: there is none. */
bool hung_tasks_tell_circles(const struct hung_tasks *hung, const struct question *question,
                             const struct presenter *presenter, void *to);
void hung_tasks_release(struct hung_tasks *hung);
