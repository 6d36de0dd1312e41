/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "histogram.h"

#include <stdio.h>

#include "base/data/array.h"

#define BAR_WIDTH 40

void histogram_show(const struct distribution_sum *sum, const char *title, const struct output *to)
{
	static const struct column bars[] = {
		{NULL, "FROM", CELL_DURATION, COLUMN_TEXT_ONLY},
		{NULL, "TO", CELL_DURATION, COLUMN_TEXT_ONLY | COLUMN_SPARE(1)},
		{NULL, "COUNT", CELL_COUNT, COLUMN_TEXT_ONLY},
		{NULL, "DISTRIBUTION", CELL_TEXT, COLUMN_TEXT_ONLY | COLUMN_BAR},
	};
	static const char stars[] = "****************************************";
	uint64_t most = 1;

	_Static_assert(sizeof(stars) == BAR_WIDTH + 1, "the longest bar");
	if (sum->count == 0)
		return;
	for (size_t i = 0; i < sum->bucket_count; i++)
		most = sum->bucket[i].count > most ? sum->bucket[i].count : most;
	output_table_begin(to, NULL, title, bars, ARRAY_SIZE(bars), /* is_single= */ false);
	for (size_t i = 0; i < sum->bucket_count; i++) {
		const struct histogram_bucket *bucket = &sum->bucket[i];
		double share = (double)bucket->count / (double)most;
		char bar[BAR_WIDTH + 3];

		(void)snprintf(bar, sizeof(bar), "|%-*.*s|", BAR_WIDTH,
		               (int)(share * BAR_WIDTH), stars);
		output_row(to, (struct cell[]){
					{.type = CELL_DURATION, .time = bucket->from},
					{.type = CELL_DURATION, .time = bucket->to},
					{.type = CELL_COUNT, .count = bucket->count},
					{.type = CELL_TEXT, .text = bar},
				});
	}
	output_table_end(to);
}

void histogram_show_of(const struct distribution *distribution, const char *title,
                       const struct output *to)
{
	struct distribution_sum sum;

	distribution_sum(distribution, &sum);
	histogram_show(&sum, title, to);
}
