/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sleep_series.h"

#include <assert.h>
#include <stdlib.h>

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
