/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "text_clock.h"

#include <string.h>

#define SYNC "tracing_mark_write: trace_event_clock_sync: "
#define NS_IN_S  UINT64_C(1000000000)
#define NS_IN_MS UINT64_C(1000000)
/* The longest time from reading the clock to the time stamp of the mark. */
#define SYNC_MAX (10 * NS_IN_MS)

/* "4128.044189" */
static bool read_seconds(struct text_line word, nsec_t *ret)
{
	const char *dot = memchr(word.at, '.', line_length(word));
	int64_t seconds, rest;

	if (!dot)
		return false;
	seconds = word_number((struct text_line){word.at, dot}, INT32_MAX);
	rest = word_number((struct text_line){dot + 1, word.end}, NS_IN_S - 1);
	if (seconds < 0 || rest < 0 || word.end - dot > 10)
		return false;
	*ret = (nsec_t)rest;
	for (long digits = word.end - dot - 1; digits < 9; digits++)
		*ret *= 10;
	*ret += (nsec_t)seconds * NS_IN_S;
	return true;
}

void text_clock_see(struct text_clock *clock, const struct text_head *head)
{
	struct text_line rest = head->rest;
	struct realtime *real = &clock->realtime;
	nsec_t time;
	int64_t ms;

	if (!line_skip(&rest, SYNC))
		return;
	if (line_skip(&rest, "parent_ts=") && read_seconds(line_word(&rest), &time)) {
		if (time <= head->time + head->step && head->time - time < SYNC_MAX)
			clock->is_monotonic = true;
		else
			clock->is_other = true;
		return;
	}
	if (!line_skip(&rest, "realtime_ts="))
		return;
	ms = word_number(line_word(&rest), INT64_MAX / (int64_t)NS_IN_MS);
	if (ms <= 0 || (nsec_t)ms * NS_IN_MS > REALTIME_MAX || real->count == REALTIME_PAIRS_MAX ||
	    (real->count && head->time <= real->pair[real->count - 1].time))
		return;
	real->pair[real->count++] = (struct realtime_pair){
		.time = head->time,
		.real = (nsec_t)ms * NS_IN_MS,
		.within = NS_IN_MS,
	};
}

void text_clock_describe(const struct text_clock *clock, struct source *source)
{
	source->clock = clock->is_monotonic && !clock->is_other ? "mono" : NULL;
	source->notes.realtime = clock->realtime;
}
