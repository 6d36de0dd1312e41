/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The functions of one file by address, or its variables. Fill it first, in any order, then sort,
 * then look up. If there are several names at one address, always the same one is returned: a name
 * with a size before one without, then the name with the fewest underscores at its begin ("read" of
 * "__read", "__libc_read"), then global before weak before local names. An address belongs to the
 * innermost function that contains it; a function without a size, as in assembler code, extends to
 * the next one, but at most to its limit.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define FUNCTION_NAME_BYTES_MAX 4096
/* Limit of a function without a size. */
#define FUNCTION_SIZELESS_BYTES_MAX (1u << 14)

enum function_binding {
	FUNCTION_GLOBAL,
	FUNCTION_WEAK,
	FUNCTION_LOCAL,
};

struct function {
	uint64_t begin;
	uint32_t size;      /* bytes, never 0 */
	uint32_t name;      /* offset in names */
	uint32_t enclosing; /* index + 1 of a function that contains its begin; 0: none */
	uint32_t name_id;   /* for the caller's use, 0 at first */
	uint16_t rank;      /* of several functions at one address, the one with the least rank
	                       is kept */
};

struct function_table {
	struct function *function;
	size_t count, capacity;
	size_t limit; /* largest count */
	char *names;
	size_t names_bytes, names_capacity;
};

struct function_to_add {
	uint64_t begin;
	uint64_t size; /* 0: not known */
	uint64_t end;  /* limit of the function: the end of its section */
	enum function_binding binding;
	const char *name; /* a version at its end, "@" and what follows, is left out */
	size_t name_length;
};

/* At most `limit` functions; further ones are left out. */
void function_table_init(struct function_table *table, size_t limit);
void function_table_release(struct function_table *table);
void function_table_add(struct function_table *table, const struct function_to_add *function);
void function_table_sort(struct function_table *table);
/* The function at the address; NULL: none is known. */
struct function *function_table_find(const struct function_table *table, uint64_t address);

static inline const char *function_table_name(const struct function_table *table,
                                              const struct function *function)
{
	return table->names + function->name;
}
