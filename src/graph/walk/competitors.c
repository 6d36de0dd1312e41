/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "competitors.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/assume.h"
#include "base/data/array.h"
#include "base/xalloc.h"

void had_cpu_release(struct had_cpu *had)
{
	free(had->by_track);
	free(had->loan);
	*had = (struct had_cpu){0};
}

static void had_cpu_grow(struct had_cpu *had, size_t count)
{
	size_t known = had->track_count;

	if (known >= count)
		return;
	had->by_track = xreallocarray(had->by_track, count, sizeof(*had->by_track));
	had->loan = xreallocarray(had->loan, count, sizeof(*had->loan));
	memset(had->by_track + known, 0, (count - known) * sizeof(*had->by_track));
	memset(had->loan + known, 0, (count - known) * sizeof(*had->loan));
	had->track_count = count;
}

static void had_cpu_add_loan(struct had_cpu *had, size_t track, nsec_t time,
                             const struct rank *rank)
{
	assert(track < had->track_count);
	had->loan[track].total += time;
	had->loan[track].rank = *rank;
}

void had_cpu_add(struct had_cpu *had, const struct had_cpu *more)
{
	had_cpu_grow(had, more->track_count);
	for (size_t i = 0; i < more->track_count; i++) {
		had->by_track[i] += more->by_track[i];
		if (more->loan[i].total)
			had_cpu_add_loan(had, i, more->loan[i].total, &more->loan[i].rank);
	}
	had->all += more->all;
	had->interrupts += more->interrupts;
	had->idle += more->idle;
	voter_add(&had->heavier, &more->heavier);
	voter_add(&had->outranked, &more->outranked);
	voter_add(&had->interrupted_on, &more->interrupted_on);
}

void competitors_init(struct competitors *competitors, struct timeline *timeline,
                      const struct interrupt_log *interrupts, struct had_cpu *had)
{
	*competitors = (struct competitors){
		.timeline = timeline,
		.had = had,
		.capacity = timeline->track_count > COMPETITORS_BATCH ? timeline->track_count
	                                                              : COMPETITORS_BATCH,
		.interrupts = interrupts,
		.cursor = interrupt_cursors_new(interrupts),
	};
	had_cpu_grow(had, timeline->track_count);
	competitors->stretch =
		xreallocarray(NULL, competitors->capacity, sizeof(*competitors->stretch));
	competitors->sorted =
		xreallocarray(NULL, competitors->capacity, sizeof(*competitors->sorted));
}

/* Sorts the stretches by CPU, and within a CPU in reverse order. */
static void competitors_sort(struct competitors *competitors)
{
	size_t begin = 0;

	free(competitors->first);
	competitors->first = xcalloc(competitors->cpu_count + 1, sizeof(*competitors->first));
	for (size_t i = 0; i < competitors->count; i++)
		competitors->first[competitors->stretch[i].cpu]++;
	/* counts become ends, and inserting each from the end makes them begins */
	for (size_t cpu = 0; cpu <= competitors->cpu_count; cpu++)
		begin = competitors->first[cpu] += begin;
	for (size_t i = 0; i < competitors->count; i++)
		competitors->sorted[--competitors->first[competitors->stretch[i].cpu]] =
			competitors->stretch[i];
	assert(competitors->first[0] == 0 &&
	       competitors->first[competitors->cpu_count] == competitors->count);
}

/* How far a track's runs are matched with the stretches: the CPU of the last run, and the
   position. */
struct competitor_sweep {
	size_t cpu; /* SIZE_MAX: it did not run yet */
	const struct cpu_stretch *at, *end; /* of that CPU; the first stretch that may contain the
	                                       next run */
};

/* Moves to the first stretch of that CPU that ends after t. */
static void sweep_to_cpu(const struct competitors *competitors, struct competitor_sweep *sweep,
                         uint16_t cpu, nsec_t t)
{
	const struct cpu_stretch *sorted = competitors->sorted;
	size_t low, high;

	*sweep = (struct competitor_sweep){.cpu = cpu};
	if (cpu >= competitors->cpu_count)
		return;
	low = competitors->first[cpu];
	high = competitors->first[cpu + 1];
	ASSUME(low <= high && high <= competitors->count);
	sweep->end = sorted + high;
	sweep->at = sweep->end;
	if (low < high)
		sweep->at = sorted + low + array_lower_bound_u64(&sorted[low].end, high - low,
		                                                 sizeof(*sorted), t + 1);
}

/* Counts the part of the run [begin, end) that the track had because a loan put its priority before
   that of the stretch. */
static void track_count_loans(struct competitors *competitors, const struct track *track,
                              int16_t priority, nsec_t begin, nsec_t end)
{
	size_t index = (size_t)(track - competitors->timeline->track);

	while (track->rank_count && begin < end) {
		struct rank rank = track_rank(track, begin);
		nsec_t until = nsec_min(rank.until, end);

		ASSUME(until > begin);
		if (rank_is_lent(&rank) && rank.priority <= priority && rank.own > priority)
			had_cpu_add_loan(competitors->had, index, until - begin, &rank);
		begin = until;
	}
}

/* Counts loans in the track's run [begin, end), in each stretch from the sweep's position on. */
static void sweep_count_loans(struct competitors *competitors, const struct competitor_sweep *sweep,
                              const struct track *track, nsec_t begin, nsec_t end)
{
	const struct cpu_stretch *stretch = sweep->at;

	for (; stretch < sweep->end && stretch->begin < end; stretch++)
		track_count_loans(competitors, track, stretch->priority,
		                  nsec_max(stretch->begin, begin), nsec_min(stretch->end, end));
}

/* Counts that the track, of that priority, had the CPU for so long while a task of priority
   `queued` stood in its queue. */
static inline void competitors_weigh(struct competitors *competitors, const struct track *track,
                                     int16_t priority, int16_t queued, nsec_t time)
{
	uint32_t index = (uint32_t)(track - competitors->timeline->track);

	if (priority == queued || priority == PRIORITY_UNKNOWN || queued == PRIORITY_UNKNOWN)
		return;
	if (queued < PRIORITY_FAIR_MIN && priority > queued)
		voter_vote(&competitors->had->outranked, index, time);
	else if (priority >= PRIORITY_FAIR_MIN && priority < queued)
		voter_vote(&competitors->had->heavier, index, time);
}

/* Returns for how many ns the track's run [begin, end) on that CPU overlaps with stretches of the
   CPU. */
static inline nsec_t sweep_overlap(struct competitors *competitors, struct competitor_sweep *sweep,
                                   const struct track *track, uint16_t cpu, nsec_t begin,
                                   nsec_t end)
{
	const struct cpu_stretch *stretch;
	int16_t priority = track->priority;
	nsec_t overlap = 0;

	if (sweep->cpu != cpu)
		sweep_to_cpu(competitors, sweep, cpu, begin);
	for (stretch = sweep->at; stretch < sweep->end && stretch->end <= begin; stretch++)
		;
	sweep->at = stretch;
	if (track->rank_count && stretch < sweep->end && stretch->begin < end)
		priority = track_rank(track, begin).priority;
	for (; stretch < sweep->end && stretch->begin < end; stretch++) {
		nsec_t time = nsec_min(stretch->end, end) - nsec_max(stretch->begin, begin);

		overlap += time;
		competitors_weigh(competitors, track, priority, stretch->priority, time);
	}
	if (track->rank)
		sweep_count_loans(competitors, sweep, track, begin, end);
	ASSUME(overlap <= end - begin); /* stretches of one CPU do not overlap */
	return overlap;
}

/* How long the track ran in the batch, which lies in [begin, end). */
static nsec_t track_overlap(struct competitors *competitors, struct track *track, nsec_t begin,
                            nsec_t end)
{
	struct competitor_sweep sweep = {SIZE_MAX, NULL, NULL};
	const struct segment *segment, *last;
	nsec_t overlap = 0;
	size_t at;

	if (track->segment_count == 0 || track->begin >= end || track->end <= begin)
		return 0;
	at = timeline_find(track, begin);
	segment = &track->segment[at == SIZE_MAX ? 0 : at];
	last = &track->segment[track->segment_count - 1];
	for (; segment <= last && segment->begin < end; segment++)
		if (segment->kind == SEGMENT_RUN)
			overlap += sweep_overlap(competitors, &sweep, track, segment->cpu,
			                         segment->begin,
			                         segment < last ? segment[1].begin : track->end);
	return overlap;
}

static __attribute__((noinline)) void competitors_resolve(struct competitors *competitors)
{
	struct timeline *timeline = competitors->timeline;
	nsec_t begin, end;

	if (competitors->count == 0)
		return;
	begin = competitors->stretch[competitors->count - 1].begin;
	end = competitors->stretch[0].end;
	assert(begin <= end && competitors->count <= competitors->capacity);
	competitors_sort(competitors);
	for (size_t index = 0; index < timeline->track_count; index++) {
		nsec_t run = track_overlap(competitors, &timeline->track[index], begin, end);

		competitors->had->by_track[index] += run;
		competitors->run += run;
	}
	competitors->count = 0;
	competitors->cpu_count = 0;
}

/* Adds a stretch to the batch, or a piece of one between interrupts. */
static inline void competitors_put(struct competitors *competitors, uint16_t cpu, nsec_t begin,
                                   nsec_t end, int16_t priority)
{
	assert(begin <= end && (competitors->count == 0 ||
	                        end <= competitors->stretch[competitors->count - 1].begin));
	if (competitors->count == competitors->capacity)
		competitors_resolve(competitors);
	competitors->stretch[competitors->count++] =
		(struct cpu_stretch){begin, end, cpu, priority};
	competitors->all += end - begin;
	if (cpu >= competitors->cpu_count)
		competitors->cpu_count = cpu + 1u;
}

void competitors_add(struct competitors *competitors, uint16_t cpu, nsec_t begin, nsec_t end,
                     int16_t priority)
{
	struct interrupt_cursor *cursor =
		cpu < competitors->interrupts->cpu_count ? &competitors->cursor[cpu] : NULL;
	struct had_cpu *had = competitors->had;

	had->all += end - begin;
	while (cursor && begin < end && interrupt_cursor_find(cursor, end) && cursor->end > begin) {
		nsec_t from = nsec_max(cursor->begin, begin), to = nsec_min(cursor->end, end);

		if (to < end)
			competitors_put(competitors, cpu, to, end, priority);
		had->interrupts += to - from;
		voter_vote(&had->interrupted_on, cpu, to - from);
		end = from;
	}
	if (begin < end)
		competitors_put(competitors, cpu, begin, end, priority);
}

void competitors_finish(struct competitors *competitors)
{
	competitors_resolve(competitors);
	assert(competitors->count == 0);
	/* after lost events two tasks may seem to have had one CPU */
	if (competitors->all > competitors->run)
		competitors->had->idle += competitors->all - competitors->run;
	free(competitors->stretch);
	free(competitors->sorted);
	free(competitors->first);
	free(competitors->cursor);
	*competitors = (struct competitors){0};
}
