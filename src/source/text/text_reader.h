/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads a text file line by line, with a buffer of fixed size. Lines of more than TEXT_LINE_MAX
 * bytes are cut: no kernel prints an event that long. Lines are returned decoded (text_probe.h).
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "source/file/input_file.h"
#include "source/stream/live_input.h"
#include "text_line.h"
#include "text_probe.h"

#define TEXT_LINE_MAX 16384
#define TEXT_HEAD_BYTES 4

struct text_reader {
	const struct input_file *file;
	struct live_input *live; /* it is read instead; NULL: the file is */
	char head[TEXT_HEAD_BYTES]; /* its first bytes, and zeros */
	uint64_t begin;    /* where the text begins, behind a byte order mark */
	uint64_t offset;   /* where the window ends in the file */
	char *window;
	size_t at, filled; /* the unread bytes of the window: [at, filled) */
	uint64_t line;     /* the number of the last line, from 1 */
	bool is_long;      /* the last line goes on behind what was returned */
	bool is_cut;       /* the last line has no newline */
	enum text_encoding encoding;
	bool has_entities; /* the window may have some */
	bool is_escaped;   /* a line showed that the text has entities; it stays true */
};

/* The file must outlive the reader. */
void text_reader_init(struct text_reader *reader, const struct input_file *file);
/* Reads what comes from `live`, which must outlive the reader, and waits for it. */
void text_reader_init_live(struct text_reader *reader, struct live_input *live);
void text_reader_release(struct text_reader *reader);
/* Only of a file. */
void text_reader_rewind(struct text_reader *reader);
/* Returns the next line, without "\n" or "\r\n"; it is valid until the next call. False: end of the
   file, or of what came. */
bool text_reader_next(struct text_reader *reader, struct text_line *ret);
/* How many bytes of the file were returned, or dropped. */
static inline uint64_t text_reader_done(const struct text_reader *reader)
{
	return reader->offset -
	       (reader->filled - reader->at) * (reader->encoding == TEXT_BYTES ? 1 : 2);
}
