/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "page_stream.h"

#include <stdlib.h>

#include "base/byte_order.h"
#include "base/xalloc.h"

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
