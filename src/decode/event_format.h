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
	struct text type; /* of the declaration, before the name: "char", "__data_loc char[]" */
	uint32_t offset, size; /* bytes, each at most 65535 */
	bool is_signed;
	bool is_array;    /* declared with brackets; not a dynamic one */
	bool is_text;     /* of char, an array or dynamic: a text up to its first NUL */
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

/*
 * Names of a field's values, as that trace's own print format has them:
 *
 *	..., __print_symbolic(REC->reason, { 2, "NOT_SPECIFIED" }, { 3, "NO_SOCKET" }, ...)
 *
 * The numbers differ between kernels. Names are borrowed from the text.
 */

/* Larger values have no name here: no kernel has so many. */
#define VALUE_NAMES_MAX 4096

struct value_names {
	struct text *name; /* by value; empty: it has none */
	size_t count;
};

/* No names if the print format has no such table; else as far as it can be read. */
void value_names_parse(struct text print_format, const char *field, struct value_names *ret);
void value_names_release(struct value_names *names);

static inline struct text value_names_get(const struct value_names *names, uint64_t value)
{
	return value < names->count ? names->name[value] : (struct text){0};
}

/*
 * Kernel strings that events refer to by address. For example, the field "const char * action" of
 * suspend_resume contains only the address of a string. The recording has a table of such strings,
 * a copy of the tracefs file printk_formats:
 *
 *	0xffffffff82511aa8 : "suspend_enter"
 *
 * The parsed strings point into the text of the table, which must outlive them.
 */

/* Further strings are ignored; kernels have far fewer. */
#define KERNEL_STRINGS_MAX 65536

struct kernel_string {
	uint64_t address;
	struct text text;
};

struct kernel_strings {
	struct kernel_string *string; /* by address; owned */
	size_t count;
};

/* Parses all lines of that form and skips other lines. `text` may be NULL: no strings. */
void kernel_strings_parse(const char *text, struct kernel_strings *ret);
void kernel_strings_release(struct kernel_strings *strings);
/* Returns the string at the address; an empty text if it is not in the table. */
struct text kernel_strings_get(const struct kernel_strings *strings, uint64_t address);
