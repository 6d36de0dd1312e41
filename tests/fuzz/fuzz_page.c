/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The first byte chooses a layout, the rest is a page, perhaps cut short. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "fuzz_target.h"
#include "source/stream/page_reader.h"

static void check_records(const struct record *records, size_t count, const uint8_t *page,
                          size_t size, nsec_t *before)
{
	for (size_t i = 0; i < count; i++) {
		const struct record *record = &records[i];

		assert(record->payload >= page && record->payload <= page + size);
		assert(record->length <= size - (size_t)(record->payload - page));
		assert(record->length % 4 == 0);
		assert(record->time < UINT64_MAX / 2);
		*before = record->time;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct page_layout layout = {.commit_offset = 8};
	struct record records[64];
	struct page_reader reader;
	nsec_t before = 0;
	size_t count, total = 0;
	uint8_t *page;

	if (size == 0)
		return 0;
	layout.is_big_endian = bytes[0] & 1;
	layout.commit_bytes = bytes[0] & 2 ? 4 : 8;
	layout.data_offset = (uint8_t)(8 + layout.commit_bytes);
	layout.page_bytes = bytes[0] & 4 ? 65536 : 4096;
	/* A block of its own size, so that a step beyond it is seen. */
	page = xmalloc(size - 1);
	memcpy(page, bytes + 1, size - 1);
	page_reader_begin(&reader, &layout, page, size - 1);
	while ((count = page_reader_next(&reader, records, 1 + bytes[0] % 64)) > 0) {
		check_records(records, count, page, size - 1, &before);
		total += count;
		assert(total <= size);
	}
	assert(page_damage_text(reader.damage));
	free(page);
	return 0;
}
