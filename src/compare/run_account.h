/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is kept of a run to compare it with others: its costs, and whether it may be compared at
 * all. A few KB; the recording itself can be closed. If a recording is divided (turn_source.h),
 * each turn of it has an account.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "analysis/cost_kind.h"
#include "base/data/intern.h"
#include "ftwait/health.h"
#include "ftwait/nsec.h"
#include "ftwait/source.h"
#include "graph/timeline/timeline.h"
#include "analysis/cost_sum.h"

/* Texts are ids in names that all accounts of a comparison share; 0: none. Without padding: keys
   are compared as bytes. */
struct account_key {
	uint32_t kind;  /* enum cost_kind */
	uint32_t cause; /* kind of cause */
	uint32_t name;  /* what was waited for */
	uint32_t aim;   /* enum aim_kind: what was waited for, whatever ended the waits */
	uint32_t aim_name;
	uint32_t task;  /* the tasks that spent the time */
	uint32_t what;  /* what the source of the rows divides by besides (row_source.h): a chain, a
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
   read. Release it. */
void run_account_describe(struct run_account *account, struct intern *names, const void *costs,
                          const struct source *source, const struct health *health,
                          const struct timeline *timeline);
/* Adds the sums of a view as costs. */
void run_account_take(struct run_account *account, struct intern *names, account_sums *each,
                      const void *view);
void run_account_release(struct run_account *account);
