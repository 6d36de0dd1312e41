/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "page_reader.h"

#include <assert.h>
#include <stdlib.h>

#include "base/byte_order.h"
#include "base/xalloc.h"

#define COMMIT_LOST_STORED (UINT64_C(1) << 30)
#define COMMIT_SIZE_MASK   ((UINT64_C(1) << 27) - 1)

#define HEAD_BYTES  4u
#define DELTA_BITS  27u
#define DELTA_MASK  ((1u << DELTA_BITS) - 1)
#define STAMP_UPPER (~((UINT64_C(1) << 59) - 1))

enum type_len {
	TYPE_LONG = 0,
	TYPE_SHORT_MAX = 28,
	TYPE_PADDING = 29,
	TYPE_TIME_EXTEND = 30,
	TYPE_TIME_STAMP = 31,
};

static uint64_t load_long(const uint8_t *from, unsigned bytes, bool is_swapped)
{
	return bytes == 4 ? load_u32(from, is_swapped) : load_u64(from, is_swapped);
}

void page_reader_begin(struct page_reader *reader, const struct page_layout *layout,
                       const uint8_t *page, size_t bytes)
{
	bool is_swapped = layout->is_big_endian != byte_order_is_big();
	uint64_t commit, size, room;

	assert(layout->commit_offset + layout->commit_bytes <= layout->data_offset);
	assert(layout->data_offset < layout->page_bytes);
	*reader = (struct page_reader){.at = page, .end = page};
	reader->is_big_endian = layout->is_big_endian;
	if (bytes < layout->data_offset) {
		reader->damage = PAGE_CUT;
		return;
	}
	if (bytes > layout->page_bytes)
		bytes = layout->page_bytes;
	room = bytes - layout->data_offset;
	reader->time = load_u64(page, is_swapped);
	commit = load_long(page + layout->commit_offset, layout->commit_bytes, is_swapped);
	size = commit & COMMIT_SIZE_MASK;
	if (size > layout->page_bytes - layout->data_offset || reader->time > PAGE_TIME_MAX) {
		reader->damage = reader->time > PAGE_TIME_MAX ? PAGE_TIME : PAGE_COMMIT;
		return;
	}
	if (size > room) {
		reader->damage = PAGE_CUT;
		size = room;
	}
	reader->at = page + layout->data_offset;
	reader->end = reader->at + size;
	if (!(commit & PAGE_COMMIT_LOST))
		return;
	reader->lost_events = LOST_UNCOUNTED;
	if ((commit & COMMIT_LOST_STORED) && room - size >= layout->commit_bytes)
		reader->lost_events = load_long(reader->end, layout->commit_bytes, is_swapped);
	/* The flag says that events were lost; a count of 0 contradicts it. */
	if (reader->lost_events == 0)
		reader->lost_events = LOST_UNCOUNTED;
}

/*
 * An absolute stamp has 59 bits. The upper ones are those of the time so far; if the result would
 * go back because of that, the 59 bits have wrapped in between.
 */
static nsec_t stamp_complete(nsec_t stamp, nsec_t before)
{
	if (!(before & STAMP_UPPER))
		return stamp;
	stamp |= before & STAMP_UPPER;
	return stamp < before ? stamp + (UINT64_C(1) << 59) : stamp;
}

/*
 * Handles what is in the stream besides ordinary records. Returns the bytes to step over, 0 if the
 * page ends here.
 */
static inline size_t marker_step(struct page_reader *reader, unsigned type, uint32_t delta,
                                 const uint8_t *at, nsec_t *time, const bool is_swapped)
{
	size_t left = (size_t)(reader->end - at) - HEAD_BYTES;
	uint32_t word;
	nsec_t next;

	if (type == TYPE_PADDING && delta == 0)
		return 0;
	if (left < 4) {
		reader->damage = reader->damage ? reader->damage : PAGE_LENGTH;
		return 0;
	}
	word = load_u32(at + HEAD_BYTES, is_swapped);
	if (type == TYPE_PADDING) {
		if (word > left || (word & 3)) {
			reader->damage = reader->damage ? reader->damage : PAGE_LENGTH;
			return 0;
		}
		*time += delta;
		return HEAD_BYTES + word;
	}
	next = ((nsec_t)word << DELTA_BITS) + delta;
	next = type == TYPE_TIME_EXTEND ? *time + next : stamp_complete(next, *time);
	if (next > PAGE_TIME_MAX || next > *time + PAGE_SILENCE_MAX) {
		reader->damage = PAGE_TIME;
		return 0;
	}
	*time = next;
	return HEAD_BYTES + 4;
}

/*
 * The loop for every event of a trace: both arguments after `capacity` are constants at each call,
 * and everything it changes is in registers.
 */
static inline __attribute__((always_inline)) size_t
page_decode(struct page_reader *reader, struct record *records, size_t capacity,
            const bool is_big_endian, const bool is_swapped)
{
	const uint8_t *at = reader->at;
	const uint8_t *const end = reader->end;
	struct record *record = records, *const records_end = records + capacity;
	nsec_t time = reader->time;
	size_t left;

	while (record < records_end && (left = (size_t)(end - at)) >= HEAD_BYTES) {
		uint32_t head = load_u32(at, is_swapped);
		unsigned type = is_big_endian ? head >> DELTA_BITS : head & 31;
		uint32_t delta = is_big_endian ? head & DELTA_MASK : head >> 5;
		const uint8_t *payload = at + HEAD_BYTES;
		size_t length = type * 4u;

		if (__builtin_expect(type > TYPE_SHORT_MAX, 0)) {
			size_t step = marker_step(reader, type, delta, at, &time, is_swapped);

			if (step == 0) {
				at = end;
				break;
			}
			at += step;
			continue;
		}
		left -= HEAD_BYTES;
		if (__builtin_expect(type == TYPE_LONG, 0)) {
			length = left < 4 ? 0 : load_u32(payload, is_swapped);
			if (length < 4 || length > left)
				break;
			length = (length - 1) & ~(size_t)3;
			payload += 4;
			left -= 4;
		}
		if (length > left)
			break;
		time += delta;
		*record++ = (struct record){time, payload, (uint32_t)length};
		at = payload + length;
	}
	if (record < records_end && at != end) {
		reader->damage = reader->damage ? reader->damage : PAGE_LENGTH;
		at = end;
	}
	reader->at = at;
	reader->time = time;
	return (size_t)(record - records);
}

size_t page_reader_next(struct page_reader *reader, struct record *records, size_t capacity)
{
	const bool is_big_host = byte_order_is_big();

	if (reader->is_big_endian)
		return page_decode(reader, records, capacity, true, !is_big_host);
	return page_decode(reader, records, capacity, false, is_big_host);
}

const char *page_damage_text(enum page_damage damage)
{
	static const char *const text[] = {
		[PAGE_GOOD] = "it is good",
		[PAGE_CUT] = "the file ends within it",
		[PAGE_COMMIT] = "it claims to hold more than a page can",
		[PAGE_LENGTH] = "a record reaches beyond its end",
		[PAGE_TIME] = "a time stamp is implausible",
		[PAGE_BACK] = "it begins before the page before it ended",
	};

	return text[damage];
}

void page_stream_init(struct page_stream *stream, const struct page_layout *layout)
{
	*stream = (struct page_stream){.layout = *layout, .capacity = PAGE_BATCH_RECORDS};
}

void page_stream_release(struct page_stream *stream)
{
	free(stream->records);
	stream->records = NULL;
	stream->reader = (struct page_reader){0};
	stream->at = stream->end = NULL;
}

void page_stream_skip(struct page_stream *stream, uint64_t pages)
{
	stream->page_count += pages;
	stream->zero_count += pages;
}

void page_stream_lose(struct page_stream *stream)
{
	stream->lost_events = LOST_UNCOUNTED;
}

static void page_stream_add_loss(struct page_stream *stream, uint64_t lost)
{
	if (lost == LOST_UNCOUNTED || lost > LOST_UNCOUNTED - stream->lost_events)
		stream->lost_events = LOST_UNCOUNTED;
	else
		stream->lost_events += lost;
}

/* No clock of the kernel steps back by so much: one of the two pages has a wrong time. */
#define BACK_NS 100000000u

/* The page begins far ahead of what the recorder had reached; where that is not known, of the page
   before it, or, if it is the first one, of the next one in the block. Its records would stretch
   the recording over years. Of a step that the next page shares, either side may be right. */
static bool page_is_ahead(const struct page_stream *stream, nsec_t before)
{
	const struct page_reader *reader = &stream->reader;
	nsec_t next = NSEC_NEVER;

	if (stream->reached)
		return reader->time > stream->reached + PAGE_SILENCE_MAX;
	if (stream->end - stream->at >= (ptrdiff_t)sizeof(uint64_t))
		next = load_u64(stream->at, reader->is_big_endian != byte_order_is_big());
	if (before && reader->time > before + PAGE_SILENCE_MAX)
		return next == NSEC_NEVER || next + BACK_NS < reader->time;
	return before == 0 && next && next < NSEC_NEVER - PAGE_SILENCE_MAX &&
	       reader->time > next + PAGE_SILENCE_MAX;
}

static void page_stream_begin_page(struct page_stream *stream)
{
	nsec_t before = stream->reader.time;
	size_t bytes = (size_t)(stream->end - stream->at);

	if (bytes > stream->layout.page_bytes)
		bytes = stream->layout.page_bytes;
	page_reader_begin(&stream->reader, &stream->layout, stream->at, bytes);
	if (stream->reader.damage == PAGE_GOOD && stream->reader.at < stream->reader.end &&
	    stream->reader.time + BACK_NS < before)
		stream->reader.damage = PAGE_BACK;
	page_stream_add_loss(stream, stream->reader.lost_events);
	stream->at += bytes;
	if (stream->reader.damage == PAGE_GOOD && page_is_ahead(stream, before)) {
		stream->reader.damage = PAGE_TIME;
		stream->reader.at = stream->reader.end;
		stream->reader.time = before;
	}
	stream->page_count++;
	stream->zero_count += stream->reader.time == 0 && stream->reader.at == stream->reader.end;
}

static void page_stream_end_page(struct page_stream *stream)
{
	if (stream->reader.damage == PAGE_GOOD)
		return;
	if (stream->damaged_count++ == 0) {
		stream->damage = stream->reader.damage;
		stream->damaged_first = stream->page_count - 1;
	}
	/* of a page with a wrong time nothing is lost */
	if (stream->reader.damage != PAGE_BACK)
		page_stream_lose(stream);
	stream->reader.damage = PAGE_GOOD;
}

enum pull page_stream_next(struct page_stream *stream, page_block_fn *next_block, void *owner,
                           struct record_batch *ret)
{
	*ret = (struct record_batch){0};
	if (!stream->records)
		stream->records = xreallocarray(NULL, stream->capacity, sizeof(*stream->records));
	for (;;) {
		size_t count = page_reader_next(&stream->reader, stream->records,
		                                stream->capacity);
		size_t bytes;

		if (count > 0) {
			*ret = (struct record_batch){stream->records, count, stream->lost_events};
			stream->lost_events = 0;
			return PULL_ITEM;
		}
		page_stream_end_page(stream);
		if (stream->at == stream->end) {
			if (!next_block(owner, &stream->at, &bytes)) {
				ret->lost_events = stream->lost_events;
				return PULL_END;
			}
			stream->end = stream->at + bytes;
		}
		page_stream_begin_page(stream);
	}
}
