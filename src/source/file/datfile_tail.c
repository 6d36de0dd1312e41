/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What follows everything the file refers to. Writers pad with zeros and stop; anything else is of
 * another origin, as after `cat a.dat b.dat`, and must not be skipped silently.
 */
#include "datfile.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/xalloc.h"
#include "foreign_file.h"
#include "ftwait/stream.h"
#include "source/source_notes.h"

#define SCAN_BYTES (64u << 10)

void datfile_cover(struct datfile *datfile, uint64_t end)
{
	if (end > datfile->opening->covered)
		datfile->opening->covered = end;
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

	(void)input_file_read_some(&datfile->file, offset, magic, sizeof(magic));
	return memcmp(magic, DATFILE_MAGIC, DATFILE_MAGIC_BYTES) == 0 ||
	       memcmp(magic, STREAM_MAGIC, STREAM_MAGIC_BYTES) == 0;
}

void datfile_note_tail(struct datfile *datfile)
{
	uint64_t at = find_content(datfile, datfile->opening->covered, datfile->file.bytes);

	if (at >= datfile->file.bytes)
		return;
	if (trace_begins_at(datfile, at))
		source_damage(&datfile->source, &datfile->text,
		              "damaged: another trace begins at byte %llu, and only the first one "
		              "is read: report them apart (tail -c +%llu gives the other)",
		              (unsigned long long)at, (unsigned long long)at + 1);
	else
		source_damage(&datfile->source, &datfile->text,
		              "damaged: what stands from byte %llu on belongs to no part of this "
		              "trace and is not read", (unsigned long long)at);
}

static int claim_compare(const void *left, const void *right)
{
	const struct claim *one = left, *other = right;

	return (one->begin > other->begin) - (one->begin < other->begin);
}

void claim_list_add(struct claim_list *list, uint64_t begin, uint64_t bytes)
{
	if (bytes == 0 || bytes > UINT64_MAX - begin)
		return;
	ARRAY_GROW(list->claim, list->count, list->capacity);
	list->claim[list->count++] = (struct claim){begin, begin + bytes};
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
			source_damage(&datfile->source, &datfile->text,
			              "damaged: the pages at byte %llu are of no CPU that the file "
			              "describes and are not read", (unsigned long long)found);
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
