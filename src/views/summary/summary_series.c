/* SPDX-License-Identifier: GPL-2.0-or-later */
/* When tasks were held up: a strip over time for each state, and options that show the worst time
   closer. */
#include <inttypes.h>
#include <stdio.h>

#include "base/array.h"
#include "base/format.h"
#include "summary.h"

#define INSTANT_DIGITS 6 /* digits that --from and --to are printed with */

/* One row of the table: the values of its slices; the largest is the spike. */
struct strip {
	const char *key, *title;
	const struct time_series *series;
	const nsec_t *value;
	bool is_length; /* values are lengths of stretches; false: numbers of tasks, summed over
	                   time */
};

static size_t spike_find(const struct strip *strip, size_t count)
{
	size_t best = 0;

	for (size_t i = 1; i < count; i++)
		if (strip->value[i] > strip->value[best])
			best = i;
	return best;
}

/* Digits behind the point that distinguish slices of that length. */
static int slice_digits(nsec_t slice)
{
	int digits = 0;

	for (nsec_t step = 1000000000; step > slice && digits < INSTANT_DIGITS; step /= 10)
		digits++;
	return digits;
}

/* "--from 47.5 --to 49.0": the slices around the spike that hold at least half as much. */
static void spike_words(const struct strip *strip, size_t count, size_t at, nsec_t origin,
                        char *ret, size_t size)
{
	const struct time_series *series = strip->series;
	nsec_t least = strip->value[at] / 2, begin, end, unit = 1000000000;
	int digits = slice_digits(series->slice);
	size_t from = at, to = at + 1;

	while (from > 0 && strip->value[from - 1] > least)
		from--;
	while (to < count && strip->value[to] > least)
		to++;
	begin = series->begin + from * series->slice;
	end = series->begin + to * series->slice;
	/* the stretch ends there, and may have begun long before */
	if (strip->is_length)
		begin = begin > strip->value[at] ? nsec_max(begin - strip->value[at], origin) : 0;
	begin = begin > origin ? begin - origin : 0;
	end = end > origin ? end - origin : 0;
	for (int i = 0; i < digits; i++)
		unit /= 10;
	begin -= begin % unit;
	end += (unit - end % unit) % unit;
	(void)snprintf(ret, size, "--from %.*f --to %.*f", digits, (double)begin / 1e9, digits,
	               (double)end / 1e9);
}

/* All its slices are empty. */
static bool strip_is_flat(const struct question *question, const struct strip *strip)
{
	size_t count = time_series_count(strip->series, question->resolved->end);

	return count == 0 || strip->value[spike_find(strip, count)] == 0;
}

static void strip_row(const struct question *question, const struct strip *strip,
                      const struct output *to)
{
	const struct time_series *series = strip->series;
	size_t count = time_series_count(series, question->resolved->end), at;
	char peak[64], look[64];

	if (strip_is_flat(question, strip))
		return;
	at = spike_find(strip, count);
	if (strip->is_length)
		(void)snprintf(peak, sizeof(peak), "%s",
		               DURATION_TEXT(strip->value[at]));
	else
		(void)snprintf(peak, sizeof(peak), "%.1f at once",
		               (double)strip->value[at] / (double)series->slice);
	spike_words(strip, count, at, question->timeline->begin, look, sizeof(look));
	output_row(to, (struct cell[]){
		{.type = CELL_TEXT, .text = strip->key},
		{.type = CELL_TEXT, .text = strip->title},
		{.type = CELL_INSTANT, .time = series->begin},
		{.type = CELL_DURATION, .time = series->slice},
		{.type = CELL_SERIES, .series = {strip->value, count}},
		{.type = CELL_TEXT, .text = peak},
		{.type = CELL_DURATION, .time = strip->value[at]},
		{.type = CELL_INSTANT, .time = series->begin + at * series->slice},
		{.type = CELL_TEXT, .text = look},
	});
}

void summary_print_series(const struct summary *summary, const struct output *to)
{
	static const struct column columns[] = {
		{"what", NULL, CELL_TEXT, 0},
		{NULL, "OVER TIME", CELL_TEXT, COLUMN_TEXT_ONLY},
		{"begin_ns", NULL, CELL_INSTANT, 0},
		{"slice_ns", NULL, CELL_DURATION, 0},
		{"values_ns", "", CELL_SERIES, 0},
		{NULL, "MOST", CELL_TEXT, COLUMN_TEXT_ONLY},
		{"peak_ns", NULL, CELL_DURATION, 0},
		{"peak_at_ns", NULL, CELL_INSTANT, 0},
		{NULL, "LOOK CLOSER", CELL_TEXT, COLUMN_TEXT_ONLY | COLUMN_NUMBER},
	};
	const struct explanation *explanation = summary->explanation;
	const struct time_series *runnable = &explanation->runnable;
	const struct time_series *waiting = &explanation->waiting;
	const struct strip strips[] = {
		{"runnable", "in run queues", runnable, runnable->held, false},
		{"waiting", "waiting", waiting, waiting->held, false},
		{"longest_runnable", "longest queued", runnable,
		 runnable->longest, true},
		{"longest_wait", "longest wait", waiting, waiting->longest, true},
	};
	size_t flat = 0;

	for (size_t i = 0; i < ARRAY_SIZE(strips); i++)
		flat += strip_is_flat(summary->question, &strips[i]);
	/* a screen has no need of a table without rows */
	if (flat == ARRAY_SIZE(strips) && to->presenter->row_limit)
		return;
	output_table_begin(to, "over_time", NULL, columns, ARRAY_SIZE(columns), false);
	for (size_t i = 0; i < ARRAY_SIZE(strips); i++)
		strip_row(summary->question, &strips[i], to);
	output_table_end(to);
}
