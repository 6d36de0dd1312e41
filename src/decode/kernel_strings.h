/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Kernel strings that events refer to by address. For example, the field "const char * action" of
 * suspend_resume contains only the address of a string. The recording has a table of such strings,
 * a copy of the tracefs file printk_formats:
 *
 *	0xffffffff82511aa8 : "suspend_enter"
 *
 * The parsed strings point into the text of the table, which must outlive them.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "ftwait/event.h"

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
