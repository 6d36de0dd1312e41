/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "text_reader.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

#define WINDOW_BYTES (256u << 10)

void text_reader_init(struct text_reader *reader, const struct input_file *file)
{
	size_t mark;
	int64_t got;

	*reader = (struct text_reader){.file = file, .window = xmalloc(WINDOW_BYTES)};
	got = input_file_read_some(file, 0, reader->head, TEXT_HEAD_BYTES);
	reader->encoding = text_encoding_detect(reader->head, got > 0 ? (size_t)got : 0, &mark);
	reader->begin = reader->offset = mark;
}

void text_reader_init_live(struct text_reader *reader, struct live_input *live)
{
	size_t mark, got;

	*reader = (struct text_reader){.live = live, .window = xmalloc(WINDOW_BYTES)};
	got = live_input_read(live, reader->head, TEXT_HEAD_BYTES);
	reader->encoding = text_encoding_detect(reader->head, got, &mark);
	memcpy(reader->window, reader->head + mark, got - mark);
	reader->filled = text_encoding_decode(reader->encoding, reader->window, got - mark);
	reader->offset = got;
}

void text_reader_release(struct text_reader *reader)
{
	free(reader->window);
	reader->window = NULL;
}

void text_reader_rewind(struct text_reader *reader)
{
	reader->offset = reader->begin;
	reader->at = reader->filled = 0;
	reader->line = 0;
	reader->is_long = reader->is_cut = false;
}

/* Whole characters alone. */
static int64_t reader_read(const struct text_reader *reader, char *to, size_t size)
{
	size_t got;

	if (!reader->live)
		return input_file_read_some(reader->file, reader->offset, to,
		                            reader->encoding == TEXT_BYTES ? size
		                                                           : size - size % 2);
	got = live_input_read_some(reader->live, to, size - 1);
	if (reader->encoding != TEXT_BYTES && got % 2)
		got += live_input_read(reader->live, to + got, 1);
	return (int64_t)got;
}

/* Moves the unread bytes to the front of the window, and fills it up. False: end of the file, or an
   error. */
static bool reader_fill(struct text_reader *reader)
{
	size_t rest = reader->filled - reader->at;
	char *to = reader->window + rest;
	int64_t got;

	memmove(reader->window, reader->window + reader->at, rest);
	reader->at = 0;
	reader->filled = rest;
	got = reader_read(reader, to, WINDOW_BYTES - rest);
	if (got <= 0)
		return false;
	reader->offset += (uint64_t)got;
	got = (int64_t)text_encoding_decode(reader->encoding, to, (size_t)got);
	reader->filled += (size_t)got;
	reader->has_entities = (rest > 0 && reader->has_entities) || memchr(to, '&', (size_t)got);
	return got > 0;
}

/* Drops the rest of a line that is too long. */
static void reader_skip_rest(struct text_reader *reader)
{
	reader->is_long = false;
	do {
		const char *at = reader->window + reader->at;
		const char *newline = memchr(at, '\n', reader->filled - reader->at);

		if (newline) {
			reader->at += (size_t)(newline - at) + 1;
			return;
		}
		reader->at = reader->filled;
	} while (reader_fill(reader));
}

/* Replaces the entities of a line that was just cut off the window. */
static void reader_unescape(struct text_reader *reader, struct text_line *line)
{
	char *at = reader->window + (line->at - reader->window);

	reader->is_escaped |= text_line_is_escaped(*line);
	if (reader->is_escaped)
		line->end = text_line_unescape(at, line->end);
}

/* "\033[0m", which dmesg puts behind a coloured message */
static size_t colour_length(struct text_line line)
{
	bool may_end = line.end > line.at && line.end[-1] == 'm';
	const char *at = may_end ? memrchr(line.at, '\033', line_length(line)) : NULL;
	size_t length = at ? (size_t)(line.end - at) : 0;

	return length >= 3 && at[1] == '[' && strspn(at + 2, "0123456789;") + 3 == length
	               ? length : 0;
}

/* Drops what terminals, copying and other systems leave at the end of a line. */
static void line_trim(struct text_line *line)
{
	size_t colour;

	do {
		while (line->end > line->at &&
		       (line->end[-1] == '\r' || line->end[-1] == ' ' || line->end[-1] == '\t'))
			line->end--;
		colour = colour_length(*line);
		line->end -= colour;
	} while (colour);
}

bool text_reader_next(struct text_reader *reader, struct text_line *ret)
{
	reader->line++;
	if (reader->is_long)
		reader_skip_rest(reader);
	for (;;) {
		const char *at = reader->window + reader->at;
		size_t rest = reader->filled - reader->at;
		size_t look = rest < TEXT_LINE_MAX + 1 ? rest : TEXT_LINE_MAX + 1;
		const char *newline = memchr(at, '\n', look);

		if (newline) {
			*ret = (struct text_line){at, newline};
			reader->at += (size_t)(newline - at) + 1;
			break;
		}
		if (rest > TEXT_LINE_MAX) {
			*ret = (struct text_line){at, at + TEXT_LINE_MAX};
			reader->at += TEXT_LINE_MAX;
			reader->is_long = true;
			break;
		}
		if (!reader_fill(reader)) {
			*ret = (struct text_line){reader->window, reader->window + reader->filled};
			reader->at = reader->filled;
			reader->is_cut = line_length(*ret) > 0;
			return reader->is_cut;
		}
	}
	if (reader->has_entities)
		reader_unescape(reader, ret);
	line_trim(ret);
	return true;
}
