/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stays in run queues that a limit may turn out to be the reason for; see limit_past.c. */
#pragma once

#include "base/map.h"
#include "limit_tracker.h"

struct past_lists {
	struct map first; /* by process: a line that has such stays */
	uint32_t *next;   /* by line: another one; PAST_LAST: it is the last, PAST_NONE: in none */
	size_t count, capacity;
};

void past_lists_init(struct past_lists *past);
void past_lists_release(struct past_lists *past);
/* Those of the machine. */
struct past_lists *limits_past(const struct machine *machine);
/* It may turn out that the limit of that expiry was the reason for the task's stay. */
void limits_note_past(struct machine *machine, uint32_t line, const struct expiry *end);
/* A limit with that timer was proved for the task. It also explains the earlier stays of its
   process in run queues that have the same shape, as far as the sinks have not got them yet. */
void limits_go_back(struct machine *machine, uint32_t line, uint64_t timer);
