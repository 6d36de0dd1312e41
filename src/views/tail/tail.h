/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Why the slow ones of many units of work are slow: what finds the units, walks them, and compares
 * them (tail_reasons.h). Units are requests, turns between marks, slices, system calls, of the
 * program that has most of them.
 *
 * Order of calls: begin; add_interval for each interval of TAIL_INTERVALS; fold before the older
 * half of the history is forgotten; find once the question is resolved: then `units` and `answer`
 * are complete, until it is called again, for other tasks or after more intervals; release. What
 * is all zero was not begun: release does nothing then.
 *
 * Memory: of TURNS_MAX units (tail_units.h) for each program that tail_find() was called for.
 */
#pragma once

#include <string.h>

#include "graph/logs/interrupt_log.h"
#include "tail_reasons.h"

/* Where the units are requests, and for any. */
#define TAIL_REQUEST_INTERVALS                                                                     \
	(INTERRUPT_INTERVALS | INTERVAL_MASK(INTERVAL_EXCHANGE) | INTERVAL_MASK(INTERVAL_SYSCALL))
#define TAIL_INTERVALS (TAIL_REQUEST_INTERVALS | INTERVAL_MASK(INTERVAL_MARK))

struct tail {
	const struct question *question;
	const struct turn_source *source;
	const char *name; /* in `per` */
	double part;      /* of the units, that are far; 0: those beyond the fence */
	const char *tasks; /* as tail_find() got it */
	void *gathered;   /* the state of source->gather */
	struct interrupt_log interrupts;
	struct sync_calls syncs;
	struct buffer why; /* there are no units */
	bool has_turns; /* in the window or not */
	const char *role;
	uint32_t program; /* name id of the tasks that did these units */
	size_t others;    /* units of other programs, which are left out */
	struct tally turns;       /* of struct walked_turn: all whose units are walked */
	struct tail_units walked; /* these */
	struct tail_units units;  /* those of them that the answer is about; only `unit` is owned */
	struct tail_answer answer;
};

static inline bool tail_is_of_server(const struct tail *tail)
{
	return tail->role && strcmp(tail->role, "server") == 0;
}

/* `per` as turn_source_find() takes it, and checked; it and the question are borrowed. */
void tail_begin(struct tail *tail, const struct question *question, const char *per, double part);
void tail_add_interval(struct tail *tail, const struct interval *interval);
/* Walks the units that have ended by now. Not for --per run. */
void tail_fold(struct tail *tail);
/* Of units that are not walked yet, what had ended by t is not known any more: interrupts,
   calls. */
void tail_forget(struct tail *tail, nsec_t t);
/* tasks: a glob, only units of tasks of such a name; NULL: of any. Borrowed. */
void tail_find(struct tail *tail, const char *tasks);
void tail_release(struct tail *tail);
