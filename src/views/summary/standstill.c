/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "standstill.h"

#include <inttypes.h>
#include <stdlib.h>

#include "analysis/prose.h"
#include "base/data/array.h"
#include "base/text/buffer.h"
#include "base/cleanup.h"
#include "base/text/format.h"
#include "words/instant_words.h"
#include "words/task_words.h"

#define LEAST_RT   20000000u /* ns; a shorter hold is not felt */
#define LEAST_FAIR 50000000u /* the slices of fair tasks may be longer than LEAST_RT */
#define THROUGHOUT 0.9       /* least part of the hold for which a task must be queued */
#define QUEUED_LEAST  3
#define QUEUED_TO_RAN 4      /* nearly all: so many are queued for each that runs */
#define HOLDS_MAX     4096
#define INSTANTS_SHOWN 4

void standstill_init(struct standstill *standstill, const struct question *question)
{
	*standstill = (struct standstill){.question = question};
}

void standstill_release(struct standstill *standstill)
{
	free(standstill->ran_until);
	free(standstill->hold);
}

static bool is_program(const struct timeline *timeline, uint32_t track)
{
	return !timeline->track[track].is_idle && !track_is_kernel(timeline, track);
}

static bool is_rt(const struct track *track, nsec_t t)
{
	int priority = track_rank(track, t).priority;

	return priority != PRIORITY_UNKNOWN && priority < PRIORITY_FAIR_MIN;
}

static uint32_t count_ran(const struct standstill *standstill, const struct span *hold)
{
	const struct timeline *timeline = standstill->question->timeline;
	uint32_t count = 0;

	for (uint32_t track = 0; track < standstill->track_count; track++)
		count += track != hold->track && standstill->ran_until[track] > hold->begin &&
		         timeline->track[track].host == timeline->track[hold->track].host &&
		         is_program(timeline, track);
	return count;
}

static bool made_stand_still(const struct hold *hold)
{
	return hold->queued >= QUEUED_LEAST && hold->queued >= QUEUED_TO_RAN * hold->ran;
}

static void hold_close(struct standstill *standstill, const struct hold *hold)
{
	if (!made_stand_still(hold) || standstill->count == HOLDS_MAX)
		return;
	ARRAY_GROW(standstill->hold, standstill->count, standstill->capacity);
	standstill->hold[standstill->count++] = *hold;
}

static void standstill_hold(struct standstill *standstill, const struct span *span)
{
	const struct track *track = &standstill->question->timeline->track[span->track];

	if (track->is_idle ||
	    (span->end - span->begin < LEAST_FAIR && !is_rt(track, span->begin)))
		return;
	hold_close(standstill, &standstill->recent[standstill->next]);
	standstill->recent[standstill->next] = (struct hold){
		.begin = span->begin,
		.end = span->end,
		.track = span->track,
		.ran = count_ran(standstill, span),
	};
	standstill->next = (standstill->next + 1) % STANDSTILL_RECENT;
}

static void standstill_queue(struct standstill *standstill, const struct span *span)
{
	const struct timeline *timeline = standstill->question->timeline;

	for (size_t i = 0; i < STANDSTILL_RECENT; i++) {
		struct hold *hold = &standstill->recent[i];
		nsec_t begin = nsec_max(hold->begin, span->begin);
		nsec_t end = nsec_min(hold->end, span->end);

		if (begin < end &&
		    (double)(end - begin) >= THROUGHOUT * (double)(hold->end - hold->begin) &&
		    timeline->track[hold->track].host == timeline->track[span->track].host &&
		    is_program(timeline, span->track))
			hold->queued++;
	}
}

static void standstill_grow(struct standstill *standstill, uint32_t track)
{
	while (track >= standstill->track_count) {
		ARRAY_GROW(standstill->ran_until, standstill->track_count,
		           standstill->track_capacity);
		standstill->ran_until[standstill->track_count++] = 0;
	}
}

void standstill_add(struct standstill *standstill, const struct span *span)
{
	nsec_t length = span->end - span->begin;

	if (span->kind == SEGMENT_RUN) {
		if (span->track >= standstill->track_count)
			standstill_grow(standstill, span->track);
		if (length >= LEAST_RT)
			standstill_hold(standstill, span);
		standstill->ran_until[span->track] = span->end;
	} else if (span->kind == SEGMENT_RUNNABLE && !span->cause &&
	           (double)length >= THROUGHOUT * LEAST_RT) {
		standstill_queue(standstill, span);
	}
}

/* The next hold from *at on that made others stand still; NULL: none is left. */
static const struct hold *hold_next(const struct standstill *standstill, size_t *at)
{
	while (*at < standstill->count + STANDSTILL_RECENT) {
		size_t i = (*at)++;
		const struct hold *hold =
			i < standstill->count
				? &standstill->hold[i]
				: &standstill->recent[(standstill->next + i - standstill->count) %
		                                      STANDSTILL_RECENT];

		if (made_stand_still(hold))
			return hold;
	}
	return NULL;
}

/* The sum of the holds of that track. */
static nsec_t held_by(const struct standstill *standstill, uint32_t track)
{
	const struct hold *hold;
	nsec_t total = 0;

	for (size_t at = 0; (hold = hold_next(standstill, &at));)
		if (hold->track == track)
			total += hold->end - hold->begin;
	return total;
}

static const struct hold *hold_of_most(const struct standstill *standstill)
{
	const struct hold *most = NULL, *hold;
	nsec_t most_held = 0;

	for (size_t at = 0; (hold = hold_next(standstill, &at));) {
		nsec_t held = most && hold->track == most->track
		                      ? 0
		                      : held_by(standstill, hold->track);

		if (held > most_held) {
			most = hold;
			most_held = held;
		}
	}
	return most;
}

/* "fw-update[431] (RT 90)" */
static void holder_append(const struct standstill *standstill, const struct hold *hold,
                          struct buffer *to)
{
	const struct timeline *timeline = standstill->question->timeline;
	const struct track *track = &timeline->track[hold->track];

	prose_task_append(to, timeline, hold->track);
	if (!is_rt(track, hold->begin))
		return;
	buffer_puts(to, " (");
	priority_append(to, track_rank(track, hold->begin).priority);
	buffer_putc(to, ')');
}

void standstill_print(const struct standstill *standstill, const struct output *to)
{
	const struct hold *of = hold_of_most(standstill), *hold;
	_cleanup_(buffer_release) struct buffer line = {0};
	uint32_t queued = 0;
	nsec_t longest = 0;
	size_t count = 0;

	if (!of)
		return;
	buffer_init(&line, 1024);
	buffer_puts(&line, "Nearly all that could run stood still: at ");
	for (size_t at = 0; (hold = hold_next(standstill, &at));) {
		if (hold->track != of->track)
			continue;
		longest = nsec_max(longest, hold->end - hold->begin);
		queued = hold->queued > queued ? hold->queued : queued;
		if (count++ < INSTANTS_SHOWN)
			buffer_printf(&line, "%s%s", count > 1 ? ", " : "",
			              INSTANT_OF(&standstill->question->instants, hold->begin));
	}
	if (count > INSTANTS_SHOWN)
		buffer_printf(&line, " and %zu more times", count - INSTANTS_SHOWN);
	buffer_printf(&line, ", for %s%s, %s%" PRIu32 " programs were in run queues while ",
	              count > 1 ? "up to " : "", DURATION_TEXT(longest),
	              count > 1 ? "up to " : "", queued);
	holder_append(standstill, of, &line);
	buffer_puts(&line, " kept its CPU (--sched).");
	prose_put(to, line.text);
}
