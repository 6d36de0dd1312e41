/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "aim_log.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/data/array.h"

void aim_log_add(struct aim_log *log, const struct aim_note *note)
{
	assert(log->count == 0 || log->note[log->count - 1].end <= note->begin);
	ARRAY_GROW(log->note, log->count, log->capacity);
	log->note[log->count++] = *note;
}

/* Index of the first note that ends after t. */
static size_t aim_log_after(const struct aim_log *log, nsec_t t)
{
	size_t low = 0, high = log->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (log->note[middle].end <= t)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

void aim_log_trim(struct aim_log *log, nsec_t until)
{
	size_t gone = log ? aim_log_after(log, until) : 0;

	if (gone == 0)
		return;
	memmove(log->note, log->note + gone, (log->count - gone) * sizeof(*log->note));
	log->count -= gone;
}

void aim_log_free(struct aim_log *log)
{
	if (log)
		free(log->note);
	free(log);
}

const struct aim_note *aim_log_find(const struct aim_log *log, nsec_t begin, nsec_t end)
{
	size_t at = log ? aim_log_after(log, begin) : 0;

	if (!log || at == log->count || log->note[at].begin > begin || log->note[at].end < end)
		return NULL;
	return &log->note[at];
}
