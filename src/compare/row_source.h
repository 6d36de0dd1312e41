/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the rows of a comparison are: a row of this table for each word of --by. It says which view
 * knows the sums, and by which of their members rows are divided.
 */
#pragma once

#include "analysis/analysis.h"
#include "run_account.h"

/* The words of --by, in the order of their table. */
enum diff_by {
	DIFF_BY_CAUSE,    /* state, cause, and the tasks that spent the time */
	DIFF_BY_CHAIN,    /* chains of tasks that waited for each other */
	DIFF_BY_TASK,     /* the tasks that spent the time */
	DIFF_BY_RESOURCE, /* state and cause */
	DIFF_BY_SYSCALL,  /* system calls of the asked tasks */
	DIFF_BY_CGROUP,   /* control groups of the tasks that spent the time */
	DIFF_BY_COUNT,
};

struct row_source {
	const char *name;       /* the word of --by */
	const char *view;       /* the analysis that has the sums; costs has the whole time */
	account_sums *each;     /* passes the sums of that view's state */
	struct account_key by;  /* members by which rows are divided are UINT32_MAX, others 0 */
	bool by_group;          /* costs are asked for by control group */
	bool are_counted;       /* of each row the number and the mean length are tested; false: of
	                           waits with a cause only, of other rows the sum */
	const char *things;     /* what is counted: "waits" */
	bool are_whole;         /* a row is all time of its tasks or group: only those are named */
	bool have_state;        /* rows have a state */
	bool are_divided;       /* among the turns of a recording (turn_source.h): the sums are
	                           those of costs, and of a stretch of time */
	/* Whether the recording, which was read, has what the view needs. If not, appends a phrase
	   to `why`. NULL: each recording has. */
	bool (*has_sums)(const struct question *question, struct buffer *why);
};

extern const struct row_source row_sources[DIFF_BY_COUNT];

/* The key of the row that a cost belongs to. */
struct account_key row_source_key(const struct row_source *source, const struct account_key *key);
/* Whether a row with that key is of things of which number and mean length are tested. */
bool row_source_counts(const struct row_source *source, const struct account_key *key);
/* Whether the key names a row; false: its costs are of the rest. */
bool row_source_names(const struct row_source *source, const struct account_key *key);
