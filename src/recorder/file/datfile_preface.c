/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "datfile_preface.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file/file_io.h"
#include "base/xalloc.h"
#include "datfile_head.h"
#include "recorder/drain/page_census.h"
#include "recorder/drain/page_packer.h"
#include "recorder/machine/machine_notes.h"
#include "recorder/programs/symbol_lists.h"
#include "source/file/unpack.h"
#include "stream_writer.h"

#define CHUNK_BYTES (256u << 10)
#define PACKED_MAX  (8u << 20)

/* True if the running kernel is the recorded one, by the line "boot ID". */
static bool boot_is_same(const struct buffer *options)
{
	_cleanup_(freep) char *line = boot_line();
	struct option_place option;
	size_t at = 0;

	while (line && datfile_option_next(options, &at, &option))
		if (option.id == DATFILE_OPTION_VERSION &&
		    memmem(option.text, option.bytes, line, strlen(line)))
			return true;
	return false;
}

static void census_read_run(struct page_census *census, int fd, const struct page_run *run,
                            char *chunk)
{
	size_t page = census->layout.page_bytes;
	size_t step = CHUNK_BYTES / page * page;

	for (uint64_t done = 0; step > 0 && done < run->size; done += step) {
		size_t size = run->size - done < step ? (size_t)(run->size - done) : step;

		if (pread(fd, chunk, size, (off_t)(run->offset + done)) != (ssize_t)size)
			return;
		page_census_add(census, run->cpu, chunk, size);
	}
}

/* Unpacks the chunk at `offset` after checking its sizes. Returns its packed bytes, 0 if
   invalid. */
static uint64_t census_read_chunk(struct page_census *census, unsigned cpu, int fd,
                                  uint64_t offset, uint64_t left)
{
	_cleanup_(freep) char *packed = NULL;
	_cleanup_(freep) char *pages = NULL;
	uint32_t sizes[2];

	if (left < sizeof(sizes) || file_read_all_at(fd, sizes, sizeof(sizes), offset) < 0 ||
	    sizes[0] > left - sizeof(sizes) || sizes[0] > PACKED_MAX || sizes[1] > PACKED_MAX)
		return 0;
	packed = xmalloc(sizes[0] + 1);
	if (file_read_all_at(fd, packed, sizes[0], offset + sizeof(sizes)) < 0 ||
	    !unpack_is_possible(PACKING_ZSTD, packed, sizes[0], sizes[1]))
		return 0;
	pages = xmalloc(sizes[1] + 1);
	if (unpack(PACKING_ZSTD, packed, sizes[0], pages, sizes[1]) == 0)
		page_census_add(census, cpu, pages,
		                sizes[1] - sizes[1] % census->layout.page_bytes);
	return sizeof(sizes) + sizes[0];
}

static void census_read_packed(struct page_census *census, int fd, const struct page_run *run)
{
	uint64_t done = sizeof(uint32_t), chunk = 1;

	for (; chunk > 0 && done < run->size; done += chunk)
		chunk = census_read_chunk(census, run->cpu, fd, run->offset + done,
		                          run->size - done);
}

void stream_names_find(struct stream_index *index, int fd)
{
	_cleanup_(freep) char *chunk = xmalloc(CHUNK_BYTES);
	_cleanup_(freep) uint64_t *function = NULL, *object = NULL;
	struct symbol_wishes wishes;
	struct page_census census;

	if (index->regions.is_settling) /* there is no room for more */
		return;
	if (index->has_symbols || index->parts.symbols_bytes > 0 || !boot_is_same(&index->options))
		return;
	if (page_census_init(&census, index->head.text, index->head.length) == 0) {
		for (size_t i = 0; i < index->run_count; i++)
			if (index->regions.packing == STREAM_PACKED_NOT)
				census_read_run(&census, fd, &index->run[i], chunk);
			else
				census_read_packed(&census, fd, &index->run[i]);
		wishes.function = function = page_census_addresses(&census, &wishes.function_count);
		wishes.object = object = page_census_objects(&census, &wishes.object_count);
		(void)kernel_symbols_pick(&wishes, &index->symbols);
	}
	page_census_release(&census);
}

void datfile_places_init(struct datfile_places *places, const struct stream_index *index)
{
	*places = (struct datfile_places){
		.cpu_count = index->parts.cpu_count,
		.align = index->parts.page_bytes,
		.place = xcalloc((size_t)STREAM_BUFFERS * index->parts.cpu_count + 1,
		                 sizeof(*places->place)),
	};
	for (size_t i = 0; i < index->run_count; i++)
		datfile_place_of(places, index->run[i].buffer, index->run[i].cpu)->bytes +=
			index->run[i].size;
}

void datfile_places_release(struct datfile_places *places)
{
	free(places->place);
	*places = (struct datfile_places){0};
}

struct datfile_place *datfile_place_of(const struct datfile_places *places, uint32_t buffer,
                                       uint32_t cpu)
{
	return &places->place[(size_t)buffer * places->cpu_count + cpu];
}

uint64_t datfile_places_pack(struct datfile_places *places, uint64_t offset)
{
	uint64_t end = offset;

	for (size_t i = 0; i < (size_t)STREAM_BUFFERS * places->cpu_count; i++) {
		offset = align_up(end, places->align);
		places->place[i].offset = offset;
		if (places->place[i].bytes > 0)
			end = offset + places->place[i].bytes;
	}
	return end;
}

#define TABLE_WORD_BYTES 10

/* Appends their length, those of the head, and those of the end of the recording. */
static void put_symbols(struct buffer *to, const struct stream_index *index)
{
	const struct datfile_head *parts = &index->parts;
	uint32_t bytes = (uint32_t)(parts->symbols_bytes + index->symbols.length);

	buffer_append(to, &bytes, sizeof(bytes));
	buffer_append(to, index->head.text + parts->symbols_at + sizeof(bytes),
	              parts->symbols_bytes);
	buffer_append(to, index->symbols.text, index->symbols.length);
}

static void put_cmdlines(struct buffer *to, const struct stream_index *index)
{
	const struct datfile_head *parts = &index->parts;
	uint64_t bytes = parts->cmdlines_bytes + index->cmdlines.length;

	buffer_append(to, &bytes, sizeof(bytes));
	buffer_append(to, index->head.text + parts->cmdlines_at + sizeof(bytes),
	              parts->cmdlines_bytes);
	buffer_append(to, index->cmdlines.text, index->cmdlines.length);
}

/* Appends the head with the symbols and command lines added at the end of the recording. */
static void preface_put_head(struct buffer *to, const struct stream_index *index)
{
	size_t symbols_end =
	        index->parts.symbols_at + sizeof(uint32_t) + index->parts.symbols_bytes;

	buffer_append(to, index->head.text, index->parts.symbols_at);
	put_symbols(to, index);
	buffer_append(to, index->head.text + symbols_end, index->parts.cmdlines_at - symbols_end);
	put_cmdlines(to, index);
	buffer_append(to, &index->parts.cpu_count, sizeof(index->parts.cpu_count));
}

/* "[mono]", which follows each table; text NULL: none follows. */
struct table_clock {
	const char *text;
	uint64_t bytes;
};

static uint64_t table_bytes(const struct stream_index *index, const struct table_clock *clock)
{
	return TABLE_WORD_BYTES + (uint64_t)index->parts.cpu_count * 2 * sizeof(uint64_t) +
	       (clock->text ? sizeof(clock->bytes) + clock->bytes : 0);
}

/* Appends the offset and size of each CPU's pages. */
static void table_append(struct buffer *to, const struct datfile_places *places, uint32_t buffer,
                         const struct table_clock *clock)
{
	buffer_append(to, "flyrecord", TABLE_WORD_BYTES);
	for (uint32_t cpu = 0; cpu < places->cpu_count; cpu++) {
		const struct datfile_place *place = datfile_place_of(places, buffer, cpu);

		buffer_append(to, &place->offset, sizeof(place->offset));
		buffer_append(to, &place->bytes, sizeof(place->bytes));
	}
	if (clock->text) {
		buffer_append(to, &clock->bytes, sizeof(clock->bytes));
		buffer_append(to, clock->text, (size_t)clock->bytes);
	}
}

/* Appends the options for the other buffers, whose tables follow each other. */
static void buffer_options_append(struct buffer *to, const struct stream_index *index,
                                  const struct table_clock *clock)
{
	const uint64_t head = sizeof(uint16_t) + sizeof(uint32_t);
	uint64_t offset = to->length + sizeof(uint16_t);

	for (uint32_t i = 1; i < STREAM_BUFFERS; i++)
		if (index->has_buffer[i])
			offset += head + sizeof(offset) + strlen(stream_buffer_name(i)) + 1;
	for (uint32_t i = 1; i < STREAM_BUFFERS; i++) {
		_cleanup_(buffer_release) struct buffer option = buffer_of(BUFFER_LIMIT_DEFAULT);

		if (!index->has_buffer[i])
			continue;
		offset += table_bytes(index, clock);
		buffer_append(&option, &offset, sizeof(offset));
		buffer_append(&option, stream_buffer_name(i), strlen(stream_buffer_name(i)) + 1);
		stream_option_append(to, DATFILE_OPTION_BUFFER, option.text, option.length);
	}
}

static void preface6_build(struct buffer *to, const struct stream_index *index,
                           const struct datfile_places *places)
{
	const uint16_t end_mark = DATFILE_OPTION_END;
	struct table_clock clock = {0};

	(void)datfile_find_clock(&index->options, &clock.text, &clock.bytes);
	preface_put_head(to, index);
	buffer_append(to, "options  ", 10);
	buffer_append(to, index->options.text, index->options.length);
	buffer_options_append(to, index, &clock);
	buffer_append(to, &end_mark, sizeof(end_mark));
	for (uint32_t buffer = 0; buffer < STREAM_BUFFERS; buffer++)
		if (index->has_buffer[buffer])
			table_append(to, places, buffer, &clock);
}

/*
 * Version 7: a section for each part of the head, a section of options with the offsets of the
 * others, and a section for each buffer; the last section of a buffer contains all pages. Only
 * pages are packed. trace-cmd.dat.v7(5) describes the format.
 */

#define MAGIC             "\x17\x08\x44tracing7"
#define FIXED_BYTES_V6    18u /* of the head: magic, version, byte order, long, page */
#define SECTION_BUFFER    3
#define SECTION_PACKED    1   /* flag */
#define SECTION_HEADERS   16  /* each of these is also the id of the option that has the
                                 section's offset */
#define SECTION_OWN       17
#define SECTION_EVENTS    18
#define SECTION_SYMBOLS   19
#define SECTION_PRINTK    20
#define SECTION_CMDLINES  21
#define COUNT_BYTES       4u  /* precedes the chunks of a CPU; not part of its size */
#define CLOCK_DEFAULT     "local"

struct section_head {
	uint16_t id, flags;
	uint32_t name; /* offset in a string section, which does not exist */
	uint64_t bytes;
};

/* The sections so far, and the options with their offsets. */
struct section_list {
	struct buffer *to;
	struct buffer options;
};

static void put_section_head(struct buffer *to, uint16_t id, uint16_t flags, uint64_t bytes)
{
	const struct section_head head = {.id = id, .flags = flags, .bytes = bytes};

	buffer_append(to, &head, sizeof(head));
}

/* Appends the head of a section; its text must follow. */
static void section_begin(struct section_list *list, uint16_t id, uint64_t bytes)
{
	const uint64_t offset = list->to->length;

	stream_option_append(&list->options, id, &offset, sizeof(offset));
	put_section_head(list->to, id, 0, bytes);
}

static void section_put(struct section_list *list, uint16_t id, const char *text, size_t bytes)
{
	section_begin(list, id, bytes);
	buffer_append(list->to, text, bytes);
}

static void put_head_sections(struct section_list *list, const struct stream_index *index)
{
	const struct datfile_head *parts = &index->parts;
	const char *head = index->head.text;
	size_t printk_at = parts->symbols_at + sizeof(uint32_t) + parts->symbols_bytes;

	section_put(list, SECTION_HEADERS, head + FIXED_BYTES_V6, parts->own_at - FIXED_BYTES_V6);
	section_put(list, SECTION_OWN, head + parts->own_at, parts->events_at - parts->own_at);
	section_put(list, SECTION_EVENTS, head + parts->events_at,
	            parts->symbols_at - parts->events_at);
	section_begin(list, SECTION_SYMBOLS,
	              sizeof(uint32_t) + parts->symbols_bytes + index->symbols.length);
	put_symbols(list->to, index);
	section_put(list, SECTION_PRINTK, head + printk_at, parts->cmdlines_at - printk_at);
	section_begin(list, SECTION_CMDLINES,
	              sizeof(uint64_t) + parts->cmdlines_bytes + index->cmdlines.length);
	put_cmdlines(list->to, index);
}

/* Appends "mono" of "local [mono] boot". */
static void put_clock(struct buffer *to, const struct stream_index *index)
{
	const char *clock;
	uint64_t bytes;

	if (datfile_find_clock(&index->options, &clock, &bytes))
		buffer_append(to, clock + 1, (size_t)bytes - 2);
	else
		buffer_puts(to, CLOCK_DEFAULT);
	buffer_putc(to, '\0');
}

/* `section`: offset of the buffer's section. */
static void put_buffer_option(struct buffer *to, const struct stream_index *index,
                              const struct datfile_places *places, uint32_t buffer,
                              uint64_t section)
{
	const char *name = stream_buffer_name(buffer);
	_cleanup_(buffer_release) struct buffer option = buffer_of(PREFACE_BYTES_MAX);

	buffer_append(&option, &section, sizeof(section));
	buffer_append(&option, name, strlen(name) + 1);
	put_clock(&option, index);
	buffer_append(&option, &index->parts.page_bytes, sizeof(index->parts.page_bytes));
	buffer_append(&option, &places->cpu_count, sizeof(places->cpu_count));
	for (uint32_t cpu = 0; cpu < places->cpu_count; cpu++) {
		const struct datfile_place *place = datfile_place_of(places, buffer, cpu);
		uint64_t bytes = place->bytes > COUNT_BYTES ? place->bytes - COUNT_BYTES : 0;

		buffer_append(&option, &cpu, sizeof(cpu));
		buffer_append(&option, &place->offset, sizeof(place->offset));
		buffer_append(&option, &bytes, sizeof(bytes));
	}
	stream_option_append(to, DATFILE_OPTION_BUFFER, option.text, option.length);
}

/* Appends all options; the buffers' sections follow each other from `section` on. */
static void put_options(struct buffer *to, const struct stream_index *index,
                        const struct section_list *list, const struct datfile_places *places,
                        uint64_t section)
{
	const uint64_t next = 0;

	buffer_append(to, index->options.text, index->options.length);
	buffer_append(to, list->options.text, list->options.length);
	for (uint32_t i = STREAM_BUFFERS; i-- > 0;)
		if (index->has_buffer[i]) {
			put_buffer_option(to, index, places, i, section);
			section += sizeof(struct section_head);
		}
	stream_option_append(to, DATFILE_OPTION_END, &next, sizeof(next));
}

static uint64_t places_end(const struct datfile_places *places, uint64_t least)
{
	uint64_t end = least;

	for (size_t i = 0; i < (size_t)STREAM_BUFFERS * places->cpu_count; i++)
		if (places->place[i].bytes > 0 &&
		    places->place[i].offset + places->place[i].bytes > end)
			end = places->place[i].offset + places->place[i].bytes;
	return end;
}

/* The section of the main buffer comes last: it contains everything that follows. */
static void put_buffer_sections(struct buffer *to, const struct stream_index *index,
                                const struct datfile_places *places)
{
	for (uint32_t i = STREAM_BUFFERS; i-- > 0;) {
		uint64_t begin = to->length + sizeof(struct section_head);

		if (index->has_buffer[i])
			put_section_head(to, SECTION_BUFFER, SECTION_PACKED,
			                 i > 0 ? 0 : places_end(places, begin) - begin);
	}
}

static void datfile_preface7_build(struct buffer *to, const struct stream_index *index,
                                   const struct datfile_places *places)
{
	struct section_list list = {.to = to};
	_cleanup_(buffer_release) struct buffer options = buffer_of(PREFACE_BYTES_MAX);
	uint64_t offset = 0;
	size_t offset_at;

	buffer_init(&list.options, BUFFER_LIMIT_DEFAULT);
	buffer_append(to, MAGIC, sizeof(MAGIC));
	buffer_append(to, index->head.text + sizeof(MAGIC), FIXED_BYTES_V6 - sizeof(MAGIC));
	buffer_append(to, "zstd", sizeof("zstd"));
	buffer_append(to, page_packer_version(), strlen(page_packer_version()) + 1);
	offset_at = to->length;
	buffer_append(to, &offset, sizeof(offset));
	put_head_sections(&list, index);
	offset = to->length;
	put_options(&options, index, &list, places, 0);
	put_section_head(to, DATFILE_OPTION_END, 0, options.length);
	put_options(to, index, &list, places, to->length + options.length);
	put_buffer_sections(to, index, places);
	if (!to->is_cut)
		memcpy(to->text + offset_at, &offset, sizeof(offset));
	buffer_release(&list.options);
}

void datfile_preface_build(struct buffer *to, const struct stream_index *index,
                           const struct datfile_places *places)
{
	if (index->regions.packing == STREAM_PACKED_NOT)
		preface6_build(to, index, places);
	else
		datfile_preface7_build(to, index, places);
	while (to->length % places->align != 0 && !to->is_cut)
		buffer_putc(to, '\0');
}
