/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Version 7 after its magic: a chain of options sections has the offsets of the other sections.
 *
 * A file that was cut, or whose writer died, has lost its last options sections: those with the
 * place of each CPU's pages. But sections stand back to back, and within a section of pages the
 * CPUs stand in order, each at a multiple of the page size; so nearly all can be found. CPU numbers
 * are then assumed to count from 0.
 */
#include "datfile.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/byte_order.h"
#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/xalloc.h"
#include "source/source_notes.h"

#define SECTIONS_MAX 4096u

struct section {
	uint16_t id;
	bool is_packed;
	uint64_t offset, bytes; /* of what follows its header */
};

#define SECTION_HEAD_BYTES 16u
#define PACKED_HEAD_BYTES  8u /* the two sizes before a section's packed bytes */

enum section_id {
	SECTION_OPTIONS = 0,
	SECTION_BUFFER = 3,
	SECTION_STRINGS = 15,
	SECTION_HEADER_INFO = 16,
	SECTION_FTRACE_FORMATS = 17,
	SECTION_EVENT_FORMATS = 18,
	SECTION_SYMBOLS = 19,
	SECTION_PRINTK = 20,
	SECTION_CMDLINES = 21,
	SECTION_LAST = 22, /* the text of a latency tracer */
};

#define CHAIN_MAX 1024u
/* Unpacked bytes of all sections together; valid files have a few MiB. */
#define SECTIONS_TOTAL_MAX (256u << 20)

/* The header of the section at `offset`; the section may claim to extend beyond the file. */
static int datfile_section_at(struct datfile *datfile, uint64_t offset, struct section *ret)
{
	uint8_t head[SECTION_HEAD_BYTES];
	int r = input_file_read(&datfile->file, offset, head, sizeof(head));

	if (r < 0)
		return r;
	*ret = (struct section){
		.id = load_u16(head, datfile->file.is_swapped),
		.is_packed = load_u16(head + 2, datfile->file.is_swapped) & 1,
		.offset = offset + SECTION_HEAD_BYTES,
		.bytes = load_u64(head + 8, datfile->file.is_swapped),
	};
	return 0;
}

/* The two sizes before a section's packed bytes, checked. */
static int datfile_packed_sizes(struct datfile *datfile, const struct section *section,
                                uint32_t *ret_from, uint32_t *ret_to)
{
	uint8_t head[PACKED_HEAD_BYTES + UNPACK_HEAD_BYTES] = {0};
	uint32_t from, to;
	int64_t got;

	if (section->bytes < PACKED_HEAD_BYTES)
		return -EINVAL;
	got = input_file_read_some(&datfile->file, section->offset, head, sizeof(head));
	if (got < (int64_t)PACKED_HEAD_BYTES)
		return got < 0 ? (int)got : -ENODATA;
	from = load_u32(head, datfile->file.is_swapped);
	to = load_u32(head + 4, datfile->file.is_swapped);
	if (from > datfile->file.bytes - section->offset - PACKED_HEAD_BYTES)
		return -ENODATA;
	if (from > section->bytes - PACKED_HEAD_BYTES || from > DATFILE_SECTION_MAX ||
	    to > DATFILE_SECTION_MAX ||
	    !unpack_is_possible(datfile->packing, head + PACKED_HEAD_BYTES, from, to))
		return -EINVAL;
	*ret_from = from;
	*ret_to = to;
	return 0;
}

/* A cursor over the section's text; *ret_memory holds the text, to be freed after the cursor. The
   sizes are checked against the file, and against the limit on all unpacked sections. */
static int datfile_section_cursor(struct datfile *datfile, const struct section *section,
                                  struct cursor *ret, uint8_t **ret_memory)
{
	_cleanup_(freep) uint8_t *packed = NULL;
	_cleanup_(freep) uint8_t *text = NULL;
	uint32_t from, to;
	int r;

	if (!section->is_packed) {
		if (section->offset > datfile->file.bytes ||
		    section->bytes > datfile->file.bytes - section->offset)
			return -ENODATA;
		cursor_init_file(ret, &datfile->file, section->offset,
		                 section->offset + section->bytes);
		return 0;
	}
	r = datfile_packed_sizes(datfile, section, &from, &to);
	if (r < 0)
		return r;
	if (to > SECTIONS_TOTAL_MAX - datfile->section_bytes)
		return -EFBIG;
	packed = xmalloc(from);
	r = input_file_read(&datfile->file, section->offset + PACKED_HEAD_BYTES, packed, from);
	if (r < 0)
		return r;
	text = xmalloc(to);
	datfile->section_bytes += to;
	r = unpack(datfile->packing, packed, from, text, to);
	if (r < 0)
		return r;
	cursor_init_memory(ret, text, to, datfile->file.is_swapped);
	*ret_memory = TAKE_PTR(text);
	return 0;
}

/* Reads options up to the one that ends the section, whose text is the offset of the next section.
   If more follows in the section, a damaged option hides it. */
static int datfile_read_chained_options(struct datfile *datfile, struct cursor *cursor,
                                        uint64_t *ret_next)
{
	while (cursor_left(cursor) > 0) {
		struct option_text option = {.id = cursor_u16(cursor)};

		option.is_swapped = cursor->is_swapped;
		option.size = cursor_u32(cursor);
		option.bytes = cursor_take(cursor, option.size);
		if (!option.bytes)
			return cursor->error;
		if (option.id == 0) {
			*ret_next = option.size >= 8
			                    ? load_u64(option.bytes, option.is_swapped) : 0;
			return cursor_left(cursor) == 0 ? 0 : -EINVAL;
		}
		datfile_take_option(datfile, &option);
	}
	return cursor->error ? cursor->error : -ENODATA;
}

/* A valid chain has a handful of sections, and never the same one twice. */
static int datfile_mark_options(struct datfile *datfile, uint64_t offset)
{
	struct datfile_opening *opening = datfile->opening;

	if (opening->options_seen_count >= CHAIN_MAX)
		return -ELOOP;
	for (size_t i = 0; i < opening->options_seen_count; i++)
		if (opening->options_seen[i] == offset)
			return -EALREADY;
	ARRAY_GROW(opening->options_seen, opening->options_seen_count,
	           opening->options_seen_capacity);
	opening->options_seen[opening->options_seen_count++] = offset;
	return 0;
}

/* Reads the options section at `offset`; *ret_next is the offset of the next one, 0 if this is the
   last. -EALREADY if it was read before. */
static int datfile_read_options_section(struct datfile *datfile, uint64_t offset,
                                        uint64_t *ret_next)
{
	_cleanup_(freep) uint8_t *memory = NULL;
	struct cursor cursor = {0};
	struct section section;
	int r = datfile_section_at(datfile, offset, &section);

	if (r < 0)
		return r;
	if (section.id != SECTION_OPTIONS)
		return -EINVAL;
	r = datfile_mark_options(datfile, offset);
	if (r == 0)
		r = datfile_section_cursor(datfile, &section, &cursor, &memory);
	if (r < 0)
		return r;
	r = datfile_read_chained_options(datfile, &cursor, ret_next);
	cursor_release(&cursor);
	return r;
}

/* The pages of its BUFFER options. */

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
	if (datfile_section_at(datfile, offset, &section) == 0 && section.id == SECTION_BUFFER) {
		is_packed = is_packed && section.is_packed;
		claim_list_add(sections, section.offset, section.bytes);
	}
	if (!datfile->source.clock)
		datfile->source.clock = datfile_clock(datfile, clock, strlen(clock));
	page_bytes = take_page_bytes(cursor);
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

		cursor_init_memory(&cursor, option->bytes, option->size, datfile->file.is_swapped);
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

/* Sections in the order of the file; false if there can be none at *offset. */
static bool salvage_next(struct datfile *datfile, uint64_t *offset, struct section *ret)
{
	uint64_t left;

	if (datfile_section_at(datfile, *offset, ret) < 0)
		return false;
	if (ret->id > SECTION_CMDLINES + 1 || (ret->id > SECTION_BUFFER && ret->id < 15))
		return false;
	left = datfile->file.bytes - ret->offset;
	/* The size is written when a section is complete. */
	if (ret->bytes > left || (ret->id == SECTION_BUFFER && ret->bytes == 0))
		ret->bytes = left;
	*offset = ret->offset + ret->bytes;
	return true;
}

/* If the chain of options is broken: walks the sections in the order of the file. First round:
   options, places of the others. */
static void datfile_salvage_sections(struct datfile *datfile)
{
	uint64_t offset = datfile->opening->header_end, next;
	struct section section;

	for (unsigned i = 0; i < SECTIONS_MAX && salvage_next(datfile, &offset, &section); i++) {
		uint64_t begin = section.offset - SECTION_HEAD_BYTES;

		if (section.id >= SECTION_HEADER_INFO && section.id <= SECTION_CMDLINES) {
			size_t kind = section.id - SECTION_HEADER_INFO;
			uint64_t *place = &datfile->opening->section_at[kind];

			if (*place == 0)
				*place = begin;
		} else if (section.id == SECTION_OPTIONS) {
			(void)datfile_read_options_section(datfile, begin, &next);
		}
	}
}

#define CHUNKS_MAX (1u << 22)

static uint64_t round_up(uint64_t offset, uint32_t page_bytes)
{
	return (offset + page_bytes - 1) & ~((uint64_t)page_bytes - 1);
}

/* The end of the chunks that begin at `offset`; `end` if they reach it or make no sense. */
static uint64_t chunks_end(struct datfile *datfile, uint64_t offset, uint64_t end)
{
	uint32_t count, bytes;

	if (end - offset < sizeof(count) || input_file_u32(&datfile->file, offset, &count) < 0)
		return end;
	offset += sizeof(count);
	for (uint32_t i = 0; i < count && i < CHUNKS_MAX; i++) {
		if (end - offset < CHUNK_HEAD_BYTES ||
		    input_file_u32(&datfile->file, offset, &bytes) < 0)
			return end;
		offset += CHUNK_HEAD_BYTES;
		if (bytes > end - offset)
			return end;
		offset += bytes;
	}
	return offset;
}

/* Pages of one CPU never go back in time: if they do, the next CPU's begin. */
static uint64_t pages_end(struct datfile *datfile, uint64_t offset, uint64_t end)
{
	uint32_t page_bytes = datfile->layout.page_bytes;
	uint64_t filled = input_file_skip_hole(&datfile->file, offset);
	uint64_t before = 0;

	/* the stamps of a hole's pages are 0 */
	offset += ((filled < end ? filled : end) - offset) / page_bytes * page_bytes;
	for (; end - offset >= page_bytes; offset += page_bytes) {
		uint64_t time;

		if (input_file_u64(&datfile->file, offset, &time) < 0)
			return end;
		if (time < before)
			return offset;
		before = time;
	}
	return end;
}

/* The file ends within the pages of that CPU: the rest of them is missing, and all of the later
   CPUs. */
static void salvage_lose(struct datfile *datfile, unsigned cpu, size_t buffer)
{
	do {
		size_t stream = datfile_add_stream(datfile, cpu, buffer);

		if (stream != SIZE_MAX)
			datfile_add_loss(datfile, stream);
	} while (++cpu < datfile->opening->option_cpus);
}

static void salvage_section(struct datfile *datfile, const struct section *section, size_t buffer)
{
	bool is_packed = section->is_packed && datfile->packing != PACKING_NONE;
	uint32_t page_bytes = datfile->layout.page_bytes;
	uint64_t end = section->offset + section->bytes;
	uint64_t offset = round_up(section->offset, page_bytes);
	unsigned cpu;

	for (cpu = 0; cpu < DATFILE_CPUS_MAX && offset < end; cpu++) {
		uint64_t stop = is_packed ? chunks_end(datfile, offset, end)
		                          : pages_end(datfile, offset, end);
		size_t stream;

		if (stop <= offset)
			break;
		stream = datfile_add_stream(datfile, cpu, buffer);
		if (stream == SIZE_MAX)
			break;
		datfile_add_extent(datfile, stream, offset, stop - offset, is_packed);
		offset = round_up(stop, page_bytes);
	}
	if (end == datfile->file.bytes)
		salvage_lose(datfile, cpu ? cpu - 1 : 0, buffer);
}

/* True if a BUFFER option refers to the section that begins at `offset`. */
static bool section_is_known(const struct datfile *datfile, uint64_t offset)
{
	for (size_t i = 0; i < datfile->opening->buffer_option_count; i++)
		if (datfile->opening->buffer_options[i].offset == offset)
			return true;
	return false;
}

/* Second round, after the options' buffers: pages that no option refers to. */
static void datfile_salvage_buffers(struct datfile *datfile)
{
	uint64_t offset = datfile->opening->header_end;
	struct section section;
	unsigned found = 0;

	for (unsigned i = 0; i < SECTIONS_MAX && salvage_next(datfile, &offset, &section); i++) {
		char name[32] = "";
		size_t buffer;

		if (section.id != SECTION_BUFFER ||
		    section_is_known(datfile, section.offset - SECTION_HEAD_BYTES))
			continue;
		if (datfile->stream_count > 0)
			(void)snprintf(name, sizeof(name), "unnamed %u", ++found);
		buffer = datfile_add_buffer(datfile, name, 0);
		if (buffer != SIZE_MAX)
			salvage_section(datfile, &section, buffer);
		source_damage(&datfile->source, &datfile->text,
		              "the table of a buffer is lost: its cpus are numbered as they stand");
	}
}

/* Covers the section at `offset`; returns whether there is one. Sections of names and the like,
   which nothing refers to, follow the known ones. Options and pages are always referred to; a page
   that was moved here may look like a section of them. */
static bool cover_section(struct datfile *datfile, uint64_t offset, bool is_referred)
{
	struct section section;

	if (offset == 0 || datfile_section_at(datfile, offset, &section) < 0 ||
	    section.bytes > datfile->file.bytes - section.offset ||
	    (!is_referred && (section.id < SECTION_STRINGS || section.id > SECTION_LAST ||
	                      section.bytes == 0)))
		return false;
	datfile_cover(datfile, section.offset + section.bytes);
	return true;
}

/* Covers the sections found, and those that follow them without a gap. */
static void datfile_cover_sections(struct datfile *datfile)
{
	const struct datfile_opening *opening = datfile->opening;
	unsigned further = 0;

	for (size_t i = 0; i < opening->options_seen_count; i++)
		(void)cover_section(datfile, opening->options_seen[i], /* is_referred= */ true);
	for (size_t i = 0; i < ARRAY_SIZE(opening->section_at); i++)
		(void)cover_section(datfile, opening->section_at[i], /* is_referred= */ true);
	while (further < SECTIONS_MAX && cover_section(datfile, opening->covered, false))
		further++;
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
	                 section->offset + section->bytes);
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

/* Reads all of it, and salvages what it can if the chain is broken. */
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
	if (!is_broken)
		datfile_cover_sections(datfile);
	else /* its end is unknown */
		datfile_cover(datfile, datfile->file.bytes);
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
