/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "timeline.h"

#include <assert.h>
#include <stdlib.h>

#include "base/array.h"

void timeline_init(struct timeline *timeline, bool keep_segments)
{
	*timeline = (struct timeline){.keep_segments = keep_segments};
	map_init(&timeline->cause_by_hash);
	intern_init(&timeline->names);
}

void timeline_release(struct timeline *timeline)
{
	for (size_t i = 0; i < timeline->line_count; i++) {
		free(timeline->line[i].segment);
		free(timeline->line[i].place);
		free(timeline->line[i].spurious_wakeup);
		free(timeline->line[i].name);
		line_release_memory(&timeline->line[i]);
	}
	free(timeline->line);
	for (size_t i = 0; i < timeline->side_count; i++)
		free(timeline->side[i]);
	free(timeline->side);
	free(timeline->poll);
	free(timeline->cause);
	map_release(&timeline->cause_by_hash);
	intern_release(&timeline->names);
	*timeline = (struct timeline){0};
}

/* Frees all segments and causes; keep_segments is false then. */
static void timeline_drop_history(struct timeline *timeline)
{
	for (size_t i = 0; i < timeline->line_count; i++) {
		struct line *line = &timeline->line[i];

		free(line->segment);
		line->segment = NULL;
		line->segment_count = 0;
		line->segment_capacity = 0;
		free(line->place);
		line->place = NULL;
		line->place_count = 0;
		line->place_capacity = 0;
		line_drop_memory(line);
	}
	free(timeline->cause);
	timeline->cause = NULL;
	timeline->cause_count = 0;
	timeline->cause_capacity = 0;
	timeline->segment_count = 0;
	timeline->place_count = 0;
	timeline->stretch_count = 0;
	map_clear(&timeline->cause_by_hash);
	timeline->keep_segments = false;
}

uint32_t timeline_add_line(struct timeline *timeline, int32_t tid)
{
	if (timeline->line_count >= LINES_MAX)
		return LINE_NONE;
	ARRAY_GROW(timeline->line, timeline->line_count, timeline->line_capacity);
	timeline->line[timeline->line_count] = (struct line){
		.tid = tid,
		.tgid = -1,
		.priority = PRIORITY_UNKNOWN,
		.parent = LINE_NONE,
		.born = NSEC_NEVER,
		.begin = NSEC_NEVER,
		.walk_frame = LINE_NONE,
	};
	return (uint32_t)timeline->line_count++;
}

void timeline_add_name(struct timeline *timeline, uint32_t index, nsec_t time, const char *name,
                       size_t length)
{
	struct line *line = &timeline->line[index];
	uint32_t id = intern_add(&timeline->names, name, length);

	if (line->name_count && line->name[line->name_count - 1].name == id)
		return;
	/* nearly all have one for ever */
	ARRAY_GROW_FROM(line->name, line->name_count, line->name_capacity, 1);
	line->name[line->name_count++] = (struct name_change){time, id};
}

/* Of what notes differ in, where nothing in them happened at a time of its own. */
static uint64_t cause_hash(const struct cause_note *note)
{
	uint64_t kind = (uint64_t)note->memory << 13 | (uint64_t)note->kind << 8;

	return ((uint64_t)note->waker << 32 | note->name) * 0x9e3779b97f4a7c15u ^
	       ((uint64_t)(uint32_t)note->number << 32 | note->detail) * 0xff51afd7ed558ccdu ^
	       ((uint64_t)note->originator << 16 | kind | (uint64_t)note->call << 48 |
	        (uint64_t)note->is_unanswered << 56 | (uint64_t)note->is_held_back << 57 |
	        (uint64_t)note->confidence << 2 | (uint64_t)note->is_own << 1 | note->is_walked) *
	               0xc4ceb9fe1a85ec53u;
}

/* Member by member: what fills the gaps between them is not told. */
static bool cause_is_same(const struct cause_note *a, const struct cause_note *b)
{
	return a->kind == b->kind && a->name == b->name && a->waker == b->waker &&
	       a->originator == b->originator && a->number == b->number &&
	       a->detail == b->detail && a->memory == b->memory && a->call == b->call &&
	       a->confidence == b->confidence &&
	       a->is_own == b->is_own && a->is_walked == b->is_walked &&
	       a->is_delay == b->is_delay && a->is_unanswered == b->is_unanswered &&
	       a->is_held_back == b->is_held_back &&
	       a->origin == b->origin && a->object == b->object && a->dev == b->dev &&
	       a->bytes == b->bytes && a->raised_before == b->raised_before &&
	       a->entered_before == b->entered_before && a->queue_time == b->queue_time &&
	       a->device_time == b->device_time && a->wake_time == b->wake_time &&
	       a->delay_name == b->delay_name && a->delay_vector == b->delay_vector;
}

/* Equal notes share an index; a hash that is taken by another note only costs a second copy. */
static uint32_t timeline_add_cause(struct timeline *timeline, const struct cause_note *note)
{
	bool may_come_again =
		note->origin == NSEC_NEVER && note->object == 0 && note->raised_before == 0;
	uint64_t hash = 0;
	uint32_t known;

	if (may_come_again) {
		hash = cause_hash(note);
		known = map_get(&timeline->cause_by_hash, hash);
		if (known != MAP_NONE &&
		    cause_is_same(&timeline->cause[known], note))
			return known;
	}
	if (timeline->cause_count >= CAUSE_NONE - 1)
		return CAUSE_NONE;
	ARRAY_GROW(timeline->cause, timeline->cause_count, timeline->cause_capacity);
	timeline->cause[timeline->cause_count] = *note;
	if (may_come_again)
		map_put(&timeline->cause_by_hash, hash, (uint32_t)timeline->cause_count);
	return (uint32_t)timeline->cause_count++;
}

uint32_t timeline_note_cause(struct timeline *timeline, const struct cause_note *note)
{
	return timeline->keep_segments ? timeline_add_cause(timeline, note) : CAUSE_NONE;
}

/* Of the segment that is added next. */
static void timeline_add_place(struct timeline *timeline, struct line *line,
                               const struct sleep_place *place)
{
	ARRAY_GROW(line->place, line->place_count, line->place_capacity);
	line->place[line->place_count++] =
		(struct segment_place){(uint32_t)line->segment_count, *place};
	timeline->place_count++;
}

const struct sleep_place *timeline_place(const struct line *line, size_t segment)
{
	size_t at = array_lower_bound(line->place, line->place_count, sizeof(*line->place),
	                              (uint32_t)segment);

	return at < line->place_count && line->place[at].segment == segment ? &line->place[at].place
	                                                                    : NULL;
}

void timeline_add_span(struct timeline *timeline, const struct span *span)
{
	struct line *line = &timeline->line[span->line];

	assert(span->begin <= span->end);
	assert(line->begin == NSEC_NEVER || span->begin == line->end);
	if (line->begin == NSEC_NEVER)
		line->begin = span->begin;
	line->end = span->end;
	line->is_open = span->is_open;
	if (!timeline->keep_segments)
		return;
	timeline->segment_count++;
	if (timeline->bytes_max &&
	    timeline->segment_count * sizeof(struct segment) +
	                    timeline->cause_count * sizeof(struct cause_note) +
	                    timeline->place_count * sizeof(struct segment_place) +
	                    timeline->stretch_count * sizeof(struct memory_stretch) >
	            timeline->bytes_max) {
		timeline_drop_history(timeline);
		return;
	}
	if (span->place.frames || span->place.io_wait)
		timeline_add_place(timeline, line, &span->place);
	ARRAY_GROW_FROM(line->segment, line->segment_count, line->segment_capacity, 3);
	line->segment[line->segment_count++] = (struct segment){
		.begin = span->begin,
		.cause = span->cause ? timeline_add_cause(timeline, span->cause) : CAUSE_NONE,
		.kind = (unsigned)span->kind & 0x3fu,
		.is_quiet = span->is_quiet,
		.is_again = span->is_again,
		.detail = span->detail,
		.cpu = (unsigned)span->cpu & 0x7fffu,
		.is_doubtful = span->is_doubtful,
	};
}

nsec_t timeline_segment_end(const struct line *line, size_t segment)
{
	return segment + 1 < line->segment_count ? line->segment[segment + 1].begin : line->end;
}

/*
 * Gallops from where the last search ended: walks go back step by step, through the line of a waker
 * a few segments at a time. Between the steps segment[low] begins before t, segment[high] does not.
 */
size_t timeline_find(struct line *line, nsec_t t)
{
	const struct segment *segment = line->segment;
	size_t low = 0, high = line->segment_count, at = line->hint, step = 1;

	if (high == 0 || segment[0].begin >= t)
		return SIZE_MAX;
	if (at < high && segment[at].begin < t) {
		for (low = at; low + step < high && segment[low + step].begin < t; step *= 2)
			low += step;
		high = low + step < high ? low + step : high;
	} else if (at < high) {
		for (high = at; step < high && segment[high - step].begin >= t; step *= 2)
			high -= step;
		low = step < high ? high - step : 0;
	}
	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (segment[middle].begin < t)
			low = middle;
		else
			high = middle;
	}
	return line->hint = low;
}

uint32_t timeline_name_at(const struct line *line, nsec_t time)
{
	uint32_t low = 0, high = line->name_count;

	if (high == 0)
		return 0;
	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;

		if (line->name[middle].time <= time)
			low = middle;
		else
			high = middle;
	}
	return line->name[low].name;
}

struct task timeline_task(const struct timeline *timeline, uint32_t index, nsec_t time)
{
	const struct line *line = &timeline->line[index];

	return (struct task){
		.tid = line->tid,
		.tgid = line->tgid,
		.comm = intern_text(&timeline->names, timeline_name_at(line, time)),
	};
}

struct cause_identity cause_note_identity(const struct cause_note *note)
{
	enum cause_kind kind = (enum cause_kind)note->kind;
	struct cause_identity identity = {
		.name = kind == CAUSE_MEMORY || note->is_unanswered ? note->detail : note->name,
	};

	if (kind == CAUSE_RCU) /* a grace period is one, whoever tells of its end */
		identity.name = 0;
	if (kind == CAUSE_DISK)
		identity.which = note->dev;
	else if (kind == CAUSE_IRQ || kind == CAUSE_SIGNAL || kind == CAUSE_SOFTIRQ)
		identity.which = (uint32_t)note->number;
	else if (kind == CAUSE_TIMER)
		identity.which = note->call;
	return identity;
}

static const char *name_or_null(const struct timeline *timeline, uint32_t name)
{
	return name ? intern_text(&timeline->names, name) : NULL;
}

static nsec_t time_or_never(uint32_t time)
{
	return time == TIME_UNKNOWN ? NSEC_NEVER : time;
}

struct cause timeline_cause(const struct timeline *timeline, const struct cause_note *note,
                            nsec_t time)
{
	struct cause cause = {
		.kind = (enum cause_kind)note->kind,
		.confidence = (enum confidence)note->confidence,
		.name = note->kind == CAUSE_RCU ? NULL : name_or_null(timeline, note->name),
		.has_waker = note->waker != LINE_NONE,
		.has_originator = note->originator != LINE_NONE,
		.origin = note->origin,
		.is_own = note->is_own,
		.is_unanswered = note->is_unanswered,
		.retransmits = note->is_unanswered ? (uint32_t)note->object : 0,
		.call = note->kind == CAUSE_TIMER ? (enum sleep_call)note->call : CALL_NONE,
		.is_delay = note->is_delay,
		.is_held_back = note->is_held_back,
		.dev = note->dev,
		.sector = note->kind == CAUSE_DISK ? note->object : 0,
		.bytes = note->bytes,
		.peer = note->kind == CAUSE_NET ? name_or_null(timeline, note->detail) : NULL,
		.local_port = note->kind == CAUSE_NET ? (uint16_t)note->number : 0,
		.rwbs = note->kind == CAUSE_DISK ? name_or_null(timeline, note->detail) : NULL,
		.what = note->kind == CAUSE_MEMORY ? name_or_null(timeline, note->detail)
		                                   : memory_what_name(note->memory),
		.number = note->number,
		.queue_time = time_or_never(note->queue_time),
		.device_time = time_or_never(note->device_time),
		.wake_time = time_or_never(note->wake_time),
		/* of a futex too: then a task ended the wait */
		.address = note->kind == CAUSE_LOCK || note->kind == CAUSE_TASK ? note->object : 0,
		.flags = note->kind == CAUSE_LOCK ? (uint32_t)note->number : 0,
	};

	if (cause.has_waker)
		cause.waker = timeline_task(timeline, note->waker, time);
	if (cause.has_originator)
		cause.originator = timeline_task(timeline, note->originator,
		                                 nsec_min(note->origin, time));
	return cause;
}

static const struct cause_note *timeline_side_note(struct timeline *timeline,
                                                   const struct cause_note *wanted)
{
	struct cause_note *note;

	/* there are as many as work functions: the one asked for last is asked for again */
	for (size_t i = timeline->side_count; i-- > 0;)
		if (cause_is_same(timeline->side[i], wanted))
			return timeline->side[i];
	/* NOLINTNEXTLINE: pointers are meant */
	ARRAY_GROW(timeline->side, timeline->side_count, timeline->side_capacity);
	note = xmalloc(sizeof(*note));
	*note = *wanted;
	return timeline->side[timeline->side_count++] = note;
}

const struct cause_note *timeline_side_cause(struct timeline *timeline, enum cause_kind kind,
                                             uint32_t name, int32_t number)
{
	struct cause_note note;

	cause_note_init(&note, kind, CONFIDENCE_HIGH);
	note.name = name;
	note.number = number;
	note.is_delay = kind == CAUSE_SOFTIRQ;
	return timeline_side_note(timeline, &note);
}

const struct cause_note *timeline_side_disk(struct timeline *timeline, uint32_t dev,
                                            bool is_held_back)
{
	struct cause_note note;

	cause_note_init(&note, CAUSE_DISK, CONFIDENCE_HIGH);
	note.dev = dev;
	note.is_held_back = is_held_back;
	return timeline_side_note(timeline, &note);
}

uint64_t timeline_cause_number(const struct timeline *timeline, const struct cause_note *note)
{
	size_t side = timeline->side_count;

	if (timeline->cause_count && note >= timeline->cause &&
	    note < timeline->cause + timeline->cause_count)
		return (uint64_t)(note - timeline->cause) << 1;
	while (side > 0 && timeline->side[side - 1] != note)
		side--;
	assert(side > 0);
	return (uint64_t)(side - 1) << 1 | 1;
}

const struct cause_note *timeline_cause_of_number(const struct timeline *timeline, uint64_t number)
{
	return number & 1 ? timeline->side[number >> 1] : &timeline->cause[number >> 1];
}
