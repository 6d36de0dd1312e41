/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Converts lines of text to binary records, and makes the format texts that describe these records.
 * Both follow from the table text_events[].
 *
 * Records have the byte order of this machine, and a long has 8 bytes. An event that is not in the
 * table gets a format without fields of its own: readers then know its name, but cannot decode it.
 * If the event is in the table and its line fits none of the patterns, the record gets the id
 * TEXT_ID_UNREAD. No format has this id, so the record counts as unreadable.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/data/intern.h"
#include "base/data/map.h"
#include "ftwait/source.h"
#include "source/text/text_store.h"
#include "text_head.h"
#include "text_symbols.h"

#define TEXT_FIELDS_MAX   8
#define TEXT_PIECES_MAX   10
#define TEXT_RECORD_BYTES 8192
#define TEXT_STACK_FRAMES 64
#define TEXT_UNKNOWN_MAX  1024 /* names of events that are not in the table */
#define TEXT_ID_UNREAD    1

/* A field of a record, or the placeholder {*}. */
struct text_field {
	const char *name;
	uint16_t name_bytes, offset;
	char type; /* as in text_events.h; '*': the placeholder */
};

/* A part of a pattern: literal text, and the field that follows it. */
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

/* Whether the text behind a head, `rest`, begins with the name of an event. */
bool text_line_is_event(struct text_line rest);
/*
 * Converts a line to a record of *ret_bytes bytes. Names of functions are added to `symbols`.
 * Returns false if the head is not followed by the name of an event. The record is valid until the
 * next call.
 */
bool text_layout_read(struct text_layout *layout, const struct text_head *head,
                      struct text_symbols *symbols, const uint8_t **ret_record,
                      size_t *ret_bytes);
/* Makes the record of a kernel stack from addresses, innermost function first. */
void text_layout_stack(struct text_layout *layout, const struct text_head *head,
                       const uint64_t *frames, size_t count, const uint8_t **ret_record,
                       size_t *ret_bytes);
/* Returns the format texts of all events read so far. The caller frees the array; the texts belong
   to `store`. */
struct format_text *text_layout_formats(const struct text_layout *layout, struct text_store *store,
                                        size_t *ret_count);
/* Appends a note that names the events that were seen but are not in the table, and counts their
   lines. Returns false if there were none. */
bool text_layout_describe_unknown(const struct text_layout *layout, struct buffer *to);
