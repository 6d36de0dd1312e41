/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Builds ring-buffer pages byte by byte, in any layout, good or bad. The reverse of page_reader.h;
 * written from the format, not from the reader. Payload bytes are 1, 2, 3...
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "source/stream/page_reader.h"

#define PAGE_BUILDER_MAX 65536

struct page_builder {
	struct page_layout layout;
	uint8_t page[PAGE_BUILDER_MAX];
	size_t used; /* bytes, header included */
};

/* The four layouts that exist: 4 or 8 byte long, little or big endian. */
extern const struct page_layout page_layouts[4];

void page_builder_begin(struct page_builder *builder, const struct page_layout *layout,
                        uint64_t time);
bool page_builder_has_room(const struct page_builder *builder, size_t bytes);
void page_builder_word(struct page_builder *builder, uint32_t word);
void page_builder_head(struct page_builder *builder, unsigned type_len, uint32_t delta);
/* A record of `bytes` of payload, a multiple of 4; above 112 in the long form. */
void page_builder_record(struct page_builder *builder, uint32_t delta, size_t bytes);
void page_builder_record_of(struct page_builder *builder, uint32_t delta, const void *payload,
                            size_t bytes);
void page_builder_long_record(struct page_builder *builder, uint32_t delta, size_t bytes);
void page_builder_discarded(struct page_builder *builder, uint32_t delta, size_t bytes);
void page_builder_extend(struct page_builder *builder, uint64_t delta);
void page_builder_stamp(struct page_builder *builder, uint64_t time);
/* Sets commit to what is used, with `flags`, and `lost` behind the data where bit 30 is set. */
void page_builder_end(struct page_builder *builder, uint64_t flags, uint64_t lost);
/* Overwrites commit. */
void page_builder_commit(struct page_builder *builder, uint64_t commit);
/* Stores an integer of 1 to 8 bytes in the layout's byte order. */
void page_builder_store(const struct page_layout *layout, uint8_t *at, size_t bytes,
                        uint64_t value);
