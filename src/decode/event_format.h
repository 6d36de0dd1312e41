/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The format of a tracepoint, as events/SYSTEM/EVENT/format prints it:
 *
 *	name: sched_switch
 *	ID: 319
 *	format:
 *		field:unsigned short common_type;	offset:0;	size:2;	signed:0;
 *		...
 *	print fmt: "...", REC->prev_comm, ...
 *
 * This is a strict reader of our own, because libtraceevent crashes on damaged text; tests compare
 * its results with libtraceevent's. Everything is borrowed from the text. A field's offset and
 * size are what the text says: before a load they must be checked against the record's length.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ftwait/event.h"

#define EVENT_FIELDS_MAX 128

struct event_field {
	struct text name;
	uint32_t offset, size; /* bytes, each at most 65535 */
	bool is_signed;
	bool is_array;    /* declared with brackets; not a dynamic one */
	bool is_data_loc; /* u32: length << 16 | offset from the record's begin */
	bool is_rel_loc;  /* u32: length << 16 | offset from the end of this field */
};

struct event_format {
	struct text name;
	uint32_t id; /* at most 65535 */
	struct event_field field[EVENT_FIELDS_MAX];
	size_t field_count;
	struct text print_format; /* what follows "print fmt: "; empty: none */
};

/* Returns 0, or -EINVAL if name, ID or a field is missing or malformed; *ret is then undefined. */
int event_format_parse(const char *text, size_t length, struct event_format *ret);
/* Parses only name and ID, for formats that are not wanted. */
int event_format_parse_head(const char *text, size_t length, struct text *ret_name,
                            uint32_t *ret_id);
/* The field of that name; NULL if there is none. */
const struct event_field *event_format_find(const struct event_format *format, const char *name);
