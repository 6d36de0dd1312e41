/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is kept of a run to compare it with others: its costs, and whether it may be compared at
 * all. A few KB; the recording itself can be closed. If a recording is divided (turn_source.h),
 * each turn of it has an account.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "analysis/analysis.h"
#include "analysis/tables/cost_kind.h"
#include "base/data/intern.h"
#include "ftwait/health.h"
#include "ftwait/nsec.h"
#include "ftwait/source.h"
#include "graph/timeline/timeline.h"

/* Texts are ids in names that all accounts of a comparison share; 0: none. Without padding: keys
   are compared as bytes. */
struct account_key {
	uint32_t kind;  /* enum cost_kind */
	uint32_t cause; /* kind of cause */
	uint32_t name;  /* what was waited for */
	uint32_t aim;   /* enum aim_kind: what was waited for, whatever ended the waits */
	uint32_t aim_name;
	uint32_t task;  /* the tasks that spent the time */
	uint32_t what;  /* what the source of the rows divides by besides (row_source): a chain, a
	                   system call, a control group */
};

struct account_cost {
	struct account_key key;
	uint64_t count;
	nsec_t total;
};

struct run_account {
	const char *path;  /* of the recording; borrowed */
	bool is_further;   /* of the same recording as the account before it */
	uint32_t turns;    /* what the recording is divided into; 0: it is not */
	uint32_t root;     /* the task that the path belongs to; 0: costs of several tasks */
	nsec_t wall;       /* sum of the costs; of several tasks without sleeps that they chose, and
	                      what else cost_is_apart() */
	double explained;  /* part of all the tasks' time that has a known cause, as in --costs */
	struct account_cost *cost;
	size_t count, capacity;
	/* Of the recording: */
	uint32_t boot;     /* boot of the machine; 0: not known */
	uint64_t begin;    /* on the trace's clock: no other recording of the boot has it */
	uint64_t lost;
	bool has_gaps; /* events were lost, counted or not */
	bool is_damaged;
	double steal;      /* part of the CPUs' time that the host took; 0 if it is not known */
	uint32_t machine, kernel, arch, recorded; /* recorded: groups and events */
	uint32_t cpus;
};

/* One side of a comparison, or all runs that are judged. */
struct diff_side {
	struct run_account *run;
	size_t count, capacity;
};

/* Adds a run; then take its account. The pointer is valid until the next call. The path
   is borrowed. */
struct run_account *diff_side_add(struct diff_side *side, const char *path);
void diff_side_release(struct diff_side *side);
/* The number of recordings, which may have several turns each. */
size_t diff_side_recordings(const struct diff_side *side);

/* Passes the sums of a view; `view` is its state. */
typedef void account_sums(const void *view, cost_taker *take, void *state);

/* Takes all but the costs: from the view --costs, whose state `costs` is, of a recording that was
   read. */
void run_account_describe(struct run_account *account, struct intern *names, const void *costs,
                          const struct source *source, const struct health *health,
                          const struct timeline *timeline);
/* Adds the sums of a view as costs. */
void run_account_take(struct run_account *account, struct intern *names, account_sums *each,
                      const void *view);

/*
 * What the rows of a comparison are: a row of this table for each word of --by. It says which view
 * knows the sums, and by which of their members rows are divided.
 */

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
