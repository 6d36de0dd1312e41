/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kept_run.h"

#include <stdlib.h>
#include <string.h>

#include "base/data/array.h"
#include "base/xalloc.h"
#include "pipeline.h"

/* In the log, instead of a track: an interval was emitted. */
#define LOG_INTERVAL UINT32_MAX

#define CHUNK_BYTES (1u << 20)

struct interval_chunk {
	char *bytes;
	size_t used;
};

struct kept_run {
	struct report_run run; /* without views */
	/* By the order in which they were emitted: the tracks of spans, each the next segment of
	   that track, and LOG_INTERVAL. */
	uint32_t *log;
	size_t log_count, log_capacity;
	struct interval_chunk *chunk;
	size_t chunk_count, chunk_capacity;
	size_t interval_bytes, bytes_max;
	uint32_t interval_kinds; /* INTERVAL_MASK()s of those that came */
	bool lacks_intervals; /* they were too many: only views that take none of these can be
	                         answered */
	bool is_too_large;
};

/* Of what may be kept, intervals get that part: some recordings have one for each system call. */
#define INTERVALS_DIVISOR 2

static void log_add(struct kept_run *kept, uint32_t entry)
{
	ARRAY_ADD(kept->log, kept->log_count, kept->log_capacity) = entry;
}

static void kept_on_span(void *state, const struct span *span)
{
	log_add(state, span->track);
}

/* Room for so many bytes, behind those of the intervals before. */
static char *intervals_room(struct kept_run *kept, size_t bytes)
{
	struct interval_chunk *last;
	char *room;

	if (kept->chunk_count == 0 ||
	    kept->chunk[kept->chunk_count - 1].used + bytes > CHUNK_BYTES)
		ARRAY_ADD(kept->chunk, kept->chunk_count, kept->chunk_capacity) =
			(struct interval_chunk){
				.bytes = xmalloc(bytes > CHUNK_BYTES ? bytes : CHUNK_BYTES)};
	last = &kept->chunk[kept->chunk_count - 1];
	room = last->bytes + last->used;
	last->used += bytes;
	kept->interval_bytes += bytes;
	return room;
}

/* All of what an interval points to is kept behind it, so many bytes. */
static size_t borrowed_bytes(const struct interval *interval, const void **ret)
{
	*ret = NULL;
	if (interval->kind == INTERVAL_SYSCALL && interval->syscall.waiting) {
		*ret = interval->syscall.waiting;
		return CAUSE_KIND_COUNT * sizeof(*interval->syscall.waiting);
	}
	if (interval->kind == INTERVAL_MARK) {
		*ret = interval->mark.text.at;
		return interval->mark.text.length;
	}
	return 0;
}

static size_t aligned(size_t bytes)
{
	return (bytes + _Alignof(struct interval) - 1) & ~(_Alignof(struct interval) - 1);
}

static void intervals_drop(struct kept_run *kept)
{
	for (size_t i = 0; i < kept->chunk_count; i++)
		free(kept->chunk[i].bytes);
	kept->chunk_count = kept->interval_bytes = 0;
}

static void kept_on_interval(void *state, const struct interval *interval)
{
	struct kept_run *kept = state;
	const void *borrowed;
	size_t more = borrowed_bytes(interval, &borrowed);
	char *room;

	kept->interval_kinds |= INTERVAL_MASK(interval->kind);
	if (kept->lacks_intervals)
		return;
	if (kept->interval_bytes > kept->bytes_max / INTERVALS_DIVISOR) {
		kept->lacks_intervals = true;
		intervals_drop(kept);
		return;
	}
	room = intervals_room(kept, sizeof(*interval) + aligned(more));
	memcpy(room, interval, sizeof(*interval));
	if (more)
		memcpy(room + sizeof(*interval), borrowed, more);
	log_add(kept, LOG_INTERVAL);
}

size_t kept_run_bytes(const struct kept_run *kept)
{
	return kept->log_count * sizeof(*kept->log) + kept->interval_bytes +
	       kept->run.timeline.bytes;
}

/* Reading a recording that is too large to be kept is pointless. */
static bool kept_goes_on(void *state, uint64_t events)
{
	struct kept_run *kept = state;

	(void)events;
	kept->is_too_large = kept_run_bytes(kept) > kept->bytes_max;
	return !kept->is_too_large;
}

struct kept_run *kept_run_read(struct loaded *loaded, size_t bytes_max)
{
	static const struct asked everything = ASKED_EVERYTHING;
	struct kept_run *kept = xcalloc(1, sizeof(*kept));
	const struct span_sink spans = {.on_span = kept_on_span, .state = kept};

	kept->bytes_max = bytes_max;
	report_run_init(&kept->run, loaded, &everything);
	kept->run.on_progress = kept_goes_on;
	kept->run.progress_state = kept;
	kept->run.interval_sink[kept->run.interval_sink_count++] = (struct interval_sink){
		.on_interval = kept_on_interval, .state = kept, .kinds = INTERVAL_MASK_ALL};
	report_run_feed(&kept->run, &spans, 1);
	(void)kept_goes_on(kept, 0);
	return kept->is_too_large ? kept_run_free(kept) : kept;
}

struct kept_run *kept_run_free(struct kept_run *kept)
{
	if (!kept)
		return NULL;
	report_run_release(&kept->run);
	intervals_drop(kept);
	free(kept->chunk);
	free(kept->log);
	free(kept);
	return NULL;
}

bool kept_run_can_answer(const struct kept_run *kept, const struct report_run *run)
{
	return !run->exporting.exporter && !run->put_cause_step &&
	       !(kept->lacks_intervals &&
	         kept->interval_kinds & report_run_interval_kinds(run)) &&
	       report_run_fits_kept(run, kept->run.timeline.bytes);
}

/* The intervals, one after the other. */
struct interval_reading {
	const struct kept_run *kept;
	size_t chunk, at;
};

static struct interval interval_next(struct interval_reading *reading)
{
	const struct interval_chunk *chunk = &reading->kept->chunk[reading->chunk];
	struct interval interval;
	const void *borrowed;
	size_t more;

	if (reading->at == chunk->used) {
		chunk++;
		reading->chunk++;
		reading->at = 0;
	}
	memcpy(&interval, chunk->bytes + reading->at, sizeof(interval));
	more = borrowed_bytes(&interval, &borrowed);
	reading->at += sizeof(interval);
	if (more && interval.kind == INTERVAL_SYSCALL)
		interval.syscall.waiting = (const void *)(chunk->bytes + reading->at);
	else if (more)
		interval.mark.text.at = chunk->bytes + reading->at;
	reading->at += aligned(more);
	return interval;
}

static void span_pass(const struct span_sink *sinks, size_t count, const struct span *span)
{
	for (size_t i = 0; i < count; i++)
		if (sinks[i].kinds == 0 || sinks[i].kinds & 1u << span->kind)
			sinks[i].on_span(sinks[i].state, span);
}

static void interval_pass(const struct report_run *run, const struct interval *interval)
{
	for (size_t i = 0; i < run->interval_sink_count; i++)
		if (run->interval_sink[i].kinds & INTERVAL_MASK(interval->kind))
			run->interval_sink[i].on_interval(run->interval_sink[i].state, interval);
}

void kept_run_answer(struct kept_run *kept, struct report_run *run)
{
	const struct timeline *timeline = &kept->run.timeline;
	/* by track: its next segment */
	size_t *at = xcalloc(timeline->track_count + 1, sizeof(*at));
	struct interval_reading reading = {.kept = kept};
	struct span_sink sinks[REPORT_VIEWS_MAX + 1];
	size_t count;

	report_run_borrow(run, &kept->run.timeline);
	/* as if the run had read it: what it would not have kept, it does not know */
	kept->run.timeline.keep_segments = report_run_likes_history(run);
	count = report_run_begin(run, sinks);
	for (size_t i = 0; i < kept->log_count; i++) {
		uint32_t track = kept->log[i];

		if (track == LOG_INTERVAL && !kept->lacks_intervals) {
			const struct interval interval = interval_next(&reading);

			interval_pass(run, &interval);
		} else if (track != LOG_INTERVAL) {
			const struct span span = timeline_span(timeline, track, at[track]++);

			if (count)
				span_pass(sinks, count, &span);
		}
	}
	free(at);
	health_release(&run->health);
	health_copy(&run->health, &kept->run.health);
	run->resolved.seen = kept->run.resolved.seen;
	run->resolved.described = kept->run.resolved.described;
	run->resolved.recorded = kept->run.resolved.recorded;
	report_run_end(run);
}
