/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Version 6 after its head: options, then the tables with the place of each CPU's pages. */
#include "datfile_tables.h"

#include <errno.h>
#include <string.h>

#include "base/byte_order.h"
#include "source/file/datfile_options.h"
#include "source/file/datfile_streams.h"
#include "datfile_tail.h"
#include "source_notes.h"

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

/* A further buffer: at its offset are its own options, if any, and its table. */
static int datfile_read_further_table(struct datfile *datfile, struct cursor *cursor,
                                      const char *name)
{
	unsigned main_cpus = datfile->opening->option_cpus, cpus;
	enum table_word word = cursor_word(cursor);
	size_t buffer;
	int r = 0;

	datfile->opening->figures_buffer = name;
	if (word == WORD_OPTIONS) {
		r = datfile_read_options(datfile, cursor, /* ends_with_zero= */ true);
		word = cursor_word(cursor);
	}
	cpus = datfile->opening->option_cpus ? datfile->opening->option_cpus
	                                     : datfile->opening->header_cpus;
	datfile->opening->option_cpus = main_cpus;
	if (r < 0 || word != WORD_FLYRECORD)
		return -EINVAL;
	buffer = datfile_add_buffer(datfile, name, 0);
	if (buffer == SIZE_MAX)
		return -EINVAL;
	return datfile_read_table(datfile, cursor, buffer, cpus);
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
	cursor_init_file(&cursor, &datfile->file, offset, datfile->file.bytes, datfile->is_swapped);
	if (cursor.error || datfile_read_further_table(datfile, &cursor, name) < 0)
		source_damage(&datfile->source, &datfile->text,
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
		r = datfile_read_options(datfile, cursor, /* ends_with_zero= */ true);
		word = cursor_word(cursor);
	}
	if (word == WORD_LATENCY) {
		buffer_puts(why, "it holds the text of a latency tracer, no events; record it with "
		                 "events enabled");
		return -ENOTSUP;
	}
	if (r == 0 && word == WORD_FLYRECORD)
		r = datfile_read_table(datfile, cursor, 0,
		                       datfile->opening->option_cpus ? datfile->opening->option_cpus
		                                            : datfile->opening->header_cpus);
	else if (r == 0)
		r = cursor->error ? cursor->error : -EINVAL;
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
