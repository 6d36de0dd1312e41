/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cut_check.h"

#include <stdlib.h>
#include <string.h>

#include "base/text/buffer.h"
#include "base/xalloc.h"
#include "engine/pipeline.h"
#include "random.h"
#include "source/source.h"

struct cut_stream {
	struct record_batch batch; /* of the inner source */
	size_t at;                 /* records of it that were given */
	unsigned left;             /* records until the next heartbeat */
	nsec_t last;               /* time of the last record given */
	bool is_over;
	struct record beat;
};

struct cut_source {
	struct source source; /* first: ops cast it back */
	struct source *inner;
	struct cut_stream *streams;
	struct random random;
	uint64_t heartbeats;
};

/* From 1 to CUT_RECORDS_MAX, as often below 10 as above 500. */
static unsigned cut_length(struct random *random)
{
	static const unsigned limits[] = {1, 10, 70, 500, CUT_RECORDS_MAX};

	return 1 + random_below(random, limits[random_below(random, 5)]);
}

/* Damage is found while it is read. */
static void cut_take_notes(struct cut_source *cut)
{
	cut->source.health = cut->inner->health;
}

static bool cut_fill(struct cut_source *cut, size_t index)
{
	struct cut_stream *stream = &cut->streams[index];

	if (stream->is_over || stream->at < stream->batch.count)
		return !stream->is_over;
	stream->is_over = source_next_batch(cut->inner, index, &stream->batch) == PULL_END;
	stream->at = 0;
	cut_take_notes(cut);
	return !stream->is_over;
}

/* At a time between the last record and the next one. */
static void cut_beat(struct cut_source *cut, struct cut_stream *stream, struct record_batch *ret)
{
	nsec_t next = stream->is_over ? stream->last + 1000
	                              : stream->batch.records[stream->at].time;
	nsec_t room = next > stream->last ? next - stream->last : 0;

	stream->beat = (struct record){.time = stream->last};
	/* as often at either end as between them */
	if (random_below(&cut->random, 2))
		stream->beat.time += random_below(&cut->random, 2)
		                             ? room
		                             : random_next(&cut->random) % (room + 1);
	*ret = (struct record_batch){.records = &stream->beat, .count = 1};
	stream->left = cut_length(&cut->random);
	cut->heartbeats++;
}

static enum pull cut_next_batch(struct source *source, size_t index, struct record_batch *ret)
{
	struct cut_source *cut = (struct cut_source *)source;
	struct cut_stream *stream = &cut->streams[index];
	bool was_over = stream->is_over, is_more = cut_fill(cut, index);
	size_t begin = stream->at, count;
	/* a loss is reported where it is noticed: at the heartbeat, if one comes before */
	bool may_beat = begin > 0 || !stream->batch.lost_events;

	*ret = (struct record_batch){0};
	if (was_over || (!is_more && !may_beat)) {
		ret->lost_events = stream->batch.lost_events;
		return PULL_END;
	}
	if (!is_more || (stream->left == 0 && may_beat)) {
		cut_beat(cut, stream, ret);
		return PULL_ITEM;
	}
	count = stream->batch.count - begin;
	if (stream->left == 0)
		stream->left = 1;
	if (count > stream->left)
		count = stream->left;
	ret->records = stream->batch.records + begin;
	ret->count = count;
	ret->lost_events = begin > 0 ? 0 : stream->batch.lost_events;
	stream->at += count;
	stream->left -= (unsigned)count;
	stream->last = ret->records[count - 1].time;
	return PULL_ITEM;
}

static int64_t cut_read_symbols(struct source *source, uint64_t offset, char *to, size_t size)
{
	return source_read_symbols(((struct cut_source *)source)->inner, offset, to, size);
}

static const struct source_ops cut_ops = {
	.name = "cut",
	.next_batch = cut_next_batch,
	.read_symbols = cut_read_symbols,
};

static void cut_begin(struct cut_source *cut, struct source *inner, uint64_t seed)
{
	*cut = (struct cut_source){.source = *inner, .inner = inner, .random = {seed}};
	cut->source.ops = &cut_ops;
	cut->streams = xcalloc(inner->stream_count, sizeof(*cut->streams));
	for (size_t i = 0; i < inner->stream_count; i++)
		cut->streams[i].left = random_below(&cut->random, 3);
}

/* What comes out of the engine, as sums. */
struct understood {
	uint64_t spans, intervals, health;
	const struct timeline *timeline;
};

static void add(uint64_t *sum, uint64_t value)
{
	*sum = (*sum ^ value) * UINT64_C(0x9e3779b97f4a7c15);
	*sum ^= *sum >> 29;
}

static void add_text(uint64_t *sum, const char *text)
{
	for (; *text; text++)
		add(sum, (unsigned char)*text);
	add(sum, 0);
}

static void on_span(void *state, const struct span *span)
{
	struct understood *understood = state;
	uint64_t *sum = &understood->spans;
	const struct cause_note *cause = span->cause;

	add(sum, span->track);
	add(sum, span->begin);
	add(sum, span->end);
	add(sum, span->kind);
	add(sum, span->detail);
	add(sum, span->cpu);
	add(sum, (uint64_t)span->is_open << 1 | span->is_doubtful);
	if (!cause)
		return;
	add(sum, cause->kind);
	add(sum, cause->waker);
	add(sum, cause->originator);
	add(sum, cause->origin);
	add(sum, cause->confidence);
	add_text(sum, intern_text(&understood->timeline->names, cause->name));
}

static void on_interval(void *state, const struct interval *interval)
{
	struct understood *understood = state;
	uint64_t *sum = &understood->intervals;

	add(sum, interval->kind);
	add(sum, interval->cpu);
	add(sum, interval->begin);
	add(sum, interval->end);
	for (size_t i = 0; i < PHASE_COUNT; i++)
		add(sum, interval->phase[i]);
	add(sum, (uint64_t)interval->is_open << 1 | interval->is_doubtful);
	add(sum, interval->task);
	add(sum, interval->other);
}

static uint64_t health_sum(const struct health *health)
{
	const uint64_t numbers[] = {
		health->events, health->events_lost, health->gap_count, health->gaps_unlisted,
		health->undecoded_events, health->late_events, health->wakes_spurious,
		health->waits_without_waker, health->context_resyncs, health->inconsistencies,
		health->switches_missing, health->objects_forgotten, health->idle_with_runnable,
		health->open_waits, health->unknown_ns, health->task_ns, health->explained_ns,
		health->unseen_ns, health->input_damaged, health->note_count,
	};
	uint64_t sum = 1;

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		add(&sum, numbers[i]);
	for (size_t i = 0; i < health->gap_count; i++) {
		add(&sum, health->gaps[i].cpu);
		add(&sum, health->gaps[i].events);
		add(&sum, health->gaps[i].begin);
		add(&sum, health->gaps[i].end);
	}
	for (size_t i = 0; i < health->note_count; i++)
		add_text(&sum, health->notes[i]);
	return sum;
}

static struct understood understand(struct source *source, bool reads_ahead)
{
	struct timeline timeline;
	struct health health = {0};
	struct understood understood = {.spans = 1, .intervals = 1, .timeline = &timeline};
	const struct span_sink spans = {.on_span = on_span, .state = &understood};
	const struct interval_sink intervals = {on_interval, &understood, INTERVAL_MASK_ALL};
	const struct pipeline pipeline = {
		.source = source,
		.reads_ahead = reads_ahead,
		.timeline = &timeline,
		.health = &health,
		.sinks = &spans,
		.sink_count = 1,
		.interval_sinks = &intervals,
		.interval_sink_count = 1,
	};

	timeline_init(&timeline, true);
	(void)pipeline_run(&pipeline);
	understood.health = health_sum(&health);
	add(&understood.health, timeline.begin);
	add(&understood.health, timeline.end);
	timeline_release(&timeline);
	health_release(&health);
	return understood;
}

const char *cut_check(const char *path, uint64_t seed, uint64_t *heartbeats)
{
	struct understood whole, pieces;
	struct source *source = NULL;
	struct cut_source cut;
	struct buffer why;
	int r;

	buffer_init(&why, BUFFER_LIMIT_DEFAULT);
	r = source_open(path, &source, &why);
	if (r == 0) {
		whole = understand(source, false);
		source = source_close(source);
		buffer_clear(&why);
		r = source_open(path, &source, &why);
	}
	buffer_release(&why);
	if (r < 0)
		return NULL;
	cut_begin(&cut, source, seed);
	pieces = understand(&cut.source, seed % 2);
	*heartbeats += cut.heartbeats;
	free(cut.streams);
	(void)source_close(source);
	if (pieces.spans != whole.spans)
		return "other spans";
	if (pieces.intervals != whole.intervals)
		return "other intervals";
	return pieces.health != whole.health ? "another health" : NULL;
}
