/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fuzz_source.h"

#include <assert.h>
#include <string.h>

static void touch(const struct source *source, const struct record_batch *batch)
{
	static volatile uint8_t sink;

	assert(batch->count > 0);
	for (size_t i = 0; i < batch->count; i++) {
		const struct record *record = &batch->records[i];

		assert(record->time <= UINT64_MAX / 2);
		for (uint32_t b = 0; b < record->length; b += 16)
			sink = record->payload[b];
		if (record->length)
			sink = record->payload[record->length - 1];
	}
	(void)source;
	(void)sink;
}

static void touch_description(struct source *source)
{
	char symbols[4096];
	size_t total = 0;
	int64_t got;

	for (size_t i = 0; i < source->format_count; i++)
		total += strlen(source->formats[i].system) +
		         strnlen(source->formats[i].text, source->formats[i].length);
	for (size_t i = 0; i < source->notes.tasks.count; i++)
		total += strlen(source->notes.tasks.item[i].comm);
	for (size_t i = 0; i < source->health.note_count; i++)
		total += strlen(source->health.notes[i]);
	for (size_t i = 0; i < source->stream_count; i++)
		assert(source->streams[i].buffer < source->buffer_count &&
		       source->streams[i].cpu < source->cpu_count);
	assert(source->health.note_count <= SOURCE_NOTES_MAX && total < SIZE_MAX / 2);
	while ((got = source_read_symbols(source, total, symbols, sizeof(symbols))) > 0)
		total += (size_t)got;
}

uint64_t fuzz_source_read(int r, struct source *source, const struct buffer *why)
{
	struct record_batch batch;
	uint64_t records = 0;

	if (r < 0) {
		assert(!source && why->length > 0 && !strchr(why->text, '\n'));
		return 0;
	}
	touch_description(source);
	for (size_t s = 0; s < source->stream_count; s++)
		while (source_next_batch(source, s, &batch) == PULL_ITEM) {
			touch(source, &batch);
			records += batch.count;
		}
	touch_description(source);
	(void)source_close(source);
	return records;
}
