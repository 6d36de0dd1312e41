/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "datfile.h"

#include <errno.h>

#include "base/byte_order.h"
#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/data/order.h"
#include "base/xalloc.h"
#include "foreign_file.h"
#include "ftwait/stream.h"
#include "source/source_notes.h"

/*
 * What follows everything the file refers to. Writers pad with zeros and stop; anything else is of
 * another origin, as after `cat a.dat b.dat`, and must not be skipped silently.
 */

#define SCAN_BYTES   (64u << 10)
#define SECTIONS_MAX 4096u

static void cover_section_at(struct datfile *datfile, uint64_t offset)
{
	struct section section;

	if (offset && datfile_section_at(datfile, offset, &section) == 0 &&
	    section.bytes <= datfile->file.bytes - section.offset)
		datfile_cover(datfile, section.offset + section.bytes);
}

/* Sections of names and the like, which nothing refers to, follow the known ones. Options and pages
   are always referred to; a page that was moved here may look like a section of them. */
static bool cover_next_section(struct datfile *datfile)
{
	struct section section;

	if (datfile_section_at(datfile, datfile->opening->covered, &section) < 0 ||
	    section.id < SECTION_STRINGS || section.id > SECTION_LAST || section.bytes == 0 ||
	    section.bytes > datfile->file.bytes - section.offset)
		return false;
	datfile_cover(datfile, section.offset + section.bytes);
	return true;
}

void datfile_cover_sections(struct datfile *datfile)
{
	for (size_t i = 0; i < datfile->opening->options_seen_count; i++)
		cover_section_at(datfile, datfile->opening->options_seen[i]);
	for (size_t i = 0; i < ARRAY_SIZE(datfile->opening->section_at); i++)
		cover_section_at(datfile, datfile->opening->section_at[i]);
	for (unsigned i = 0; i < SECTIONS_MAX && cover_next_section(datfile); i++)
		;
}

/* The first byte from `offset` up to `end` that is not 0; `end` if there is none. */
static uint64_t find_content(const struct datfile *datfile, uint64_t offset, uint64_t end)
{
	_cleanup_(freep) uint8_t *piece = xmalloc(SCAN_BYTES);
	int64_t got;

	for (;;) {
		offset = input_file_skip_hole(&datfile->file, offset);
		if (offset >= end)
			return end;
		got = input_file_read_some(&datfile->file, offset, piece,
		                           end - offset < SCAN_BYTES ? (size_t)(end - offset)
		                                                     : SCAN_BYTES);
		if (got <= 0)
			return end;
		for (int64_t i = 0; i < got; i++)
			if (piece[i])
				return offset + (uint64_t)i;
		offset += (uint64_t)got;
	}
}

static bool trace_begins_at(const struct datfile *datfile, uint64_t offset)
{
	uint8_t magic[STREAM_MAGIC_BYTES] = {0};
	enum trace_kind kind;

	(void)input_file_read_some(&datfile->file, offset, magic, sizeof(magic));
	kind = trace_kind_of(magic, sizeof(magic));
	return kind == TRACE_STREAM || kind == TRACE_DATFILE;
}

void datfile_note_tail(struct datfile *datfile)
{
	uint64_t at = find_content(datfile, datfile->opening->covered, datfile->file.bytes);

	if (at >= datfile->file.bytes)
		return;
	if (trace_begins_at(datfile, at))
		DATFILE_DAMAGE(datfile, "damaged: another trace begins at byte %llu, and only the "
		               "first one is read: report them apart (tail -c +%llu gives the "
		               "other)", (unsigned long long)at, (unsigned long long)at + 1);
	else
		DATFILE_DAMAGE(datfile, "damaged: what stands from byte %llu on belongs to no part "
		               "of this trace and is not read", (unsigned long long)at);
}

ORDER_FUNCTION(claim_compare, struct claim, RISING(x, y, begin))

void claim_list_add(struct claim_list *list, uint64_t begin, uint64_t bytes)
{
	if (bytes == 0 || bytes > UINT64_MAX - begin)
		return;
	LIST_ADD(list->claim, struct claim) = (struct claim){begin, begin + bytes};
}

void claim_list_release(struct claim_list *list)
{
	free(list->claim);
	*list = (struct claim_list){0};
}

/* Notes the first bytes of the section that no pages claim, except zeros; returns whether there are
   any. `pages` are sorted. */
static bool datfile_note_unclaimed_in(struct datfile *datfile, const struct claim *section,
                                      const struct claim_list *pages)
{
	uint64_t at = section->begin;
	uint64_t end = section->end < datfile->file.bytes ? section->end : datfile->file.bytes;

	for (size_t i = 0; i <= pages->count && at < end; i++) {
		const struct claim *claim = i < pages->count ? &pages->claim[i] : NULL;
		uint64_t stop = claim && claim->begin < end ? claim->begin : end;
		uint64_t found = at < stop ? find_content(datfile, at, stop) : stop;

		if (found < stop) {
			DATFILE_DAMAGE(datfile, "damaged: the pages at byte %llu are of no CPU "
			               "that the file describes and are not read",
			               (unsigned long long)found);
			return true;
		}
		if (claim && claim->end > at)
			at = claim->end;
	}
	return false;
}

void datfile_note_unclaimed(struct datfile *datfile, const struct claim_list *sections,
                            struct claim_list *pages)
{
	array_sort(pages->claim, pages->count, sizeof(*pages->claim), claim_compare);
	for (size_t i = 0; i < sections->count; i++)
		if (datfile_note_unclaimed_in(datfile, &sections->claim[i], pages))
			return;
}

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
		*ret = datfile_cursor(datfile, section->offset, section->offset + section->bytes);
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

/* A valid chain has a handful of sections, and never the same one twice. */
static int datfile_mark_options(struct datfile *datfile, uint64_t offset)
{
	struct datfile_opening *opening = datfile->opening;

	if (opening->options_seen_count >= CHAIN_MAX)
		return -ELOOP;
	for (size_t i = 0; i < opening->options_seen_count; i++)
		if (opening->options_seen[i] == offset)
			return -EALREADY;
	LIST_ADD(opening->options_seen, uint64_t) = offset;
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
	r = datfile_read_options(datfile, &cursor, OPTIONS_TO_NEXT, ret_next);
	cursor_release(&cursor);
	return r;
}
