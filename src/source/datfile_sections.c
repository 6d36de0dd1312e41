/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Version 7: a chain of options sections has the offsets of the other sections. */
#include "datfile_sections.h"

#include <errno.h>

#include "base/array.h"
#include "base/cleanup.h"
#include "datfile_buffers.h"
#include "datfile_header.h"
#include "datfile_salvage.h"
#include "datfile_section.h"
#include "datfile_tail.h"
#include "source_notes.h"

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
