/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "page_builder.h"

#include <assert.h>
#include <string.h>

const struct page_layout page_layouts[4] = {
	{4096, 8, 8, 16, false},
	{4096, 8, 8, 16, true},
	{4096, 4, 8, 12, false},
	{4096, 4, 8, 12, true},
};

void page_builder_store(const struct page_layout *layout, uint8_t *at, size_t bytes, uint64_t value)
{
	for (size_t i = 0; i < bytes; i++)
		at[layout->is_big_endian ? bytes - 1 - i : i] = (uint8_t)(value >> (8 * i));
}

void page_builder_begin(struct page_builder *builder, const struct page_layout *layout,
                        uint64_t time)
{
	memset(builder, 0, sizeof(*builder));
	builder->layout = *layout;
	builder->used = layout->data_offset;
	page_builder_store(layout, builder->page, 8, time);
}

bool page_builder_has_room(const struct page_builder *builder, size_t bytes)
{
	return bytes <= builder->layout.page_bytes - builder->used;
}

void page_builder_word(struct page_builder *builder, uint32_t word)
{
	assert(page_builder_has_room(builder, 4));
	page_builder_store(&builder->layout, builder->page + builder->used, 4, word);
	builder->used += 4;
}

void page_builder_head(struct page_builder *builder, unsigned type_len, uint32_t delta)
{
	assert(type_len < 32 && delta < 1u << 27);
	page_builder_word(builder, builder->layout.is_big_endian ? type_len << 27 | delta
	                                                         : delta << 5 | type_len);
}

static void page_builder_payload(struct page_builder *builder, const void *payload, size_t bytes)
{
	assert(page_builder_has_room(builder, bytes));
	for (size_t i = 0; i < bytes && !payload; i++)
		builder->page[builder->used + i] = (uint8_t)(i + 1);
	if (payload)
		memcpy(builder->page + builder->used, payload, bytes);
	builder->used += bytes;
}

void page_builder_long_record(struct page_builder *builder, uint32_t delta, size_t bytes)
{
	page_builder_head(builder, 0, delta);
	page_builder_word(builder, (uint32_t)bytes + 4);
	page_builder_payload(builder, NULL, (bytes + 3) & ~(size_t)3);
}

void page_builder_record_of(struct page_builder *builder, uint32_t delta, const void *payload,
                            size_t bytes)
{
	assert(bytes % 4 == 0);
	if (bytes == 0 || bytes > 112) {
		page_builder_head(builder, 0, delta);
		page_builder_word(builder, (uint32_t)bytes + 4);
	} else {
		page_builder_head(builder, (unsigned)bytes / 4, delta);
	}
	page_builder_payload(builder, payload, bytes);
}

void page_builder_record(struct page_builder *builder, uint32_t delta, size_t bytes)
{
	page_builder_record_of(builder, delta, NULL, bytes);
}

void page_builder_discarded(struct page_builder *builder, uint32_t delta, size_t bytes)
{
	page_builder_head(builder, 29, delta);
	page_builder_word(builder, (uint32_t)bytes);
	page_builder_payload(builder, NULL, bytes - 4);
}

void page_builder_extend(struct page_builder *builder, uint64_t delta)
{
	page_builder_head(builder, 30, (uint32_t)(delta & ((1u << 27) - 1)));
	page_builder_word(builder, (uint32_t)(delta >> 27));
}

void page_builder_stamp(struct page_builder *builder, uint64_t time)
{
	page_builder_head(builder, 31, (uint32_t)(time & ((1u << 27) - 1)));
	page_builder_word(builder, (uint32_t)(time >> 27));
}

void page_builder_commit(struct page_builder *builder, uint64_t commit)
{
	const struct page_layout *layout = &builder->layout;

	page_builder_store(layout, builder->page + layout->commit_offset, layout->commit_bytes,
	                   commit);
}

void page_builder_end(struct page_builder *builder, uint64_t flags, uint64_t lost)
{
	const struct page_layout *layout = &builder->layout;

	page_builder_commit(builder, (builder->used - layout->data_offset) | flags);
	if (flags & 1u << 30)
		page_builder_store(layout, builder->page + builder->used, layout->commit_bytes,
		                   lost);
}
