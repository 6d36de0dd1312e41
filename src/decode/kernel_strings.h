/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Strings of the kernel that events only point to: a field "const char * action" holds an address,
 * and the trace has, beside its events, which string is there. In tracefs that is the file
 * printk_formats:
 *
 *	0xffffffff82511aa8 : "suspend_enter"
 *
 * Strings are borrowed from that text.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "ftwait/event.h"

/* Later strings have no name here: no kernel has so many. */
#define KERNEL_STRINGS_MAX 65536

struct kernel_string {
	uint64_t address;
	struct text text;
};

struct kernel_strings {
	struct kernel_string *string; /* by address; owned */
	size_t count;
};

/* All lines of that form; others are left out. `text` may be NULL: no strings. */
void kernel_strings_parse(const char *text, struct kernel_strings *ret);
void kernel_strings_release(struct kernel_strings *strings);
/* The string at the address; empty if the text does not have it. */
struct text kernel_strings_get(const struct kernel_strings *strings, uint64_t address);
