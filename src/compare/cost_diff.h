/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What differs between two sets of runs, cost by cost. A run is the unit: its slices depend on
 * each other, other runs do not. Instead of runs the units may be turns of one (turn_source.h), if
 * these do not depend on each other. Costs that are a negligible part of all runs are one row, of
 * which nothing is tested.
 *
 * Of waits and system calls the number a run and the mean length are tested, as a changed number
 * shows although lengths vary; of other costs the sum is. A change is sure if its p, corrected for
 * all tests of the comparison, is below DIFF_LEVEL. One run a side tests nothing.
 */
#pragma once

#include "analysis/turns/turn_source.h"
#include "ftwait/report.h"
#include "run_account.h"
#include "stats/rank_test.h"
#include "tally/tally.h"

#define DIFF_LEVEL 0.05
/* The test of the whole time gets this part of the level, and the tests of the rows share the rest:
   so two equal sides alarm in at most DIFF_LEVEL of all cases, however rows are divided. */
#define DIFF_LEVEL_OF_WALL 0.2

enum diff_change {
	CHANGE_SAME, /* or not sure */
	CHANGE_MORE,
	CHANGE_LESS,
	CHANGE_LONGER,
	CHANGE_SHORTER,
	CHANGE_NEW,
	CHANGE_GONE,
	CHANGE_MOVED, /* gone here, new in another row */
};

/* Of one figure a run. */
struct contrast {
	double old, new;          /* medians */
	double old_mean, new_mean;
	double dominance;         /* above 0: the new ones are larger, below 0 smaller */
	struct rank_shift change; /* from old to new */
	double p;                 /* corrected; 1: not tested */
	bool is_tested;
};

struct diff_row {
	struct account_key key; /* members that rows are not divided by are 0 */
	bool is_rest;           /* sum of what is negligible */
	struct contrast total, count, each; /* ns, a number, ns */
	bool is_sure;
	double p; /* the least of its tests; 1: not tested */
	bool follows_waits; /* the change follows from a changed number of the task's waits */
	double least_change; /* ns by which the time has changed at least, as far as is known */
	enum diff_change change;
	const struct diff_row *moved_to; /* CHANGE_MOVED */
	bool is_target;     /* another row moved to it */
	double share; /* part of the wall time, on the side that has more of it */
};

struct cost_diff {
	struct intern names; /* of all accounts */
	struct diff_side old, new;
	enum diff_by by;
	const struct turn_source *per; /* what the units are; that of runs unless it is set */
	const char *per_value;         /* the value of --per; borrowed */
	double least; /* smaller parts of the wall time are negligible */
	/* From cost_diff_make() on: */
	struct contrast wall;
	uint32_t old_root;      /* the program's name before, if it has another one now; 0: it has
	                           not */
	/* sure ones first, by least_change, those that follow from others behind; the others by
	   size of the change; the rest last */
	struct diff_row *row;
	size_t row_count, row_capacity;
	size_t tests; /* how many were made, of rows */
};

void cost_diff_init(struct cost_diff *diff);
/* Makes the rows; both sides have at least one run, once all have been taken. */
void cost_diff_make(struct cost_diff *diff);
void cost_diff_release(struct cost_diff *diff);
/* Whether so many runs can make a change of the whole time sure. */
bool cost_diff_wall_can_be_sure(const struct cost_diff *diff);
/* Whether they can make one of any row sure. */
bool cost_diff_can_be_sure(const struct cost_diff *diff);
/* The least number of runs a side that can, with as many tests. */
size_t cost_diff_runs_needed(const struct cost_diff *diff);
const char *diff_change_name(enum diff_change change);

/*
 * What the runs of both sides spent, cost by cost, negligible ones too. Unlike the medians of rows,
 * sums add up: those of a side are the wall time of all its runs. So pictures are made of them.
 */

struct diff_sum {
	struct account_key key;
	struct side_sum old, new;
	const struct diff_row *row; /* of that cost; NULL: it is negligible. Borrowed. */
};

struct diff_sums {
	/* by the texts of task, kind, cause and name */
	TALLY(tally, struct diff_sum, sum, count);
};

/* Call after cost_diff_make(); `diff` must outlive the sums. */
void diff_sums_make(struct diff_sums *sums, const struct cost_diff *diff);
void diff_sums_release(struct diff_sums *sums);

/* diff_report.c: the comparison as a section of a report: what changed in a sentence, the table,
   its basis. */
void diff_report(const struct cost_diff *diff, const struct output *to);
