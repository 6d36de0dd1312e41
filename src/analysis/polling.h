/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The heaviest series of polling (graph/poll.h), in a sentence for the summary. Gathered from the
 * spans as they end: a struct for each task that ever slept on a timer of its own.
 */
#pragma once

#include "analysis.h"
#include "graph/poll.h"

struct polling {
	struct poll now, heaviest; /* count 0: none */
};

/* What polling_add() does for a wait that a timer of the sleeper's own may have ended. */
void polling_add_wait(struct polling **polling, const struct timeline *timeline,
                      const struct span *span);
/* Takes in the next span of the line; *polling is NULL until needed. Inline: for all spans. */
static inline void polling_add(struct polling **polling, const struct timeline *timeline,
                               const struct span *span)
{
	if (span->kind == SEGMENT_WAIT && span->cause && cause_note_is_own_timer(span->cause))
		polling_add_wait(polling, timeline, span);
	else if (span->kind == SEGMENT_RUN && *polling)
		poll_run(&(*polling)->now, span);
}
/* The spans are over: the heaviest of the line in *ret; false where there is none. */
bool polling_close(const struct polling *polling, struct poll *ret);
void polling_tell(const struct question *question, struct poll *poll,
                  const struct presenter *presenter, void *to);
