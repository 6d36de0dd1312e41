/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stays in run queues that may turn out to be caused by a limit; see limit_past.c. */
#pragma once

#include "base/map.h"
#include "queue_state.h"

struct past_lists {
	struct map first; /* by process: the first track that has such stays */
	uint32_t *next;   /* by track: the next track; PAST_LAST: it is the last, PAST_NONE: in no
			     list */
	size_t count, capacity;
};

void past_lists_init(struct past_lists *past);
void past_lists_release(struct past_lists *past);
/* Keeps a stay of the task that a limit may turn out to have caused. Spans are held back from the
   sinks for some periods of that limit. `period` NSEC_NEVER: not known. */
void past_lists_note(struct past_lists *past, struct machine *machine, uint32_t track,
                     const struct past_stay *stay, nsec_t period);
/* A limit with that timer was proved for the task: corrects the stays of its process. */
void past_lists_go_back(struct past_lists *past, struct machine *machine, uint32_t track,
                        uint64_t timer);
