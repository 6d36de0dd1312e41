/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The records that lines of text are turned into: which bytes they have, the format texts that say
 * so, and the patterns by which a line is read. Made once from the table text_events[].
 *
 * Records have the byte order of this machine, and a long of 8 bytes. An event that the table does
 * not have has a format without fields of its own, so that it is known but not read. A line of an
 * event of the table that fits none of its patterns becomes a record of TEXT_ID_UNREAD, which no
 * format describes.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/intern.h"
#include "base/map.h"
#include "ftwait/source.h"
#include "source/text_store.h"
#include "text_head.h"
#include "text_symbols.h"

#define TEXT_FIELDS_MAX   8
#define TEXT_PIECES_MAX   10
#define TEXT_RECORD_BYTES 8192
#define TEXT_STACK_FRAMES 64
#define TEXT_UNKNOWN_MAX  1024 /* different names of events that the table does not have */
#define TEXT_ID_UNREAD    1

/* A field of a record, or {*}. */
struct text_field {
	const char *name;
	uint16_t name_bytes, offset;
	char type; /* as in text_events.h; '*': of no field */
};

/* A part of a pattern: bytes of its own, then a field. */
struct text_piece {
	const char *literal;
	uint16_t literal_bytes;
	bool has_field; /* false: the pattern ends with the literal */
	struct text_field field;
};

struct text_pattern {
	struct text_piece piece[TEXT_PIECES_MAX];
	size_t count;
};

struct text_layout;

struct text_layout *text_layout_new(void);
struct text_layout *text_layout_free(struct text_layout *layout);

static inline void text_layout_freep(struct text_layout **layout)
{
	(void)text_layout_free(*layout);
}

/* Whether what follows a head names an event. */
bool text_line_is_event(struct text_line rest);
/*
 * Makes the record of the event behind that head; *ret_bytes is its length. Functions are named in
 * `symbols`. Returns false if the line is of no event: it only begins like one. The record is valid
 * until the next call.
 */
bool text_layout_read(struct text_layout *layout, const struct text_head *head,
                      struct text_symbols *symbols, const uint8_t **ret_record,
                      size_t *ret_bytes);
/* The same for a stack of the kernel, innermost function first. */
void text_layout_stack(struct text_layout *layout, const struct text_head *head,
                       const uint64_t *frames, size_t count, const uint8_t **ret_record,
                       size_t *ret_bytes);
/*
 * The format texts of the events that were read so far, an array that the caller frees; the texts
 * are in `store`.
 */
struct format_text *text_layout_formats(const struct text_layout *layout, struct text_store *store,
                                        size_t *ret_count);
/* Appends the names of events that occurred but are not in the table, and how many lines they have;
   false: there are none. */
bool text_layout_describe_unknown(const struct text_layout *layout, struct buffer *to);
