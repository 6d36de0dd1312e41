/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "diff_sums.h"

#include <stdlib.h>
#include <string.h>

#include "base/data/array.h"

static void side_add(struct diff_sums *sums, const struct cost_diff *diff,
                     const struct diff_side *side)
{
	for (size_t i = 0; i < side->count; i++) {
		const struct run_account *run = &side->run[i];

		for (size_t j = 0; j < run->count; j++) {
			const struct account_cost *cost = &run->cost[j];
			struct side_sum spent = {cost->total, cost->count};
			bool is_old = side == &diff->old;

			ARRAY_GROW(sums->sum, sums->count, sums->capacity);
			sums->sum[sums->count++] = (struct diff_sum){
				.key = row_source_key(&row_sources[diff->by], &cost->key),
				.old = is_old ? spent : (struct side_sum){0},
				.new = is_old ? (struct side_sum){0} : spent,
			};
		}
	}
}

struct sum_order {
	const struct intern *names;
};

/* By texts, as the numbers of names depend on the order of the files. */
static int sum_compare(const void *a, const void *b, void *order_by)
{
	const struct intern *names = ((const struct sum_order *)order_by)->names;
	const struct account_key *x = &((const struct diff_sum *)a)->key;
	const struct account_key *y = &((const struct diff_sum *)b)->key;
	const uint32_t of_x[] = {x->task, x->kind, x->cause, x->name, x->aim_name, x->what};
	const uint32_t of_y[] = {y->task, y->kind, y->cause, y->name, y->aim_name, y->what};
	int order = 0;

	for (size_t i = 0; i < ARRAY_SIZE(of_x) && order == 0; i++)
		order = i == 1 ? strcmp(cost_kind_key((enum cost_kind)of_x[i]),
		                        cost_kind_key((enum cost_kind)of_y[i]))
		               : strcmp(intern_text(names, of_x[i]), intern_text(names, of_y[i]));
	return order ? order : memcmp(x, y, sizeof(*x));
}

static void side_sum_add(struct side_sum *to, const struct side_sum *more)
{
	to->total += more->total;
	to->count += more->count;
}

/* Makes one of sums that stand side by side and have the same key. */
static void sums_join(struct diff_sums *sums)
{
	size_t kept = 0;

	for (size_t i = 0; i < sums->count; i++) {
		struct diff_sum *last = kept ? &sums->sum[kept - 1] : NULL, *sum = &sums->sum[i];

		if (!last || memcmp(&last->key, &sum->key, sizeof(sum->key)) != 0) {
			sums->sum[kept++] = *sum;
			continue;
		}
		side_sum_add(&last->old, &sum->old);
		side_sum_add(&last->new, &sum->new);
	}
	sums->count = kept;
}

static const struct diff_row *row_of(const struct cost_diff *diff, const struct account_key *key)
{
	for (size_t i = 0; i < diff->row_count; i++)
		if (!diff->row[i].is_rest && memcmp(&diff->row[i].key, key, sizeof(*key)) == 0)
			return &diff->row[i];
	return NULL;
}

void diff_sums_make(struct diff_sums *sums, const struct cost_diff *diff)
{
	struct sum_order order = {&diff->names};

	*sums = (struct diff_sums){0};
	side_add(sums, diff, &diff->old);
	side_add(sums, diff, &diff->new);
	if (sums->count > 1)
		qsort_r(sums->sum, sums->count, sizeof(*sums->sum), sum_compare, &order);
	sums_join(sums);
	for (size_t i = 0; i < sums->count; i++)
		sums->sum[i].row = row_of(diff, &sums->sum[i].key);
}

void diff_sums_release(struct diff_sums *sums)
{
	free(sums->sum);
	*sums = (struct diff_sums){0};
}
