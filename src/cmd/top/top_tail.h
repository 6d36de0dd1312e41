/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The requests that a program answers, or sends, while `ftwait top` runs: how long they took in the
 * last minute, and by what the slow ones are slow, as `report --tail` of that minute says.
 *
 * Each interval only the first TOP_TAIL_WALKED requests are walked, so that a busy server costs no
 * more than a slow one: these are as good a sample as any. A new generation of the run begins
 * afresh.
 *
 * Order of calls: init; begin with the run's timeline, and again after each live_run_renew() that
 * returned true; take for its intervals of TAIL_REQUEST_INTERVALS; look at the end of each of its
 * own, while top_sums_open() holds; release.
 */
#pragma once

#include "analysis/tables/interrupt_sums.h"
#include "live/top_shot.h"
#include "live/top_sums.h"
#include "views/tail/tail.h"

#define TOP_TAIL_WALKED 200
#define TOP_TAIL_KEPT   (1u << 14) /* requests: then it begins afresh */
#define TOP_TAIL_WINDOW UINT64_C(60000000000)

struct top_tail {
	struct asked asked;
	struct question question;
	struct resolved resolved;
	struct health health; /* of no interest */
	struct tail tail;
	size_t taken; /* requests of this interval */
	struct buffer reason;
};

/* Both are borrowed. */
void top_tail_init(struct top_tail *tail, const struct top_wanted *wanted,
                   const struct source *source);
void top_tail_begin(struct top_tail *tail, struct timeline *timeline);
void top_tail_take(struct top_tail *tail, const struct interval *interval);
/* The interval ends at `end`. What *ret points to is valid until the next call. */
void top_tail_look(struct top_tail *tail, nsec_t end, struct top_requests *ret);
void top_tail_release(struct top_tail *tail);
