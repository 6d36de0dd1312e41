/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where addresses in the memory of a process are in its program, as tables of symbols have them. A
 * recording has the mappings of code alone, and a program is moved in memory as a whole: its
 * variables by as much as its code.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Most programs have one. */
#define CODE_PARTS_MAX 8
/* Limit on the size of a page: a mapping begins at one, the part of the file somewhere in it. */
#define CODE_PART_PAGE_MAX 65536u

struct code_part {
	uint64_t offset, size; /* in bytes, within the file */
	uint64_t address;
};

/* An address in the memory of a process that has mapped code of the file. */
struct user_place {
	uint64_t begin;   /* address of that mapping */
	uint64_t offset;  /* of the mapping, within the file */
	uint64_t address; /* near it */
};

/* The part of the file that a mapping of that offset shows; NULL: none. */
static inline const struct code_part *code_part_find(const struct code_part *part, size_t count,
                                                     uint64_t offset)
{
	for (size_t i = 0; i < count; i++, part++)
		if (offset < part->offset ? part->offset - offset < CODE_PART_PAGE_MAX
		                          : offset - part->offset < part->size)
			return part;
	return NULL;
}

/* The place's address in the terms of the file; the mapping shows that part. */
static inline uint64_t code_part_address(const struct code_part *part,
                                         const struct user_place *place)
{
	return place->address - place->begin + (part->address - part->offset + place->offset);
}

/* Names of the kernel's functions. */

/* The compiler appends ".isra.0", ".constprop.0" and the like to functions that it has changed. In
   a stack a name ends at ';'. */
static inline bool function_is_of(const char *name, const char *function, size_t length)
{
	return strncmp(name, function, length) == 0 &&
	       (name[length] == '\0' || name[length] == '.' || name[length] == ';');
}

static inline bool function_is(const char *name, const char *function)
{
	return function_is_of(name, function, strlen(function));
}

static inline bool function_is_any(const char *name, const char *const *functions, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (function_is(name, functions[i]))
			return true;
	return false;
}
