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
#include "ftwait/source.h"
#include "source/source_notes.h"
#include "text_head.h"
#include "text_tables.h"

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
	const struct text_type *kind; /* the row of the type */
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
	unsigned fields; /* mask by field of the row: the pattern has them */
};

struct text_layout;

struct text_layout *text_layout_new(void);
struct text_layout *text_layout_free(struct text_layout *layout);

/* Whether the text behind a head, `rest`, begins with the name of an event. */
bool text_line_is_event(struct text_line rest);
/* Finds the name of an event of the table, with its colon, anywhere in the line. */
bool text_line_find_event(struct text_line line, struct text_line *ret_name);
/*
 * Converts a line to a record of *ret_bytes bytes. Names of functions are added to `symbols`.
 * Returns false if the head is not followed by the name of an event. The record is valid until the
 * next call.
 */
bool text_layout_read(struct text_layout *layout, const struct text_head *head,
                      struct text_symbols *symbols, const uint8_t **ret_record,
                      size_t *ret_bytes);
/* Adds to the flags of a record. */
void text_layout_add_flags(uint8_t *record, uint8_t flags);
/* Whether no fields could be read of the record's event, although it is in the table. */
bool text_layout_is_unread(const uint8_t *record);
/* Whether the last record is a switch. *ret_next is then the task that it begins; if the line named
   no task, head and record get the one that left. */
bool text_layout_follow(struct text_layout *layout, struct text_head *head, int32_t *ret_next);
/*
 * Records of events that do not come from text, field by field: begin, any number of puts, end.
 * text_layout_find() returns the index of an event's row, by its name; SIZE_MAX: it is not in
 * the table. text_layout_field() returns NULL if it has no such field.
 */
size_t text_layout_find(const struct text_layout *layout, struct text_line name);
const struct text_field *text_layout_field(const struct text_layout *layout, size_t row,
                                           struct text_line name);
void text_layout_begin(struct text_layout *layout, size_t row, const struct text_head *head);
/* Cuts a number to the size of its field. */
void text_layout_put(struct text_layout *layout, const struct text_field *field, uint64_t value);
/* A number of a field of type a; beyond its last one nothing happens. */
void text_layout_put_argument(struct text_layout *layout, const struct text_field *field,
                              unsigned index, uint64_t value);
void text_layout_put_text(struct text_layout *layout, const struct text_field *field,
                          struct text_line text);
void text_layout_end(struct text_layout *layout, const uint8_t **ret_record, size_t *ret_bytes);
/* Whether the field takes text. */
bool text_field_is_text(const struct text_field *field);
/* Makes the record of a kernel stack from addresses, innermost function first. */
void text_layout_stack(struct text_layout *layout, const struct text_head *head,
                       const uint64_t *frames, size_t count, const uint8_t **ret_record,
                       size_t *ret_bytes);
/* Adds the formats of the events that were read since the last call to those of the source, which
   belong to the layout, and keep their places. The texts belong to `store`. */
void text_layout_add_formats(struct text_layout *layout, struct text_store *store,
                             struct source *source);
/* Whether the text names system calls, and numbers none: numbers are of TEXT_CALL_ARCH then. */
bool text_layout_has_named_calls(const struct text_layout *layout);
/* Appends a note that names the events that were seen in `what` but are not in the table, and
   counts their `lines`. Returns false if there were none. */
bool text_layout_describe_unknown(const struct text_layout *layout, const char *what,
                                  const char *lines, struct buffer *to);
