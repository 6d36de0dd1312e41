/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads a text file line by line, with a buffer of fixed size. Lines of more than TEXT_LINE_MAX
 * bytes are skipped: no kernel prints an event that long.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "source/file/input_file.h"
#include "source/text/text_line.h"

#define TEXT_LINE_MAX 16384

struct text_reader {
	const struct input_file *file;
	uint64_t offset;   /* where the window ends in the file */
	char *window;
	size_t at, filled; /* the unread bytes of the window: [at, filled) */
	uint64_t skipped;  /* lines that were too long */
	bool is_cut;       /* the last line has no newline */
};

/* The file must outlive the reader. */
void text_reader_init(struct text_reader *reader, const struct input_file *file);
void text_reader_release(struct text_reader *reader);
void text_reader_rewind(struct text_reader *reader);
/* Returns the next line, without "\n" or "\r\n"; it is valid until the next call. False: end of the
   file. */
bool text_reader_next(struct text_reader *reader, struct text_line *ret);
/* How many bytes of the file were returned or skipped. */
static inline uint64_t text_reader_done(const struct text_reader *reader)
{
	return reader->offset - (reader->filled - reader->at);
}
