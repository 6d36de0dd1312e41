/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "datfile_preface7.h"

#include <string.h>

#include <zstd.h>

#include "datfile_option.h"
#include "stream_writer.h"

#define MAGIC             "\x17\x08\x44tracing7"
#define FIXED_BYTES_V6    18u /* of the head: magic, version, byte order, long, page */
#define SECTION_BUFFER    3
#define SECTION_PACKED    1   /* flag */
#define SECTION_HEADERS   16  /* also the id of the option with its offset; so the next ones */
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

static void put_symbols(struct section_list *list, const struct stream_index *index)
{
	const struct datfile_head *parts = &index->parts;
	uint32_t bytes = (uint32_t)(parts->symbols_bytes + index->symbols.length);

	section_begin(list, SECTION_SYMBOLS, sizeof(bytes) + bytes);
	buffer_append(list->to, &bytes, sizeof(bytes));
	buffer_append(list->to, index->head.text + parts->symbols_at + sizeof(uint32_t),
	              parts->symbols_bytes);
	buffer_append(list->to, index->symbols.text, index->symbols.length);
}

static void put_cmdlines(struct section_list *list, const struct stream_index *index)
{
	const struct datfile_head *parts = &index->parts;
	uint64_t bytes = parts->cmdlines_bytes + index->cmdlines.length;

	section_begin(list, SECTION_CMDLINES, sizeof(bytes) + bytes);
	buffer_append(list->to, &bytes, sizeof(bytes));
	buffer_append(list->to, index->head.text + parts->cmdlines_at + sizeof(uint64_t),
	              parts->cmdlines_bytes);
	buffer_append(list->to, index->cmdlines.text, index->cmdlines.length);
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
	put_symbols(list, index);
	section_put(list, SECTION_PRINTK, head + printk_at, parts->cmdlines_at - printk_at);
	put_cmdlines(list, index);
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
	struct buffer option;

	buffer_init(&option, PREFACE_BYTES_MAX);
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
	buffer_release(&option);
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

/* The main one comes last: its section contains all that follows. */
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

void datfile_preface7_build(struct buffer *to, const struct stream_index *index,
                            const struct datfile_places *places)
{
	struct section_list list = {.to = to};
	struct buffer options;
	uint64_t offset = 0;
	size_t offset_at;

	buffer_init(&list.options, BUFFER_LIMIT_DEFAULT);
	buffer_init(&options, PREFACE_BYTES_MAX);
	buffer_append(to, MAGIC, sizeof(MAGIC));
	buffer_append(to, index->head.text + sizeof(MAGIC), FIXED_BYTES_V6 - sizeof(MAGIC));
	buffer_append(to, "zstd", sizeof("zstd"));
	buffer_append(to, ZSTD_versionString(), strlen(ZSTD_versionString()) + 1);
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
	buffer_release(&options);
	buffer_release(&list.options);
}
