/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the runs of both sides spent, cost by cost, negligible ones too. Unlike the medians of rows,
 * sums add up: those of a side are the wall time of all its runs. So pictures are made of them.
 */
#pragma once

#include "cost_diff.h"
#include "ftwait/report.h"

struct diff_sum {
	struct account_key key;
	struct side_sum old, new;
	const struct diff_row *row; /* of that cost; NULL: it is negligible. Borrowed. */
};

struct diff_sums {
	struct diff_sum *sum; /* by the texts of task, kind, cause and name; no key twice */
	size_t count, capacity;
};

/* Call after cost_diff_make(); `diff` must outlive the sums. */
void diff_sums_make(struct diff_sums *sums, const struct cost_diff *diff);
void diff_sums_release(struct diff_sums *sums);
