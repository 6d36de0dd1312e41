/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Any bytes as a stream that is read while it is written: opened, merged to the end, closed. */
#include <assert.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz_target.h"
#include "merge/merger.h"
#include "source/source.h"
#include "source/stream/live_source.h"

#define MEMORY_MAX (1u << 20) /* so that it runs out now and then */

struct watch {
	nsec_t reached; /* 0: nothing so far */
	bool has_records;
};

static bool on_reached(void *state, nsec_t reached)
{
	struct watch *watch = state;

	assert(watch->has_records && reached >= watch->reached && reached < UINT64_MAX / 2);
	watch->reached = reached;
	return true;
}

static void touch(struct watch *watch, const struct merged_run *run)
{
	static volatile uint8_t sink;

	assert(run->count > 0);
	watch->has_records = true;
	for (size_t i = 0; i < run->count; i++) {
		const struct record *record = &run->records[i];

		assert(!record_is_heartbeat(record) && record->time < UINT64_MAX / 2);
		for (uint32_t b = 0; b < record->length; b += 16)
			sink = record->payload[b];
		if (record->length)
			sink = record->payload[record->length - 1];
	}
	(void)sink;
}

static void drain(struct source *source, struct watch *watch)
{
	struct merger *merger = merger_new(source);
	struct merged_run run;

	while (merger_next(merger, &run))
		if (run.records)
			touch(watch, &run);
	merger_free(merger);
	for (size_t i = 0; i < source->stream_count; i++) {
		struct record_batch batch;

		assert(source_next_batch(source, i, &batch) == PULL_END && batch.count == 0);
		assert(source->streams[i].buffer < source->buffer_count &&
		       source->streams[i].cpu < source->cpu_count);
	}
	assert(source->health.note_count <= SOURCE_NOTES_MAX);
	assert(!source->health.damaged || source->health.note_count > 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct watch watch = {0};
	struct live_source_setup setup = {
		.fd = memfd_create("fuzz", MFD_CLOEXEC),
		.control_fd = -1,
		.bytes_max = MEMORY_MAX,
		.on_reached = on_reached,
		.state = &watch,
	};
	struct source *source = NULL;
	struct buffer why;

	assert(setup.fd >= 0 && write(setup.fd, bytes, size) == (ssize_t)size);
	assert(lseek(setup.fd, 0, SEEK_SET) == 0);
	buffer_init(&why, 4096);
	if (live_source_open(&setup, &source, &why) < 0) {
		assert(!source && why.length > 0 && !strchr(why.text, '\n'));
	} else {
		drain(source, &watch);
		(void)source_close(source);
	}
	buffer_release(&why);
	(void)close(setup.fd);
	return 0;
}
