/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Version 7's option BUFFER: offset of its section, name, clock, page size (not in the oldest),
 * number of CPUs, and for each CPU its number and the place of its pages.
 */
#include "datfile_buffers.h"

#include <errno.h>
#include <string.h>

#include "datfile_options.h"
#include "datfile_section.h"
#include "datfile_streams.h"
#include "datfile_tail.h"
#include "source_notes.h"

#define ROW_BYTES         20u
#define CHUNK_COUNT_BYTES 4u
#define NAME_BYTES_MAX    4096u

static uint32_t take_page_bytes(struct cursor *cursor)
{
	uint32_t page_bytes;

	/* Rows are 20 bytes, so the remaining size shows whether one number precedes them, or
	   two. */
	if (cursor_left(cursor) < 8 || (cursor_left(cursor) - 8) % ROW_BYTES != 0)
		return 0;
	page_bytes = cursor_u32(cursor);
	if (page_bytes < DATFILE_PAGE_MIN || page_bytes > DATFILE_PAGE_MAX ||
	    (page_bytes & (page_bytes - 1)))
		return 0;
	return page_bytes;
}

/* Adds to `pages` the extent that each row claims for its CPU. */
static int take_rows(struct datfile *datfile, struct cursor *cursor, size_t buffer, bool is_packed,
                     struct claim_list *pages)
{
	uint32_t count = cursor_u32(cursor);

	if (cursor->error || count > cursor_left(cursor) / ROW_BYTES)
		return -EINVAL;
	while (count-- > 0) {
		uint32_t cpu = cursor_u32(cursor);
		uint64_t offset = cursor_u64(cursor);
		uint64_t bytes = cursor_u64(cursor);
		size_t stream;

		if (cursor->error || cpu >= DATFILE_CPUS_MAX)
			return -EINVAL;
		stream = datfile_add_stream(datfile, cpu, buffer);
		if (stream == SIZE_MAX)
			return -EINVAL;
		/* The size of packed pages excludes the count of chunks that precedes them. */
		if (is_packed && bytes > 0 && bytes <= UINT64_MAX - CHUNK_COUNT_BYTES)
			bytes += CHUNK_COUNT_BYTES;
		datfile_add_extent(datfile, stream, offset, bytes, is_packed);
		claim_list_add(pages, offset, bytes);
	}
	return cursor_left(cursor) == 0 ? 0 : -EINVAL;
}

static int datfile_read_buffer(struct datfile *datfile, struct cursor *cursor,
                               struct claim_list *sections, struct claim_list *pages)
{
	uint64_t offset = cursor_u64(cursor);
	bool is_packed = datfile->packing != PACKING_NONE;
	const char *name, *clock;
	struct section section;
	uint32_t page_bytes;
	size_t buffer;

	name = cursor_string(cursor, NAME_BYTES_MAX);
	clock = cursor_string(cursor, NAME_BYTES_MAX);
	if (!name || !clock)
		return -EINVAL;
	if (!datfile->source.clock)
		datfile->source.clock = datfile_clock(datfile, clock, strlen(clock));
	page_bytes = take_page_bytes(cursor);
	if (datfile_section_at(datfile, offset, &section) == 0 && section.id == SECTION_BUFFER) {
		is_packed = is_packed && section.is_packed;
		claim_list_add(sections, section.offset, section.bytes);
	}
	buffer = datfile_add_buffer(datfile, name, page_bytes);
	return buffer == SIZE_MAX ? -EINVAL : take_rows(datfile, cursor, buffer, is_packed, pages);
}

void datfile_read_buffers(struct datfile *datfile)
{
	struct claim_list sections = {0}, pages = {0};
	bool is_sound = true;

	for (size_t i = 0; i < datfile->opening->buffer_option_count; i++) {
		const struct buffer_option *option = &datfile->opening->buffer_options[i];
		struct cursor cursor;

		cursor_init_memory(&cursor, option->bytes, option->size, datfile->is_swapped);
		if (datfile_read_buffer(datfile, &cursor, &sections, &pages) < 0) {
			source_damage(&datfile->source, &datfile->text,
			              "damaged: the description of buffer %zu makes no sense", i);
			is_sound = false;
		}
		cursor_release(&cursor);
	}
	if (is_sound)
		datfile_note_unclaimed(datfile, &sections, &pages);
	claim_list_release(&sections);
	claim_list_release(&pages);
}
