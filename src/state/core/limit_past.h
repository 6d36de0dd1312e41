/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stays in run queues that may turn out to be caused by a limit; see limit_past.c. */
#pragma once

#include "base/map.h"
#include "limit_tracker.h"

struct past_lists {
	struct map first; /* by process: the first line that has such stays */
	uint32_t *next;   /* by line: the next line; PAST_LAST: it is the last, PAST_NONE: in no
			     list */
	size_t count, capacity;
};

void past_lists_init(struct past_lists *past);
void past_lists_release(struct past_lists *past);
/* The lists of the machine. */
struct past_lists *limits_past(const struct machine *machine);
/* Notes that the limit of that expiry may turn out to be the cause of the task's stay. */
void limits_note_past(struct machine *machine, uint32_t line, const struct expiry *end);
/* A limit with that timer was proved for the task. It also explains earlier stays of its process in
   run queues that have the same shape, if they have not been passed to the sinks yet. */
void limits_go_back(struct machine *machine, uint32_t line, uint64_t timer);
