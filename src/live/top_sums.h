/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sums over one interval of a live run (engine/live_run.h), for struct top_shot: what each task, or
 * the tasks of one name or control group, did and waited for. Each ns of an interval counts once:
 * of a span, the part in the interval counts when the span ends, or at the interval's end.
 *
 * Waiting is time off the CPU in a wait that held the task up. Sleeps that a task chose and sleeps
 * for work do not count. The cause of a sleep in S is often known only when it ends. Then only the
 * part in the last interval counts: a server that waits for its next request is not held up. If the
 * cause is known earlier, all of the sleep counts. The waits of kernel threads count in their own
 * rows only, as waiting is their purpose.
 *
 * Order of calls: top_sums_new(); top_sums_attach() with the run; top_sums_take_span() for its
 * spans; top_sums_take() at the end of each interval, then live_run_renew(), and
 * top_sums_turn() if that returned true; top_sums_free().
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/live_run.h"
#include "top_shot.h"

struct top_sums;

/* Which tasks are wanted: those that match all that is given. */
struct top_wanted {
	bool is_targets;           /* only those that the recording was made for */
	const char *const *comms;  /* globs; none: all */
	size_t comm_count;
	const char *const *cgroups; /* globs; none: all */
	size_t cgroup_count;
	const int32_t *own;        /* processes of ftwait itself, which are left out */
	size_t own_count;
};

/* What is pointed to in `wanted` is borrowed. */
struct top_sums *top_sums_new(const struct top_wanted *wanted, enum top_by by);
struct top_sums *top_sums_free(struct top_sums *sums);
void top_sums_attach(struct top_sums *sums, struct live_run *run);
/* From the next interval on. */
void top_sums_set_by(struct top_sums *sums, enum top_by by);
/* The run's on_span; `state`: the sums. */
void top_sums_take_span(void *state, const struct span *span);
/* The interval ends at `end`: fills in the shot from `begin` to `row` and `open`, and begins the
   next interval. Call live_run_reach() with `end` first. */
void top_sums_take(struct top_sums *sums, nsec_t end, struct top_shot *ret);
/* What top_sums_take() says of the wait of that track if that is the one that is shown; false: it
   is in none. Between the other two waits are known as in a report of a recording that ends
   here. */
void top_sums_open(struct top_sums *sums);
bool top_sums_look(const struct top_sums *sums, uint32_t track, struct top_open *ret);
void top_sums_close(struct top_sums *sums);
/* Another generation has taken over: tracks, names and causes have other numbers. The strings and
   causes of the last shot are no longer valid. */
void top_sums_turn(struct top_sums *sums);
