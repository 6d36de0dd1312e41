/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Time in which tasks waited for requests that an I/O limit of a control group held back, from the
 * begin of the wait to the submission. The limit acts before a request exists: no queue and no
 * device time contains this time.
 *
 * Order of calls: init, add for every span, resolve once, describe any number of times, release.
 */
#pragma once

#include "analysis/analysis.h"
#include "analysis/tables/interval_gate.h"
#include "analysis/tables/relation.h"

struct held_requests {
	struct interval_gate gate;
	struct relation tasks; /* waits of each task for requests to each device */
};

void held_requests_init(struct held_requests *held, const struct question *question);
void held_requests_release(struct held_requests *held);

void held_requests_add_wait(struct held_requests *held, const struct span *span);
/* Inline, as it runs for all spans. */
static inline void held_requests_add(struct held_requests *held, const struct span *span)
{
	if (span->kind == SEGMENT_WAIT && span->cause && span->cause->kind == CAUSE_DISK &&
	    span->cause->as.disk.is_held_back)
		held_requests_add_wait(held, span);
}

/* Call once the question is resolved. */
void held_requests_resolve(struct held_requests *held);
/* Prints a sentence on the asked tasks; nothing if none of their requests was held back. */
void held_requests_print(const struct held_requests *held, const struct output *to);
