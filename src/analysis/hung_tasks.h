/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who still waits when the trace ends and looks as if it hung: tasks in state D, or asleep for a
 * contended lock, for long; and tasks that wait for each other's locks in a circle, for however
 * long. Sleeps in S are no news: most tasks end a trace in one.
 *
 * Order of calls: add for every span, in any order of lines (all others than such waits are
 * ignored), then tell, then release. A zeroed struct is ready. About 128 bytes a task that waits.
 */
#pragma once

#include "analysis.h"

struct hung_task {
	uint32_t line;
	uint8_t letter;
	bool has_cause;
	uint32_t frames; /* id in names: where it sleeps; 0: not known */
	nsec_t begin, end;
	struct cause_note cause; /* where has_cause */
};

struct hung_tasks {
	struct hung_task *task;
	size_t count, capacity;
};

void hung_tasks_add(struct hung_tasks *hung, const struct span *span);
/* Of the asked tasks; no line where nothing hangs. */
void hung_tasks_tell(const struct hung_tasks *hung, const struct question *question,
                     const struct presenter *presenter, void *to);
void hung_tasks_release(struct hung_tasks *hung);
