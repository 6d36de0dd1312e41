/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "memory_source.h"

#include <stdlib.h>

#include "base/xalloc.h"
#include "source/stream/page_reader.h"
#include "source/source_notes.h"

struct memory_feed {
	const struct memory_stream *from;
	size_t block_bytes;
	size_t at, end; /* bytes of pages, or records */
	struct page_stream pages;
	struct record *batch;
};

struct memory_source {
	struct source source; /* first: ops cast it back */
	struct text_store text;
	struct source_stream *streams;
	struct memory_feed *feeds;
	size_t batch_records;
};

static bool memory_next_block(void *owner, const uint8_t **ret_block, size_t *ret_bytes)
{
	struct memory_feed *feed = owner;
	size_t left = feed->end - feed->at;

	if (left == 0)
		return false;
	*ret_block = feed->from->pages + feed->at;
	*ret_bytes = left < feed->block_bytes ? left : feed->block_bytes;
	feed->at += *ret_bytes;
	return true;
}

static enum pull memory_next_records(struct memory_source *memory, struct memory_feed *feed,
                                     struct record_batch *ret)
{
	const struct memory_record *from = feed->from->records;
	size_t count = 0;

	*ret = (struct record_batch){0};
	if (feed->at == feed->end)
		return PULL_END;
	ret->lost_events = from[feed->at].lost_events;
	do {
		feed->batch[count++] = from[feed->at++].record;
	} while (count < memory->batch_records && feed->at < feed->end &&
	         from[feed->at].lost_events == 0);
	ret->records = feed->batch;
	ret->count = count;
	return PULL_ITEM;
}

static enum pull memory_next_batch(struct source *source, size_t stream, struct record_batch *ret)
{
	struct memory_source *memory = (struct memory_source *)source;
	struct memory_feed *feed = &memory->feeds[stream];
	enum pull pull;

	if (!feed->from->pages)
		return memory_next_records(memory, feed, ret);
	pull = page_stream_next(&feed->pages, memory_next_block, feed, ret);
	if (feed->pages.damaged_count > 0)
		source_damage(source, &memory->text, "damaged: page %llu of cpu %u: %s",
		              (unsigned long long)feed->pages.damaged_first, feed->from->cpu,
		              page_damage_text(feed->pages.damage));
	return pull;
}

static void memory_close(struct source *source)
{
	struct memory_source *memory = (struct memory_source *)source;

	for (size_t i = 0; i < source->stream_count; i++) {
		page_stream_release(&memory->feeds[i].pages);
		free(memory->feeds[i].batch);
	}
	text_store_release(&memory->text);
	free(memory->streams);
	free(memory->feeds);
	free(memory);
}

static const struct source_ops memory_ops = {
	.name = "memory",
	.next_batch = memory_next_batch,
	.close = memory_close,
};

static void memory_feed_init(struct memory_feed *feed, const struct memory_trace *trace,
                             const struct memory_stream *from, size_t batch_records)
{
	size_t bytes = from->page_bytes_total;

	*feed = (struct memory_feed){.from = from};
	if (!from->pages) {
		feed->end = from->record_count;
		feed->batch = xreallocarray(NULL, batch_records, sizeof(*feed->batch));
		return;
	}
	feed->end = trace->is_cut && trace->cut_bytes < bytes ? trace->cut_bytes : bytes;
	feed->block_bytes = trace->block_pages ? trace->block_pages * trace->layout.page_bytes
	                                       : SIZE_MAX;
	page_stream_init(&feed->pages, &trace->layout);
}

struct source *memory_open(const struct memory_trace *trace)
{
	struct memory_source *memory = xcalloc(1, sizeof(*memory));
	struct source *source = &memory->source;

	memory->streams = xcalloc(trace->stream_count, sizeof(*memory->streams));
	memory->feeds = xcalloc(trace->stream_count, sizeof(*memory->feeds));
	memory->batch_records = trace->batch_records ? trace->batch_records : PAGE_BATCH_RECORDS;
	*source = (struct source){
		.ops = &memory_ops,
		.is_big_endian = trace->layout.is_big_endian,
		.long_bytes = trace->layout.commit_bytes,
		.formats = trace->formats,
		.format_count = trace->format_count,
		.notes.tasks.item = trace->known_tasks,
		.notes.tasks.count = trace->known_task_count,
		.streams = memory->streams,
		.stream_count = trace->stream_count,
		.stacks_buffer = UINT32_MAX,
	};
	for (size_t i = 0; i < trace->stream_count; i++) {
		const struct memory_stream *from = &trace->streams[i];

		memory->streams[i] = (struct source_stream){
			.cpu = from->cpu,
			.buffer = from->buffer,
			.overrun = from->overrun,
		};
		memory_feed_init(&memory->feeds[i], trace, from, memory->batch_records);
		if (from->cpu >= source->cpu_count)
			source->cpu_count = from->cpu + 1;
		if (from->buffer >= source->buffer_count)
			source->buffer_count = from->buffer + 1;
	}
	return source;
}
