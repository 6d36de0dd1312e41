/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names of a field's values, as that trace's own print format has them:
 *
 *	..., __print_symbolic(REC->reason, { 2, "NOT_SPECIFIED" }, { 3, "NO_SOCKET" }, ...)
 *
 * The numbers differ between kernels. Names are borrowed from the text.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "ftwait/event.h"

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
