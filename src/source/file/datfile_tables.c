/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Version 6 after its head: options, then tables with the place of each CPU's pages. If the head
 * is damaged, the first word of what follows it is searched for.
 */
#include "datfile.h"

#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/xalloc.h"
#include "source/source_notes.h"

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
	const uint8_t *text;
	const char *clock;

	if (cursor->error || size == 0 || size > CLOCK_MAX_BYTES)
		return;
	text = cursor_take(cursor, size);
	clock = text ? datfile_clock(datfile, (const char *)text,
	                             strnlen((const char *)text, (size_t)size))
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

	if (cpus > cursor_left(cursor) / TABLE_ROW_BYTES)
		return -ENODATA;
	rows_end = cursor->offset + cpus * TABLE_ROW_BYTES;
	for (unsigned cpu = 0; cpu < cpus; cpu++) {
		uint64_t offset = cursor_u64(cursor);
		uint64_t bytes = cursor_u64(cursor);
		size_t stream;

		if (cursor->error)
			break;
		/* a CPU without pages may have no place, which is 0 then */
		if (offset >= rows_end && offset < first)
			first = offset;
		claim_list_add(&pages, offset, bytes);
		stream = datfile_add_stream(datfile, cpu, buffer);
		if (stream != SIZE_MAX)
			datfile_add_extent(datfile, stream, offset, bytes, /* is_packed= */ false);
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

/* The options of a buffer, if any, and its table. */
static int datfile_read_buffer_table(struct datfile *datfile, struct cursor *cursor,
                                     const char *name)
{
	const struct datfile_opening *opening = datfile->opening;
	enum table_word word = cursor_word(cursor);
	size_t buffer;
	int r = 0;

	datfile->opening->figures_buffer = name;
	if (word == WORD_OPTIONS) {
		r = datfile_read_options(datfile, cursor, /* ends_with_zero= */ true);
		word = cursor_word(cursor);
	}
	if (word == WORD_LATENCY)
		return -ENOTSUP;
	if (r == 0 && word != WORD_FLYRECORD)
		r = cursor->error ? cursor->error : -EINVAL;
	if (r < 0)
		return r;
	buffer = datfile_add_buffer(datfile, name, 0);
	if (buffer == SIZE_MAX)
		return -EINVAL;
	return datfile_read_table(datfile, cursor, buffer,
	                          opening->option_cpus ? opening->option_cpus
	                                               : opening->header_cpus);
}

static void datfile_read_further_buffer(struct datfile *datfile, const struct buffer_option *option)
{
	unsigned main_cpus = datfile->opening->option_cpus;
	struct cursor cursor;

	/* The copy of the option ends with a NUL that we added. */
	if (option->size <= 8)
		return;
	cursor_init_file(&cursor, &datfile->file, option->offset, datfile->file.bytes);
	if (cursor.error ||
	    datfile_read_buffer_table(datfile, &cursor, (const char *)option->bytes + 8) < 0)
		source_damage(&datfile->source, &datfile->text,
		              "%s: the table of a further buffer at byte %llu cannot be read",
		              option->offset >= datfile->file.bytes ? "cut short" : "damaged",
		              (unsigned long long)option->offset);
	datfile->opening->option_cpus = main_cpus;
	cursor_release(&cursor);
}

int datfile_read_tables(struct datfile *datfile, struct cursor *cursor, struct buffer *why)
{
	size_t further;
	int r = datfile_read_buffer_table(datfile, cursor, "");

	if (r == -ENOTSUP) {
		buffer_puts(why, "it holds the text of a latency tracer, no events; record it with "
		                 "events enabled");
		return r;
	}
	if (r < 0) {
		buffer_printf(why, "%s inside the table of CPUs at byte %llu: nothing can be read; "
		              "fetch the whole file or record again",
		              r == -ENODATA ? "truncated" : "damaged",
		              (unsigned long long)(r == -ENODATA ? datfile->file.bytes
		                                                 : cursor->offset));
		return r;
	}
	further = datfile->opening->buffer_option_count;
	for (size_t i = 0; i < further; i++) {
		struct buffer_option option = datfile->opening->buffer_options[i];

		datfile_read_further_buffer(datfile, &option);
	}
	return 0;
}

#define SCAN_BYTES   (64u << 10)
#define ATTEMPTS_MAX 16u

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
		struct cursor cursor;
		struct buffer why;
		uint32_t cpus = 0;

		/* The CPU count stands directly before the word. */
		(void)input_file_u32(&datfile->file, at - sizeof(cpus), &cpus);
		datfile->opening->header_cpus = cpus;
		buffer_init(&why, BUFFER_LIMIT_DEFAULT);
		cursor_init_file(&cursor, &datfile->file, at, datfile->file.bytes);
		if (datfile->opening->header_cpus > 0 &&
		    datfile->opening->header_cpus <= DATFILE_CPUS_MAX)
			r = datfile_read_tables(datfile, &cursor, &why);
		cursor_release(&cursor);
		buffer_release(&why);
		at = find_word(datfile, at + 1);
	}
	return r;
}
