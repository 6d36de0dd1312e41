/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "text_reader.h"

#include <stdlib.h>

#include "base/xalloc.h"

#define WINDOW_BYTES (256u << 10)

void text_reader_init(struct text_reader *reader, const struct input_file *file)
{
	*reader = (struct text_reader){.file = file, .window = xmalloc(WINDOW_BYTES)};
}

void text_reader_release(struct text_reader *reader)
{
	free(reader->window);
	reader->window = NULL;
}

void text_reader_rewind(struct text_reader *reader)
{
	reader->offset = 0;
	reader->at = reader->filled = 0;
	reader->skipped = 0;
	reader->is_cut = false;
}

/* Moves the unread bytes to the front of the window, and fills it up. False: end of the file, or an
   error. */
static bool reader_fill(struct text_reader *reader)
{
	size_t rest = reader->filled - reader->at;
	int64_t got;

	memmove(reader->window, reader->window + reader->at, rest);
	reader->at = 0;
	reader->filled = rest;
	got = input_file_read_some(reader->file, reader->offset, reader->window + rest,
	                           WINDOW_BYTES - rest);
	if (got <= 0)
		return false;
	reader->offset += (uint64_t)got;
	reader->filled += (size_t)got;
	return true;
}

/* Drops the rest of a line that is too long. */
static void reader_skip(struct text_reader *reader)
{
	reader->skipped++;
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

bool text_reader_next(struct text_reader *reader, struct text_line *ret)
{
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
			reader_skip(reader);
		} else if (!reader_fill(reader)) {
			*ret = (struct text_line){reader->window, reader->window + reader->filled};
			reader->at = reader->filled;
			reader->is_cut = line_length(*ret) > 0;
			return reader->is_cut;
		}
	}
	if (ret->end > ret->at && ret->end[-1] == '\r')
		ret->end--;
	return true;
}
