/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Looks for conditions (condition.h) in a live run (engine/live_run.h).
 *
 * A wait, or a delay, fires once for each condition: not again at the next look, nor in another
 * generation, nor when it ends after it has fired while it was open. Whatever ended or is recorded
 * fires at once; what is still open, at the next watch_look(). Where several conditions match, each
 * fires.
 *
 * Order of calls: watch_new(); watch_attach() with the run; watch_take_span() and
 * watch_take_record() for its spans and records; at each tick live_run_reach(), watch_look(), any
 * number of watch_next(), then live_run_renew(), and watch_turn() if that returned true;
 * watch_free(). Memory: of each open wait that has fired, and HITS_MAX hits.
 *
 * Cost: O(conditions) a span and a record, O(tasks * conditions) a look.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "condition.h"
#include "engine/live_run.h"
#include "hit.h"

#define WATCH_CONDITIONS_MAX 32

struct watch_setup {
	const struct condition *condition; /* borrowed */
	size_t condition_count;            /* at most WATCH_CONDITIONS_MAX */
	const int32_t *own;                /* borrowed: processes and threads that are ignored;
	                                      threads of the recorder are, too */
	size_t own_count;
};

struct watch;

struct watch *watch_new(const struct watch_setup *setup);
/* Accepts NULL; returns NULL. */
struct watch *watch_free(struct watch *watch);
/* `source`: of the run, for the ids of events; borrowed for the call. */
void watch_attach(struct watch *watch, struct live_run *run, const struct source *source);
/* The run's on_span and on_record; `state`: the watch. */
void watch_take_span(void *state, const struct span *span);
void watch_take_record(void *state, const struct live_record *record);
/* No event before `reached` is still to come: looks at all that is open. */
void watch_look(struct watch *watch, nsec_t reached);
/* Another generation has taken over. */
void watch_turn(struct watch *watch);
/* The earliest hit that was not taken yet; false: there is none. */
bool watch_next(struct watch *watch, struct hit *ret);
/* Hits for which there was no room, since the begin. */
uint64_t watch_hits_lost(const struct watch *watch);
