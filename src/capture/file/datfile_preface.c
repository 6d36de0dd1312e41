/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "datfile_preface.h"

#include <string.h>

#include "datfile_option.h"
#include "datfile_preface7.h"
#include "stream_writer.h"

#define TABLE_WORD_BYTES 10

/* Appends the head with the symbols and command lines added at the end of the recording. */
static void preface_put_head(struct buffer *to, const struct stream_index *index)
{
	size_t symbols_end =
	        index->parts.symbols_at + sizeof(uint32_t) + index->parts.symbols_bytes;
	size_t text_at = index->parts.cmdlines_at + sizeof(uint64_t);
	uint64_t bytes = index->parts.cmdlines_bytes + index->cmdlines.length;
	uint32_t symbols_bytes = (uint32_t)(index->parts.symbols_bytes + index->symbols.length);

	buffer_append(to, index->head.text, index->parts.symbols_at);
	buffer_append(to, &symbols_bytes, sizeof(symbols_bytes));
	buffer_append(to, index->head.text + symbols_end - index->parts.symbols_bytes,
	              index->parts.symbols_bytes);
	buffer_append(to, index->symbols.text, index->symbols.length);
	buffer_append(to, index->head.text + symbols_end, index->parts.cmdlines_at - symbols_end);
	buffer_append(to, &bytes, sizeof(bytes));
	buffer_append(to, index->head.text + text_at, index->parts.cmdlines_bytes);
	buffer_append(to, index->cmdlines.text, index->cmdlines.length);
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
		struct buffer option;

		if (!index->has_buffer[i])
			continue;
		offset += table_bytes(index, clock);
		buffer_init(&option, BUFFER_LIMIT_DEFAULT);
		buffer_append(&option, &offset, sizeof(offset));
		buffer_append(&option, stream_buffer_name(i), strlen(stream_buffer_name(i)) + 1);
		stream_option_append(to, DATFILE_OPTION_BUFFER, option.text, option.length);
		buffer_release(&option);
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
