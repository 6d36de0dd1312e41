/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sleep_series.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/data/array.h"
#include "base/xalloc.h"

void series_add(struct series_log **logs, enum series_kind kind, const struct sleep_series *series)
{
	struct series_log *log;

	if (!*logs)
		*logs = xcalloc(SERIES_KINDS, sizeof(**logs));
	log = &(*logs)[kind];
	/* those that end children are sorted later */
	assert(series->begin <= series->end);
	assert(kind == SERIES_OF_KILL || !log->count ||
	       log->series[log->count - 1].end <= series->begin);
	ARRAY_GROW_FROM(log->series, log->count, log->capacity, 2);
	log->series[log->count++] = *series;
}

void series_forget(struct series_log **logs)
{
	for (int kind = 0; *logs && kind < SERIES_KINDS; kind++)
		free((*logs)[kind].series);
	free(*logs);
	*logs = NULL;
}

/* Empties the logs of what is found again. */
static struct series_log *logs_empty(struct series_log *logs)
{
	for (int kind = 0; kind < SERIES_KINDS; kind++)
		if (kind != SERIES_OF_POLLS)
			logs[kind].count = 0;
	return &logs[SERIES_OF_POLLS];
}

size_t series_resume(struct series_log **logs, struct sleep_series *ret_left)
{
	struct series_log *polls;

	*ret_left = (struct sleep_series){.count = 0};
	if (!*logs)
		return 0;
	polls = logs_empty(*logs);
	if (series_left_begin(polls) != NSEC_NEVER)
		*ret_left = polls->series[--polls->count];
	ret_left->is_left = ret_left->is_piece = false;
	/* more of them may have ended, or lived on */
	for (size_t at = 0; at < polls->count; at++)
		series_forget_child(&polls->series[at]);
	series_forget_child(ret_left);
	return polls->taken;
}

size_t series_over(const struct series_log *log)
{
	size_t over = log->count - (series_left_begin(log) != NSEC_NEVER);

	return over - (over && log->series[over - 1].is_piece);
}

void series_trim(struct series_log **logs, nsec_t t)
{
	struct series_log *polls;
	size_t gone = 0, over;

	if (!*logs)
		return;
	polls = logs_empty(*logs);
	over = series_over(polls);
	while (gone < over && polls->series[gone].end <= t)
		gone++;
	polls->count -= gone;
	polls->hint = 0;
	if (gone)
		memmove(polls->series, polls->series + gone,
		        polls->count * sizeof(*polls->series));
}

struct sleep_series *series_after(struct series_log *log, nsec_t t)
{
	size_t at = log->count ? array_after_u64(&log->series->end, log->count,
	                                         sizeof(*log->series), t, &log->hint)
	                       : 0;

	return at < log->count ? &log->series[at] : NULL;
}

nsec_t series_left_begin(const struct series_log *log)
{
	return log->count && log->series[log->count - 1].is_left ? log->series[log->count - 1].begin
	                                                         : NSEC_NEVER;
}
