/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Version 7: a chain of options sections has the offsets of the other sections. */
#include "datfile_sections.h"

#include <errno.h>
#include <string.h>

#include "base/data/array.h"
#include "base/cleanup.h"
#include "source/file/datfile_header.h"
#include "source/file/datfile_options.h"
#include "source/file/datfile_salvage.h"
#include "source/file/datfile_section.h"
#include "source/file/datfile_streams.h"
#include "datfile_tail.h"
#include "source_notes.h"

/* Version 7: the pages of its BUFFER options. */

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

/* Call last: pages need clocks, packing, and the page size. */
static void datfile_read_buffers(struct datfile *datfile)
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

/* Follows the chain to its end; 0, or why it broke. */
static int datfile_follow_options(struct datfile *datfile)
{
	uint64_t offset = datfile->opening->options_offset;
	int r = offset ? 0 : -ENODATA; /* a writer that died did not fill it in */

	while (r == 0 && offset != 0)
		r = datfile_read_options_section(datfile, offset, &offset);
	return r;
}

static int datfile_place_symbols(struct datfile *datfile, const struct section *section)
{
	struct symbol_place *place = &datfile->symbols;
	uint32_t from, to;
	struct cursor cursor;
	struct buffer why;
	int r;

	if (section->is_packed) {
		r = datfile_packed_sizes(datfile, section, &from, &to);
		if (r == 0)
			*place = (struct symbol_place){section->offset + PACKED_HEAD_BYTES, to,
			                               true, from, NULL};
		return r;
	}
	buffer_init(&why, BUFFER_LIMIT_DEFAULT);
	cursor_init_file(&cursor, &datfile->file, section->offset,
	                 section->offset + section->bytes, datfile->is_swapped);
	r = datfile_read_symbol_place(datfile, &cursor, &why);
	cursor_release(&cursor);
	buffer_release(&why);
	return r;
}

static const struct {
	enum section_id id;
	const char *what;
	int (*read)(struct datfile *datfile, struct cursor *cursor, struct buffer *why);
} section_kinds[] = {
	{SECTION_HEADER_INFO, "the page header's description", datfile_read_header_info},
	{SECTION_FTRACE_FORMATS, "the formats of ftrace's own events", datfile_read_ftrace_formats},
	{SECTION_EVENT_FORMATS, "the event formats", datfile_read_event_formats},
	{SECTION_SYMBOLS, "the kernel's symbols", NULL},
	{SECTION_PRINTK, "the kernel's strings", datfile_read_strings},
	{SECTION_CMDLINES, "the saved command lines", datfile_read_cmdlines},
};

static int datfile_read_section(struct datfile *datfile, size_t kind, uint64_t offset)
{
	_cleanup_(freep) uint8_t *memory = NULL;
	struct cursor cursor = {0};
	struct section section;
	struct buffer why;
	int r = datfile_section_at(datfile, offset, &section);

	if (r < 0)
		return r;
	if (section.id != section_kinds[kind].id)
		return -EINVAL;
	if (!section_kinds[kind].read)
		return datfile_place_symbols(datfile, &section);
	r = datfile_section_cursor(datfile, &section, &cursor, &memory);
	if (r < 0)
		return r;
	buffer_init(&why, BUFFER_LIMIT_DEFAULT);
	r = section_kinds[kind].read(datfile, &cursor, &why);
	buffer_release(&why);
	cursor_release(&cursor);
	return r;
}

static void datfile_read_known_sections(struct datfile *datfile)
{
	for (size_t i = 0; i < ARRAY_SIZE(section_kinds); i++) {
		size_t kind = section_kinds[i].id - SECTION_HEADER_INFO;
		uint64_t offset = datfile->opening->section_at[kind];
		int r = offset ? datfile_read_section(datfile, i, offset) : 0;

		if (r < 0)
			source_damage(&datfile->source, &datfile->text,
			              "%s: %s at byte %llu cannot be read",
			              r == -ENODATA ? "cut short" : "damaged",
			              section_kinds[i].what, (unsigned long long)offset);
	}
}

int datfile_read_sections(struct datfile *datfile, struct buffer *why)
{
	int r = datfile_follow_options(datfile);
	bool is_broken = r < 0;

	if (is_broken) {
		source_damage(&datfile->source, &datfile->text,
		              "%s: the chain of options is broken; what could be found is read",
		              r == -ENODATA ? "cut short" : "damaged");
		datfile_salvage_sections(datfile);
	}
	datfile_read_known_sections(datfile);
	datfile_read_buffers(datfile);
	/* in both cases: a damaged option leaves pages that no option refers to */
	datfile_salvage_buffers(datfile);
	if (is_broken) {
		/* its end is unknown */
		datfile_cover(datfile, datfile->file.bytes);
	} else {
		datfile_cover_sections(datfile);
	}
	if (datfile->stream_count > 0 || (!is_broken && !datfile->opening->has_text_buffer))
		return 0;
	if (datfile->opening->has_text_buffer) {
		buffer_puts(why, "it holds the text of a latency tracer, no events; record it with "
		                 "events enabled");
		return -ENOTSUP;
	}
	buffer_printf(why, "truncated or damaged: its %llu bytes hold no readable events; fetch "
	              "the whole file or record again", (unsigned long long)datfile->file.bytes);
	return -ENODATA;
}
