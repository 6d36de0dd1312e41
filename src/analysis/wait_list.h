/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The waits that a question asks for, from a complete timeline.
 */
#pragma once

#include "analysis.h"

/* One wait: a WAIT or STOPPED segment and what followed. */
struct wait {
	uint32_t line;
	uint32_t segment; /* of the line */
	nsec_t begin, end; /* end: woken; end of the trace where open */
	nsec_t run;        /* on a CPU again; NSEC_NEVER: not seen */
	uint8_t letter;
	bool is_open;
	bool is_for_work; /* nothing blocked it, there was nothing to do */
	const struct cause_note *cause; /* NULL: open */
	struct sleep_place place;
};

struct wait_list {
	struct wait *wait; /* in order of begin, then tid */
	size_t count, capacity;
};

/*
 * All waits of the asked tasks that touch the window, uncut, at least `min` long and of the asked
 * kinds. 64 bytes a wait. The list is owned by the caller: wait_list_release().
 */
void wait_list_fill(struct wait_list *list, const struct question *question);
void wait_list_release(struct wait_list *list);
/* Whether the list has the asked wait (--wait N), if one is asked for; else a phrase in `why`. */
bool wait_list_has_asked(const struct question *question, struct buffer *why);
/* The part of the wait that lies in the window; false where there is none, or it has no length, or
   was a stop: that is no waiting, it was asked for by whoever stopped the task. */
bool wait_clip(const struct question *question, const struct wait *wait, nsec_t *ret_begin,
               nsec_t *ret_end);
/* Calls back for each wait of one line, in order. */
void wait_list_visit(const struct question *question, uint32_t line,
                     void (*on_wait)(void *state, const struct wait *wait), void *state);
