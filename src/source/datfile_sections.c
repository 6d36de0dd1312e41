/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Version 7: a chain of options sections says where the other sections are. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/byte_order.h"
#include "base/cleanup.h"
#include "base/xalloc.h"
#include "datfile.h"
#include "source.h"

#define CHAIN_MAX         1024u
#define PACKED_HEAD_BYTES 8u
/* Unpacked bytes of all sections together; honest files have a few MiB. */
#define SECTIONS_TOTAL_MAX (256u << 20)

int datfile_section_at(struct datfile *datfile, uint64_t offset, struct section *ret)
{
	uint8_t head[SECTION_HEAD_BYTES];
	int r = input_file_read(&datfile->file, offset, head, sizeof(head));

	if (r < 0)
		return r;
	*ret = (struct section){
		.id = load_u16(head, datfile->is_swapped),
		.is_packed = load_u16(head + 2, datfile->is_swapped) & 1,
		.offset = offset + SECTION_HEAD_BYTES,
		.bytes = load_u64(head + 8, datfile->is_swapped),
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
	from = load_u32(head, datfile->is_swapped);
	to = load_u32(head + 4, datfile->is_swapped);
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

/* A cursor over the section's text; *ret_memory is what it stands in, to be freed after it. */
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
		                 section->offset + section->bytes, datfile->is_swapped);
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
	cursor_init_memory(ret, text, to, datfile->is_swapped);
	*ret_memory = TAKE_PTR(text);
	return 0;
}

/* Options up to the one that ends the section, whose text is the offset of the next section. */
static int datfile_read_chained_options(struct datfile *datfile, struct cursor *cursor,
                                        uint64_t *ret_next)
{
	while (cursor_left(cursor) > 0) {
		struct option_text option = {.id = cursor_u16(cursor)};

		option.size = cursor_u32(cursor);
		option.bytes = cursor_take(cursor, option.size);
		if (!option.bytes)
			return cursor->error;
		if (option.id == 0) {
			*ret_next = option.size >= 8 ? load_u64(option.bytes, datfile->is_swapped)
			                             : 0;
			return 0;
		}
		datfile_take_option(datfile, &option);
	}
	return cursor->error ? cursor->error : -ENODATA;
}

/* An honest chain has a handful of sections, and never the same one twice. */
static int datfile_mark_options(struct datfile *datfile, uint64_t offset)
{
	if (datfile->options_seen_count >= CHAIN_MAX)
		return -ELOOP;
	for (size_t i = 0; i < datfile->options_seen_count; i++)
		if (datfile->options_seen[i] == offset)
			return -EALREADY;
	ARRAY_GROW(datfile->options_seen, datfile->options_seen_count,
	           datfile->options_seen_capacity);
	datfile->options_seen[datfile->options_seen_count++] = offset;
	return 0;
}

int datfile_read_options_section(struct datfile *datfile, uint64_t offset, uint64_t *ret_next)
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

/* Follows the chain to its end; 0, or why it broke. */
static int datfile_follow_options(struct datfile *datfile)
{
	uint64_t offset = datfile->options_offset;
	int r = offset ? 0 : -ENODATA; /* a writer that died did not come to fill it in */

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
		uint64_t offset = datfile->section_at[section_kinds[i].id - SECTION_HEADER_INFO];
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
	if (is_broken) {
		datfile_salvage_buffers(datfile);
		/* nobody can tell where it should end */
		datfile_cover(datfile, datfile->file.bytes);
	} else {
		datfile_cover_sections(datfile);
	}
	if (datfile->stream_count > 0 || (!is_broken && !datfile->has_text_buffer))
		return 0;
	if (datfile->has_text_buffer) {
		buffer_puts(why, "it holds the text of a latency tracer, no events; record it with "
		                 "events enabled");
		return -ENOTSUP;
	}
	buffer_printf(why, "truncated or damaged: its %llu bytes hold no readable events; fetch "
	              "the whole file or record again", (unsigned long long)datfile->file.bytes);
	return -ENODATA;
}
