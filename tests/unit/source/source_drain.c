/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "source_drain.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "trace_builder.h"

static uint64_t mix(uint64_t sum, uint64_t value)
{
	return (sum ^ value) * UINT64_C(0x9e3779b97f4a7c15) + (sum >> 29);
}

static void drain_batch(const struct source *source, const struct record_batch *batch,
                        struct drained *drained)
{
	/* Only what does not depend on where batches end goes into the sum. */
	if (batch->lost_events)
		drained->sum = mix(drained->sum, batch->lost_events);
	for (size_t i = 0; i < batch->count; i++) {
		const struct record *record = &batch->records[i];

		drained->sum = mix(drained->sum, record->time);
		drained->sum = mix(drained->sum, record->length);
		for (uint32_t b = 0; b < record->length; b++)
			drained->sum = mix(drained->sum, record->payload[b]);
		drained->bytes += record->length;
		if (record->length >= 2)
			drained->by_id[record->payload[!source->is_big_endian] << 8 |
			               record->payload[source->is_big_endian]]++;
	}
	drained->records += batch->count;
	drained->losses += batch->lost_events != 0;
}

void source_drain(struct source *source, uint64_t limit, struct drained *ret)
{
	struct record_batch batch;

	memset(ret, 0, sizeof(*ret));
	for (size_t s = 0; s < source->stream_count; s++) {
		uint64_t before = ret->records;

		while ((limit == 0 || ret->records - before < limit) &&
		       source_next_batch(source, s, &batch) == PULL_ITEM) {
			assert(batch.count > 0 && batch.records);
			drain_batch(source, &batch, ret);
		}
		if (limit == 0) {
			assert(source_next_batch(source, s, &batch) == PULL_END);
			assert(batch.count == 0);
		}
	}
}

struct source *source_open_bytes(const void *bytes, size_t size, struct buffer *why)
{
	char *path = trace_builder_write(bytes, size);
	struct source *source = NULL;
	int r = source_open(path, &source, why);

	(void)unlink(path);
	free(path);
	assert(r < 0 ? !source && why->length > 0 : !!source);
	return source;
}
