/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fold.h"

#include <assert.h>

#include "base/assume.h"
#include "base/data/array.h"
#include "graph/aims/poll.h"

/* A run between two sleeps of a polling series is short up to 1 / POLL_RUN_PART of the sleep. */
#define POLL_RUN_PART 16

/* A track whose segments are being moved together. */
struct folding {
	struct track *track;
	nsec_t limit;
	size_t kept;     /* number of segments kept so far */
	uint32_t places; /* number of places kept so far */
};

/* The kept wait that this one continues after a short run; SIZE_MAX: none. */
static size_t folding_find(const struct folding *folding, const struct segment *again,
                           nsec_t limit)
{
	const struct segment *segment = folding->track->segment;
	nsec_t end = again->begin, run = 0;
	size_t at = folding->kept;

	while (at > 0 && (segment[at - 1].kind == SEGMENT_RUN ||
	                  segment[at - 1].kind == SEGMENT_RUNNABLE)) {
		at--;
		if (segment[at].kind == SEGMENT_RUN)
			run += end - segment[at].begin;
		end = segment[at].begin;
		if (run >= limit)
			return SIZE_MAX;
	}
	if (at == 0 || segment[at - 1].kind != SEGMENT_WAIT || segment[at - 1].cause == CAUSE_NONE)
		return SIZE_MAX;
	return at - 1;
}

static void folding_note(struct folding *folding, size_t wait)
{
	struct track *track = folding->track;

	assert(!track->spurious_wakeup_count ||
	       track->spurious_wakeup[track->spurious_wakeup_count - 1].segment <= wait);
	ARRAY_GROW(track->spurious_wakeup, track->spurious_wakeup_count,
	           track->spurious_wakeup_capacity);
	track->spurious_wakeup[track->spurious_wakeup_count++] = (struct spurious_wakeup){
		.segment = (uint32_t)wait,
		.cause = track->segment[wait].cause,
		.time = timeline_segment_end(track, wait),
	};
}

/* The polling series in which the wait is another one without a result; NULL: none. */
static const struct sleep_series *folding_poll(const struct folding *folding,
                                       const struct segment *segment)
{
	const struct sleep_series *poll = segment->kind == SEGMENT_WAIT && segment->is_quiet
	                                  ? series_of(folding->track->series, SERIES_OF_POLLS,
	                                              segment->begin)
	                                  : NULL;

	return poll && !poll->is_by_child ? poll : NULL;
}

/* True if the segment was merged into one before it. */
static bool folding_fold(struct folding *folding, const struct segment *segment)
{
	const struct sleep_series *poll = folding_poll(folding, segment);
	nsec_t limit = folding->limit;
	size_t wait;

	if (!segment->is_again && !poll)
		return false;
	if (poll)
		limit = nsec_max(limit, poll->waiting / poll->count / POLL_RUN_PART);
	wait = folding_find(folding, segment, limit);
	if (wait == SIZE_MAX)
		return false;
	assert(wait < folding->kept);
	/* the first sleep of the series does not continue a wait before it */
	if (poll && !segment->is_again && folding->track->segment[wait].begin < poll->begin)
		return false;
	folding_note(folding, wait);
	folding->track->segment[wait].cause = segment->cause;
	folding->kept = wait + 1;
	return true;
}

static uint64_t track_fold(struct track *track, nsec_t limit)
{
	struct folding folding = {.track = track, .limit = limit};
	uint64_t folded = 0;
	uint32_t place = 0;

	for (size_t at = 0; at < track->segment_count; at++) {
		struct segment segment = track->segment[at];
		bool is_gone = folding_fold(&folding, &segment);

		assert(folding.kept <= at && folding.places <= place);
		folded += is_gone;
		for (; place < track->place_count && track->place[place].segment == at; place++)
			if (!is_gone)
				track->place[folding.places++] = (struct segment_place){
					(uint32_t)folding.kept, track->place[place].place};
		if (!is_gone)
			track->segment[folding.kept++] = segment;
	}
	track->segment_count = folding.kept;
	track->place_count = folding.places;
	track->hint = 0;
	return folded;
}

uint64_t timeline_fold(struct timeline *timeline, nsec_t limit)
{
	uint64_t folded = 0;

	for (size_t i = 0; i < timeline->track_count; i++)
		folded += track_fold(&timeline->track[i], limit);
	return folded;
}

const struct spurious_wakeup *timeline_spurious_wakeups(const struct track *track, size_t segment,
							size_t *ret_count)
{
	size_t first = array_lower_bound(track->spurious_wakeup, track->spurious_wakeup_count,
	                                 sizeof(*track->spurious_wakeup), (uint32_t)segment);
	size_t end = first;

	ASSUME(segment < track->segment_count);
	while (end < track->spurious_wakeup_count && track->spurious_wakeup[end].segment == segment)
		end++;
	*ret_count = end - first;
	return end > first ? &track->spurious_wakeup[first] : NULL;
}
