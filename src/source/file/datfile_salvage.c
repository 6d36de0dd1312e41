/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Version 6: if the head is damaged, the first word of what follows it is searched for.
 *
 * A version 7 file that was cut, or whose writer died, has lost its last options sections: those
 * with the place of each CPU's pages. But sections stand back to back, and within a section of
 * pages the CPUs stand in order, each at a multiple of the page size; so nearly all can be found.
 * CPU numbers are then assumed to count from 0.
 */
#include "datfile.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/byte_order.h"
#include "base/cleanup.h"
#include "base/xalloc.h"
#include "source/source_notes.h"

/* Version 6 after its head: options, then the tables with the place of each CPU's pages. */

#define WORD_BYTES       10u
#define TABLE_ROW_BYTES  16u
#define CLOCK_MAX_BYTES  1024u

enum table_word {
	WORD_OPTIONS,
	WORD_FLYRECORD,
	WORD_LATENCY,
	WORD_UNKNOWN,
};

static enum table_word cursor_word(struct cursor *cursor)
{
	static const char words[][WORD_BYTES + 1] = {
		[WORD_OPTIONS] = "options  ",
		[WORD_FLYRECORD] = "flyrecord",
		[WORD_LATENCY] = "latency  ",
	};
	const uint8_t *at = cursor_take(cursor, WORD_BYTES);
	unsigned word = WORD_OPTIONS;

	while (at && word < WORD_UNKNOWN && memcmp(at, words[word], WORD_BYTES) != 0)
		word++;
	return at ? (enum table_word)word : WORD_UNKNOWN;
}

/*
 * Files without the option TRACECLOCK may have the clock after the table, as a length and the text.
 * Nothing announces it: there may as well be padding or the first page.
 */
static void datfile_read_table_clock(struct datfile *datfile, struct cursor *cursor)
{
	uint64_t size = cursor_u64(cursor);
	const char *text, *clock;

	if (cursor->error || size == 0 || size > CLOCK_MAX_BYTES)
		return;
	text = (const char *)cursor_take(cursor, size);
	clock = text ? datfile_clock(datfile, (struct text_line){
			       text, text + strnlen(text, (size_t)size)})
	             : NULL;
	if (!clock)
		return;
	datfile_cover(datfile, cursor->offset);
	if (!datfile->source.clock)
		datfile->source.clock = clock;
}

/* Notes bytes between the pages of a table's CPUs. Those pages follow each other, so such bytes
   belong to one of the CPUs, such as one whose row has lost its size. `first`: where the first page
   is. Sorts `pages`. */
static void datfile_note_between(struct datfile *datfile, uint64_t first, struct claim_list *pages)
{
	struct claim_list whole = {0};
	uint64_t end = first;

	for (size_t i = 0; i < pages->count; i++)
		if (pages->claim[i].end > end)
			end = pages->claim[i].end;
	claim_list_add(&whole, first, end - first);
	datfile_note_unclaimed(datfile, &whole, pages);
	claim_list_release(&whole);
}

static int datfile_read_table(struct datfile *datfile, struct cursor *cursor, size_t buffer,
                              unsigned cpus)
{
	uint64_t first = UINT64_MAX, rows_end;
	struct claim_list pages = {0};
	int r;

	if (buffer == SIZE_MAX)
		return -EINVAL;
	if (cpus > cursor_left(cursor) / TABLE_ROW_BYTES)
		return -ENODATA;
	rows_end = cursor->offset + cpus * TABLE_ROW_BYTES;
	for (unsigned cpu = 0; cpu < cpus; cpu++) {
		uint64_t offset = cursor_u64(cursor);
		uint64_t bytes = cursor_u64(cursor);

		if (cursor->error)
			break;
		/* a CPU without pages may have no place, which is 0 then */
		if (offset >= rows_end && offset < first)
			first = offset;
		claim_list_add(&pages, offset, bytes);
		(void)datfile_add_pages(datfile, cpu, buffer, offset, bytes, false);
	}
	r = cursor->error;
	if (r == 0) {
		datfile_cover(datfile, cursor->offset);
		datfile_read_table_clock(datfile, cursor);
		datfile_note_between(datfile, first, &pages);
	}
	claim_list_release(&pages);
	return r;
}

/* A further buffer: at its offset are its own options, if any, and its table. */
static int datfile_read_further_table(struct datfile *datfile, struct cursor *cursor,
                                      const char *name)
{
	unsigned main_cpus = datfile->opening->option_cpus, cpus;
	enum table_word word = cursor_word(cursor);
	int r = 0;

	datfile->opening->figures_buffer = name;
	if (word == WORD_OPTIONS) {
		r = datfile_read_options(datfile, cursor, OPTIONS_TO_ZERO, NULL);
		word = cursor_word(cursor);
	}
	cpus = datfile_known_cpus(datfile);
	datfile->opening->option_cpus = main_cpus;
	if (r < 0 || word != WORD_FLYRECORD)
		return -EINVAL;
	return datfile_read_table(datfile, cursor, datfile_add_buffer(datfile, name, 0), cpus);
}

static void datfile_read_further_buffer(struct datfile *datfile, const struct buffer_option *option)
{
	struct cursor cursor;
	const char *name = (const char *)option->bytes + 8;
	uint64_t offset;

	/* The copy of the option ends with a NUL that we added. */
	if (option->size <= 8)
		return;
	offset = load_u64(option->bytes, datfile->is_swapped);
	cursor = datfile_cursor(datfile, offset, datfile->file.bytes);
	if (cursor.error || datfile_read_further_table(datfile, &cursor, name) < 0)
		DATFILE_DAMAGE(datfile,
		               "%s: the table of a further buffer at byte %llu cannot be read",
		               offset >= datfile->file.bytes ? "cut short" : "damaged",
		               (unsigned long long)offset);
	cursor_release(&cursor);
}

int datfile_read_tables(struct datfile *datfile, struct cursor *cursor, struct buffer *why)
{
	enum table_word word = cursor_word(cursor);
	size_t further;
	int r = 0;

	if (word == WORD_OPTIONS) {
		r = datfile_read_options(datfile, cursor, OPTIONS_TO_ZERO, NULL);
		word = cursor_word(cursor);
	}
	if (word == WORD_LATENCY)
		return datfile_refuse_latency(why);
	if (r == 0 && word == WORD_FLYRECORD)
		r = datfile_read_table(datfile, cursor, 0, datfile_known_cpus(datfile));
	else if (r == 0)
		r = cursor->error ? cursor->error : -EINVAL;
	if (r < 0)
		return buffer_fail(why, r, "%s inside the table of CPUs at byte %llu: nothing "
		                   "can be read; fetch the whole file or record again",
		                   r == -ENODATA ? "truncated" : "damaged",
		                   (unsigned long long)(r == -ENODATA ? datfile->file.bytes
		                                                      : cursor->offset));
	further = datfile->opening->buffer_option_count;
	for (size_t i = 0; i < further; i++) {
		struct buffer_option option = datfile->opening->buffer_options[i];

		datfile_read_further_buffer(datfile, &option);
	}
	return 0;
}

#define SCAN_BYTES    (64u << 10)
#define ATTEMPTS_MAX  16u
#define SECTIONS_MAX  4096u
#define CHUNKS_MAX    (1u << 22)

/* The first "options" or "flyrecord" at or after `offset`; UINT64_MAX if there is none. */
static uint64_t find_word(const struct datfile *datfile, uint64_t offset)
{
	_cleanup_(freep) uint8_t *piece = xmalloc(SCAN_BYTES);
	int64_t got;

	offset = input_file_skip_hole(&datfile->file, offset);
	while ((got = input_file_read_some(&datfile->file, offset, piece, SCAN_BYTES)) >=
	       (int64_t)WORD_BYTES) {
		const uint8_t *options = memmem(piece, (size_t)got, "options  ", WORD_BYTES);
		const uint8_t *table = memmem(piece, (size_t)got, "flyrecord", WORD_BYTES);

		if (options || table)
			return offset + (uint64_t)((options && (!table || options < table)
			                                    ? options : table) - piece);
		/* A word may lie across the border. */
		offset = input_file_skip_hole(&datfile->file,
		                              offset + (uint64_t)got - WORD_BYTES + 1);
	}
	return UINT64_MAX;
}

int datfile_salvage_tables(struct datfile *datfile, uint64_t from)
{
	uint64_t at = find_word(datfile, from);
	int r = -ENODATA;

	for (unsigned i = 0; r < 0 && i < ATTEMPTS_MAX && at != UINT64_MAX; i++) {
		uint8_t cpus[4] = {0};
		_cleanup_(buffer_release) struct buffer why = {0};
		struct cursor cursor = datfile_cursor(datfile, at, datfile->file.bytes);

		/* The CPU count stands directly before the word. */
		(void)input_file_read(&datfile->file, at - sizeof(cpus), cpus, sizeof(cpus));
		datfile->opening->header_cpus = load_u32(cpus, datfile->is_swapped);
		if (datfile->opening->header_cpus > 0 &&
		    datfile->opening->header_cpus <= DATFILE_CPUS_MAX)
			r = datfile_read_tables(datfile, &cursor, &why);
		cursor_release(&cursor);
		at = find_word(datfile, at + 1);
	}
	return r;
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

void datfile_salvage_sections(struct datfile *datfile)
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

static uint64_t round_up(uint64_t offset, uint32_t page_bytes)
{
	return (offset + page_bytes - 1) & ~((uint64_t)page_bytes - 1);
}

/* The end of the chunks that begin at `offset`; `end` if they reach it or make no sense. */
static uint64_t chunks_end(struct datfile *datfile, uint64_t offset, uint64_t end)
{
	uint8_t head[8];
	uint32_t count;

	if (end - offset < 4 || input_file_read(&datfile->file, offset, head, 4) < 0)
		return end;
	count = load_u32(head, datfile->is_swapped);
	offset += 4;
	for (uint32_t i = 0; i < count && i < CHUNKS_MAX; i++) {
		uint32_t bytes;

		if (end - offset < sizeof(head) ||
		    input_file_read(&datfile->file, offset, head, sizeof(head)) < 0)
			return end;
		bytes = load_u32(head, datfile->is_swapped);
		offset += sizeof(head);
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
		uint8_t stamp[8];
		uint64_t time;

		if (input_file_read(&datfile->file, offset, stamp, sizeof(stamp)) < 0)
			return end;
		time = load_u64(stamp, datfile->is_swapped);
		if (time < before)
			return offset;
		before = time;
	}
	return end;
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

		if (stop <= offset ||
		    !datfile_add_pages(datfile, cpu, buffer, offset, stop - offset, is_packed))
			break;
		offset = round_up(stop, page_bytes);
	}
	if (end < datfile->file.bytes)
		return;
	/* the rest of the last CPU's pages is missing, and all of the later CPUs */
	cpu = cpu ? cpu - 1 : 0;
	do
		datfile_lose_pages(datfile, cpu, buffer);
	while (++cpu < datfile->opening->option_cpus);
}

/* True if a BUFFER option refers to the section that begins at `offset`. */
static bool section_is_known(const struct datfile *datfile, uint64_t offset)
{
	for (size_t i = 0; i < datfile->opening->buffer_option_count; i++) {
		const struct buffer_option *option = &datfile->opening->buffer_options[i];

		if (option->size >= 8 && load_u64(option->bytes, datfile->is_swapped) == offset)
			return true;
	}
	return false;
}

void datfile_salvage_buffers(struct datfile *datfile)
{
	uint64_t offset = datfile->opening->header_end;
	struct section section;
	unsigned found = 0;

	for (unsigned i = 0; i < SECTIONS_MAX && salvage_next(datfile, &offset, &section); i++) {
		char name[32] = "";

		if (section.id != SECTION_BUFFER ||
		    section_is_known(datfile, section.offset - SECTION_HEAD_BYTES))
			continue;
		if (datfile->feed_count > 0)
			(void)snprintf(name, sizeof(name), "unnamed %u", ++found);
		salvage_section(datfile, &section, datfile_add_buffer(datfile, name, 0));
		DATFILE_DAMAGE(datfile, "the table of a buffer is lost: its cpus are numbered as "
		               "they stand");
	}
}
