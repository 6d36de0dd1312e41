/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "datfile_source.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/nsec_scale.h"
#include "base/text/format.h"
#include "base/xalloc.h"
#include "datfile.h"
#include "ftwait/stream.h"
#include "source/source_notes.h"

/* Version 7 after its magic: a chain of options sections has the offsets of the other sections. */

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
	return page_size_is_sane(page_bytes) ? page_bytes : 0;
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

		/* The size of packed pages excludes the count of chunks that precedes them. */
		if (is_packed && bytes > 0 && bytes <= UINT64_MAX - CHUNK_COUNT_BYTES)
			bytes += CHUNK_COUNT_BYTES;
		if (cursor->error || cpu >= DATFILE_CPUS_MAX ||
		    !datfile_add_pages(datfile, cpu, buffer, offset, bytes, is_packed))
			return -EINVAL;
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

	name = cursor_string(cursor, NAME_BYTES_MAX);
	clock = cursor_string(cursor, NAME_BYTES_MAX);
	if (!name || !clock)
		return -EINVAL;
	if (!datfile->source.clock)
		datfile->source.clock = datfile_clock(datfile, line_of(clock));
	page_bytes = take_page_bytes(cursor);
	if (datfile_section_at(datfile, offset, &section) == 0 && section.id == SECTION_BUFFER) {
		is_packed = is_packed && section.is_packed;
		claim_list_add(sections, section.offset, section.bytes);
	}
	return take_rows(datfile, cursor, datfile_add_buffer(datfile, name, page_bytes), is_packed,
	                 pages);
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
			DATFILE_DAMAGE(datfile,
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

/* The text of the section is unpacked when it is asked for. */
static int datfile_place_packed_symbols(struct datfile *datfile, const struct section *section)
{
	uint32_t from, to;
	int r = datfile_packed_sizes(datfile, section, &from, &to);

	if (r == 0)
		datfile->symbols = (struct symbol_place){section->offset + PACKED_HEAD_BYTES, to,
		                                         true, from, NULL};
	return r;
}

static int datfile_read_section(struct datfile *datfile, size_t part, uint64_t offset)
{
	_cleanup_(freep) uint8_t *memory = NULL;
	struct cursor cursor = {0};
	struct section section;
	int r = datfile_section_at(datfile, offset, &section);

	if (r < 0)
		return r;
	if (section.id != SECTION_HEADER_INFO + part)
		return -EINVAL;
	if (section.id == SECTION_SYMBOLS && section.is_packed)
		return datfile_place_packed_symbols(datfile, &section);
	if (section.id == SECTION_SYMBOLS)
		cursor = datfile_cursor(datfile, section.offset, section.offset + section.bytes);
	else
		r = datfile_section_cursor(datfile, &section, &cursor, &memory);
	if (r < 0)
		return r;
	datfile_parts[part].read(datfile, &cursor);
	r = cursor.error;
	cursor_release(&cursor);
	return r;
}

static void datfile_read_known_sections(struct datfile *datfile)
{
	for (size_t i = 0; i < DATFILE_PARTS; i++) {
		uint64_t offset = datfile->opening->section_at[i];
		int r = offset ? datfile_read_section(datfile, i, offset) : 0;

		if (r < 0)
			DATFILE_DAMAGE(datfile, "%s: %s at byte %llu cannot be read",
			               r == -ENODATA ? "cut short" : "damaged",
			               datfile_parts[i].what, (unsigned long long)offset);
	}
}

/* Reads all of it, and salvages what it can if the chain is broken. */
static int datfile_read_sections(struct datfile *datfile, struct buffer *why)
{
	int r = datfile_follow_options(datfile);
	bool is_broken = r < 0;

	if (is_broken) {
		DATFILE_DAMAGE(datfile,
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
	if (datfile->feed_count > 0 || (!is_broken && !datfile->opening->has_text_buffer))
		return 0;
	if (datfile->opening->has_text_buffer)
		return datfile_refuse_latency(why);
	buffer_printf(why, "truncated or damaged: its %llu bytes hold no readable events; fetch "
	              "the whole file or record again", (unsigned long long)datfile->file.bytes);
	return -ENODATA;
}

/* Unpacks all of kallsyms on the first read; packed text cannot be read in pieces. */
static int datfile_unpack_symbols(struct datfile *datfile)
{
	struct symbol_place *place = &datfile->symbols;
	_cleanup_(freep) uint8_t *packed = NULL;
	_cleanup_(freep) uint8_t *text = NULL;
	size_t bytes = (size_t)place->bytes; /* DATFILE_SECTION_MAX at most, as they are packed */
	int r;

	if (place->text)
		return 0;
	packed = xmalloc(place->packed_bytes);
	r = input_file_read(&datfile->file, place->offset, packed, place->packed_bytes);
	if (r < 0)
		return r;
	text = xmalloc(bytes);
	r = unpack(datfile->packing, packed, place->packed_bytes, text, bytes);
	if (r < 0)
		return r;
	place->text = TAKE_PTR(text);
	return 0;
}

static int64_t datfile_read_symbols(struct source *source, uint64_t offset, char *to, size_t size)
{
	struct datfile *datfile = (struct datfile *)source;
	const struct symbol_place *place = &datfile->symbols;
	/* a packed section begins with the length of its text */
	uint64_t begin = place->is_packed ? sizeof(uint32_t) : 0;
	int r = place->is_packed ? datfile_unpack_symbols(datfile) : 0;

	if (r < 0) {
		DATFILE_DAMAGE(datfile, "damaged: the kernel's symbols before byte %llu cannot be "
		               "unpacked",
		               (unsigned long long)(place->offset + place->packed_bytes));
		return r;
	}
	if (place->bytes < begin || offset >= place->bytes - begin)
		return 0;
	if (size > place->bytes - begin - offset)
		size = (size_t)(place->bytes - begin - offset);
	if (!place->is_packed)
		return input_file_read_some(&datfile->file, place->offset + offset, to, size);
	memcpy(to, place->text + begin + offset, size);
	return (int64_t)size;
}

/* Frees what was needed only for opening: small machines need the memory. */
static void datfile_end_opening(struct datfile *datfile)
{
	struct datfile_opening *opening = TAKE_PTR(datfile->opening);

	if (!opening)
		return;
	map_release(&opening->stream_index);
	free(opening->figures);
	free(opening->buffer_options);
	free(opening->options_seen);
	free(opening);
}

static void datfile_close(struct source *source)
{
	struct datfile *datfile = (struct datfile *)source;

	for (size_t i = 0; i < datfile->feed_count; i++) {
		page_stream_release(&datfile->feeds[i].pages);
		free(datfile->feeds[i].extents);
		free(datfile->feeds[i].block);
	}
	input_file_release(&datfile->file);
	text_store_release(&datfile->text);
	datfile_end_opening(datfile);
	free(source_list_items(&source->formats));
	free(source_list_items(&source->streams));
	found_notes_release(&datfile->found);
	time_shift_release(&datfile->clock.host);
	free(datfile->buffers);
	free(datfile->feeds);
	free(datfile->symbols.text);
	free(datfile->reading.packed);
	free(datfile);
}

static int datfile_open_again(const struct source *source, struct source **ret,
                              struct buffer *why)
{
	const struct datfile *datfile = datfile_of(source);
	struct input_file file;
	int r = input_file_open_again(&datfile->file, &file, why);

	if (r == 0)
		return datfile->open(&file, ret, why);
	input_file_release(&file);
	return r;
}

static const struct source_ops datfile_ops = {
	.name = "native",
	.next_batch = datfile_next_batch,
	.read_symbols = datfile_read_symbols,
	.open_again = datfile_open_again,
	.close = datfile_close,
};

struct datfile *datfile_new(const struct input_file *file, input_opener *open)
{
	struct datfile *datfile = xcalloc(1, sizeof(*datfile));

	datfile->open = open;
	datfile->source.ops = &datfile_ops;
	datfile->source.stacks_buffer = UINT32_MAX;
	datfile->file = *file;
	datfile->source.health.failure = file->failure;
	datfile->opening = xcalloc(1, sizeof(*datfile->opening));
	found_notes_init(&datfile->found, &datfile->source, &datfile->text);
	map_init(&datfile->opening->stream_index);
	(void)datfile_add_buffer(datfile, "", 0);
	if (file->damage[0])
		DATFILE_DAMAGE(datfile, "%s", file->damage);
	return datfile;
}

/* Pairs of the recorder are better than trace-cmd's DATE, which is one difference. */
static void datfile_finish_realtime(struct datfile *datfile)
{
	struct realtime *realtime = &datfile->source.notes.realtime;
	int64_t offset = datfile->clock.offset;

	if (realtime->count > 0 || datfile->opening->date == 0 || datfile->clock.mult ||
	    datfile->clock.host.count)
		return;
	realtime->pair[realtime->count++] = (struct realtime_pair){
		.time = offset > 0 ? (nsec_t)offset : 0,
		.real = datfile->opening->date + (offset < 0 ? (nsec_t)-offset : 0),
	};
}

static void datfile_note_host_clock(struct datfile *datfile, uint32_t cpus)
{
	struct source *source = &datfile->source;
	const struct stamp_clock *clock = &datfile->clock;
	/* by how much the measurements on several CPUs differ: so wrong are some */
	nsec_t spread = time_shift_spread(&clock->host);

	if (clock->host.count == 0)
		return;
	if (clock->mult)
		spread = nsec_scale(spread, clock->mult, clock->shift);
	if (time_shift_has_all(&clock->host, cpus) && spread > 0)
		source_note(source, &datfile->text,
		            "times are on the clock of the host of this virtual machine, as "
		            "trace-cmd measured it on the first CPU (option TIME_SHIFT); what it "
		            "measured on others differs by up to %s", DURATION_TEXT(spread));
	else if (time_shift_has_all(&clock->host, cpus))
		source_note(source, &datfile->text,
		            "times are on the clock of the host of this virtual machine, as "
		            "trace-cmd measured it (option TIME_SHIFT)");
	else
		source_damage(source, &datfile->text,
		              "damaged: trace-cmd measured the clock of the host for some CPUs "
		              "only (option TIME_SHIFT); times of the others do not agree with "
		              "theirs");
}

/* Publishes the findings in datfile->source; reading may begin. */
static void datfile_finish(struct datfile *datfile)
{
	struct source *source = &datfile->source;
	const struct datfile_opening *opening = datfile->opening;
	unsigned cpus = datfile_known_cpus(datfile);

	datfile_spread_figures(datfile);
	for (size_t i = 0; i < datfile->feed_count; i++)
		if (datfile->source.streams[i].cpu >= cpus)
			cpus = datfile->source.streams[i].cpu + 1;
	source->cpu_count = cpus;
	datfile_note_host_clock(datfile, cpus);
	source->is_scaled = datfile->clock.mult != 0;
	source->page_bytes = datfile->layout.page_bytes;
	source->buffer_count = datfile->buffer_count;
	source->data_bytes = opening->extent_bytes;
	/* other tools may use this name for a buffer of their own; without it, UINT32_MAX */
	if (datfile->found.is_of_ftwait)
		source->stacks_buffer = (uint32_t)datfile_find_buffer(datfile, STREAM_STACKS_NAME);
	found_notes_finish(&datfile->found);
	datfile_finish_realtime(datfile);
	datfile_end_opening(datfile);
}

static int datfile_read(struct datfile *datfile, struct cursor *cursor, struct buffer *why)
{
	int r = datfile_read_magic(datfile, cursor, why);

	if (r < 0)
		return r;
	if (datfile->version == 7)
		return datfile_read_sections(datfile, why);
	r = datfile_read_head(datfile, cursor, why);
	if (r == 0)
		return datfile_read_tables(datfile, cursor, why);
	if (datfile_salvage_tables(datfile, datfile->opening->header_end) < 0)
		return r;
	datfile_note_head(datfile, cursor);
	return 0;
}

int datfile_publish(struct datfile *datfile, int r, struct source **ret, struct buffer *why)
{
	if (r < 0) {
		(void)input_file_describe_failure(&datfile->file, why);
		datfile_close(&datfile->source);
		return r;
	}
	datfile_note_tail(datfile);
	datfile_finish(datfile);
	*ret = &datfile->source;
	return 0;
}

int datfile_open(const struct input_file *file, struct source **ret, struct buffer *why)
{
	struct datfile *datfile = datfile_new(file, datfile_open);
	struct cursor cursor = datfile_cursor(datfile, 0, file->bytes);
	int r = datfile_read(datfile, &cursor, why);

	cursor_release(&cursor);
	return datfile_publish(datfile, r, ret, why);
}

bool datfile_is_source(const struct source *source)
{
	return source->ops == &datfile_ops;
}

int datfile_descriptor(const struct source *source)
{
	return datfile_of(source)->file.fd;
}

enum packing datfile_packing(const struct source *source)
{
	return datfile_of(source)->packing;
}

const char *datfile_buffer_name(const struct source *source, size_t buffer)
{
	return datfile_of(source)->buffers[buffer].name;
}
