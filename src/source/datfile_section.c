/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "source/file/datfile_section.h"

#include <errno.h>

#include "base/data/array.h"
#include "base/byte_order.h"
#include "base/cleanup.h"
#include "base/xalloc.h"
#include "source/file/datfile_options.h"

#define CHAIN_MAX 1024u
/* Unpacked bytes of all sections together; valid files have a few MiB. */
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

int datfile_packed_sizes(struct datfile *datfile, const struct section *section,
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

int datfile_section_cursor(struct datfile *datfile, const struct section *section,
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

/* Reads options up to the one that ends the section, whose text is the offset of the next section.
   If more follows in the section, a damaged option hides it. */
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
