/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How long the asked tasks waited for what: the time of their waits by the kind of the aim, for
 * views that list no waits. It is what --waits lists, from a history that may be bounded.
 *
 * Order of calls: init, any number of aim_sums_fold(), aim_sums_finish() once the question is
 * resolved, then aim_sums_total(), release. Memory: 8 bytes a task, and some
 * 60 for each kind of aim that it has. All 0: no sums are wanted, and the functions do nothing.
 */
#pragma once

#include "analysis/analysis.h"
#include "ftwait/aim.h"
#include "tally/tally.h"

#define AIM_MASK_ALL ((1u << AIM_KIND_COUNT) - 1)

struct aim_sums {
	const struct question *question;
	uint32_t kinds;
	bool is_filtered; /* by --kind, --ended, --min and --cpu, too */
	size_t *taken; /* by track: segments that are taken, forgotten ones included */
	size_t taken_count, taken_capacity;
	struct tally sums; /* struct aim_sum */
};

/* kinds: a mask of those that may be asked for. */
void aim_sums_init(struct aim_sums *sums, const struct question *question, uint32_t kinds,
                   bool is_filtered);
void aim_sums_release(struct aim_sums *sums);
/* Call before the older half of the history is forgotten, while open segments are shown, and after
   timeline_find_awaited(). */
void aim_sums_fold(struct aim_sums *sums);
void aim_sums_finish(struct aim_sums *sums);
/* The sums over all asked tasks; of the kinds in the mask, 0 for all others. */
void aim_sums_total(const struct aim_sums *sums, uint32_t kinds, nsec_t ret[AIM_KIND_COUNT]);
/* The same as the field "by_aim" of a section. */
void aim_sums_report(const struct aim_sums *sums, uint32_t kinds, const struct output *to);
