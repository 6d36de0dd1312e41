/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What changed between the tails of two sets of recordings: which part of the units took far longer
 * than the others of their recording, and what these were slow by: the votes of `report --tail`
 * (views/tail/tail_reasons.h), without the numbers of tasks.
 *
 * The number of units with a vote is tested, and that of all far ones, by Fisher's exact test over
 * the units of both sides; a change is sure if its p, corrected for all tests of the comparison, is
 * below DIFF_LEVEL. That holds only if units do not depend on each other, which the report says.
 *
 * Memory: 8 bytes a unit, for exact percentiles; else a few KB.
 */
#pragma once

#include "analysis/turns/turn_source.h"
#include "ftwait/report.h"
#include "run_account.h"
#include "tally/tally.h"
#include "views/tail/tail.h"

enum {TAIL_OLD, TAIL_NEW, TAIL_SIDES};

struct tail_side {
	struct diff_side runs; /* to tell how the recordings differ */
	nsec_t *length;        /* of all units; in rising order from tail_diff_make() on */
	size_t count, capacity, far;
};

struct tail_diff_row {
	uint64_t what; /* id in names: "waited for disk: vda, behind jbd2/vda-8" */
	struct {
		uint64_t votes;
		nsec_t longer; /* sum of what these units took more than the median */
	} of[TAIL_SIDES];
	double p; /* corrected */
	bool is_sure;
};

struct tail_diff {
	const struct turn_source *per; /* what the units are; not runs */
	const char *per_value;         /* the value of --per; borrowed */
	struct intern names;
	struct tail_side side[TAIL_SIDES];
	/* Of all units of both sides; 0: they are of several programs, or only some have a role. */
	uint32_t program, role;
	/* From tail_diff_make() on: */
	struct tally rows; /* of struct tail_diff_row: sure ones first, then by their change */
	double p;          /* of the part that is far */
};

void tail_diff_init(struct tail_diff *diff, const struct turn_source *per, const char *per_value);
void tail_diff_release(struct tail_diff *diff);
/* Takes a run; `costs` and `tail` are the states of these views, `path` is borrowed. Returns
   false if it has no units: tail->why says why. */
bool tail_diff_take(struct tail_diff *diff, unsigned side, const void *costs,
                    const struct tail *tail, const struct source *source,
                    const struct health *health, const char *path);
/* Makes the rows, once all runs have been taken. */
void tail_diff_make(struct tail_diff *diff);
void tail_diff_report(const struct tail_diff *diff, const struct output *to);
