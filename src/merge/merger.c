/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "merger.h"

#include <assert.h>
#include <stdlib.h>

#include "base/data/heap.h"
#include "base/xalloc.h"

struct stream_cursor {
	const struct record *at, *end; /* of the batch; `at`: the next one to return */
	uint64_t lost_events; /* before the batch */
	nsec_t last;          /* time of the last record before the batch; heartbeats are none */
	bool has_last;
	bool is_over;         /* there is no further batch */
	bool is_at_mark;      /* the next one is a heartbeat, or the loss before the batch has not
	                         been returned yet */
};

/* Up to this many streams the heap is a sorted list: moving past one head after another is cheaper
   than choosing between children. */
#define SORTED_MAX 16

/* The heap's elements carry their key, so that sifting touches nothing else. */
struct head {
	nsec_t time;
	uint32_t cpu;
	uint32_t stream;
};

struct merger {
	struct source *source;
	struct stream_cursor *cursor; /* by stream */
	struct head *heap;
	size_t heap_count; /* heap[0] is the stream that gave the last run */
	bool is_sorted;
};

static bool head_is_before(const struct head *a, const struct head *b)
{
	if (a->time != b->time)
		return a->time < b->time;
	if (a->cpu != b->cpu)
		return a->cpu < b->cpu;
	return a->stream < b->stream;
}

static void merger_sift_down(struct merger *merger, size_t at)
{
	HEAP_SIFT_DOWN(merger->heap, merger->heap_count, at, head_is_before);
}

static inline void merger_insert(struct merger *merger, size_t at)
{
	struct head *to = &merger->heap[at];
	const struct head *last = &merger->heap[merger->heap_count - 1];
	struct head moved = *to;

	for (; to < last && to[1].time <= moved.time; to++) {
		if (to[1].time == moved.time && !head_is_before(to + 1, &moved))
			break;
		to[0] = to[1];
	}
	*to = moved;
}

/* The head at that place may belong further back; those behind it are in order. */
static inline void merger_settle(struct merger *merger, size_t at)
{
	if (merger->is_sorted)
		merger_insert(merger, at);
	else
		merger_sift_down(merger, at);
}

/* Stands for the record that is missing behind a loss at the end of a stream. */
static const struct record end_mark = {.time = NSEC_NEVER};

/* Gets the stream's next batch, once its last one is used up; false at its end. */
static bool merger_fill(struct merger *merger, uint32_t stream)
{
	struct stream_cursor *cursor = &merger->cursor[stream];
	struct record_batch batch;

	if (cursor->end && !record_is_heartbeat(&cursor->end[-1])) {
		cursor->last = cursor->end[-1].time;
		cursor->has_last = true;
	}
	if (cursor->is_over)
		return false;
	if (source_next_batch(merger->source, stream, &batch) != PULL_ITEM) {
		cursor->is_over = true;
		if (!batch.lost_events)
			return false;
		batch.records = &end_mark;
		batch.count = 1;
	}
	assert(batch.count > 0);
	assert(!record_is_heartbeat(batch.records) ||
	       (batch.count == 1 && (cursor->is_over || !batch.lost_events)));
	cursor->at = batch.records;
	cursor->end = batch.records + batch.count;
	cursor->lost_events = batch.lost_events;
	cursor->is_at_mark = batch.lost_events != 0 || record_is_heartbeat(batch.records);
	return true;
}

/* The loss before the batch is to be returned. One test where there is none, as mostly. */
static inline bool cursor_is_at_gap(const struct stream_cursor *cursor)
{
	return cursor->is_at_mark && (!record_is_heartbeat(cursor->at) || cursor->is_over);
}

struct merger *merger_new(struct source *source)
{
	struct merger *merger = xcalloc(1, sizeof(*merger));

	merger->source = source;
	merger->cursor = xcalloc(source->stream_count, sizeof(*merger->cursor));
	merger->heap = xcalloc(source->stream_count, sizeof(*merger->heap));
	for (size_t stream = 0; stream < source->stream_count; stream++) {
		if (!merger_fill(merger, (uint32_t)stream))
			continue;
		merger->heap[merger->heap_count++] = (struct head){
			/* of a stream that has nothing but a loss, that comes first */
			.time = merger->cursor[stream].is_over ? 0
			                                       : merger->cursor[stream].at->time,
			.cpu = source->streams[stream].cpu,
			.stream = (uint32_t)stream,
		};
	}
	merger->is_sorted = merger->heap_count <= SORTED_MAX;
	for (size_t at = merger->heap_count; at-- > 0;)
		merger_settle(merger, at);
	return merger;
}

struct merger *merger_free(struct merger *merger)
{
	if (!merger)
		return NULL;
	free(merger->cursor);
	free(merger->heap);
	free(merger);
	return NULL;
}

/* Moves the stream that gave the last run to the place of its next record; returns the cursor of
   the stream that is on top then; NULL: none has more. */
static inline struct stream_cursor *merger_advance(struct merger *merger)
{
	struct head *top = &merger->heap[0];
	struct stream_cursor *cursor;

	if (merger->heap_count == 0)
		return NULL;
	cursor = &merger->cursor[top->stream];
	if (cursor->at < cursor->end || merger_fill(merger, top->stream)) {
		/* A loss is returned at once: its head stays on top for one more call. */
		if (cursor_is_at_gap(cursor))
			return cursor;
		top->time = cursor->at->time;
	} else {
		*top = merger->heap[--merger->heap_count];
		if (merger->heap_count == 0)
			return NULL;
	}
	merger_settle(merger, 0);
	return &merger->cursor[top->stream];
}

static void merger_emit_gap(struct merger *merger, struct stream_cursor *cursor,
                            struct merged_run *ret)
{
	struct head *top = &merger->heap[0];

	*ret = (struct merged_run){
		.cpu = top->cpu,
		.stream = top->stream,
		.lost_events = cursor->lost_events,
		.is_first = !cursor->has_last,
		.lost_begin = cursor->has_last ? cursor->last : 0,
		.lost_end = cursor->at->time,
	};
	cursor->is_at_mark = false;
	if (cursor->is_over) {
		cursor->at = cursor->end;
		return;
	}
	top->time = cursor->at->time;
	merger_settle(merger, 0);
}

/* The earliest head except the top; NULL: there is none. */
static const struct head *merger_second(const struct merger *merger)
{
	if (merger->heap_count < 2)
		return NULL;
	if (!merger->is_sorted && merger->heap_count > 2 &&
	    head_is_before(&merger->heap[2], &merger->heap[1]))
		return &merger->heap[2];
	return &merger->heap[1];
}

bool merger_next(struct merger *merger, struct merged_run *ret)
{
	const struct record *begin, *end;
	const struct head *top, *second;
	struct stream_cursor *cursor;

	while ((cursor = merger_advance(merger)) && cursor->is_at_mark) {
		if (cursor_is_at_gap(cursor)) {
			merger_emit_gap(merger, cursor, ret);
			return true;
		}
		cursor->at = cursor->end; /* a heartbeat */
		cursor->is_at_mark = false;
	}
	if (!cursor)
		return false;
	top = &merger->heap[0];
	second = merger_second(merger);
	begin = cursor->at;
	end = cursor->end;
	if (second) {
		/* at equal times the order of the heads decides */
		bool is_first_of_equals = top->cpu < second->cpu ||
		                          (top->cpu == second->cpu && top->stream < second->stream);
		nsec_t bound = second->time + is_first_of_equals;

		for (end = begin + 1; end < cursor->end && end->time < bound; end++)
			;
	}
	cursor->at = end;
	*ret = (struct merged_run){
		.cpu = top->cpu,
		.stream = top->stream,
		.records = begin,
		.count = (size_t)(end - begin),
	};
	return true;
}
