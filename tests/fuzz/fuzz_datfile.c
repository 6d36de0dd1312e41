/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Any bytes as a trace file: opened, read to the end, closed. */
#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz_target.h"
#include "source/source.h"

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
	for (size_t i = 0; i < source->known_task_count; i++)
		total += strlen(source->known_tasks[i].comm);
	for (size_t i = 0; i < source->note_count; i++)
		total += strlen(source->notes[i]);
	for (size_t i = 0; i < source->stream_count; i++)
		assert(source->streams[i].buffer < source->buffer_count &&
		       source->streams[i].cpu < source->cpu_count);
	assert(source->note_count <= SOURCE_NOTES_MAX && total < SIZE_MAX / 2);
	while ((got = source_read_symbols(source, total, symbols, sizeof(symbols))) > 0)
		total += (size_t)got;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC);
	struct source *source = NULL;
	struct record_batch batch;
	struct buffer why;
	char path[64];

	assert(fd >= 0 && write(fd, bytes, size) == (ssize_t)size);
	(void)snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	buffer_init(&why, 4096);
	if (source_open(path, &source, &why) < 0) {
		assert(!source && why.length > 0 && !strchr(why.text, '\n'));
	} else {
		touch_description(source);
		for (size_t s = 0; s < source->stream_count; s++)
			while (source_next_batch(source, s, &batch) == PULL_ITEM)
				touch(source, &batch);
		touch_description(source);
		(void)source_close(source);
	}
	buffer_release(&why);
	(void)close(fd);
	return 0;
}
