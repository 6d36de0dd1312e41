/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lines of a text file, one after the other, through a window of fixed size. Longer lines than
 * TEXT_LINE_MAX are skipped: no kernel prints such an event.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "source/input_file.h"
#include "source/text_line.h"

#define TEXT_LINE_MAX 16384

struct text_reader {
	const struct input_file *file;
	uint64_t offset;   /* of the file: the end of the window */
	char *window;
	size_t at, filled; /* the rest of the window */
	uint64_t skipped;  /* lines that were too long */
	bool is_cut;       /* the last line has no end */
};

/* The file must outlive it. */
void text_reader_init(struct text_reader *reader, const struct input_file *file);
void text_reader_release(struct text_reader *reader);
void text_reader_rewind(struct text_reader *reader);
/* The next line, without its end; it is valid until the next call. False: there is no more. */
bool text_reader_next(struct text_reader *reader, struct text_line *ret);
/* Bytes of the file that were read. */
static inline uint64_t text_reader_done(const struct text_reader *reader)
{
	return reader->offset - (reader->filled - reader->at);
}
