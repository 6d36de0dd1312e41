/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The functions of one file by address. Filled first, in any order, then sorted, then asked. Of
 * several names at one address the same is always told: one that has a size, the one with the
 * fewest underscores before it ("read" of "__read", "__libc_read"), global before weak before local
 * ones. An address belongs to the innermost function that has it; a function without a size, as
 * assembler has them, reaches to the next one, and at most to its limit.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define FUNCTION_NAME_BYTES_MAX 4096
/* How far one without a size may reach. */
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
	uint32_t enclosing; /* index + 1 of a function around its begin; 0: none */
	uint32_t told;      /* the asker's, 0 at first */
	uint16_t rank;      /* of several at one address the least is told */
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
	uint64_t end;  /* what it cannot reach beyond, the end of its section */
	enum function_binding binding;
	const char *name; /* what follows an "@", a version, is left out */
	size_t name_length;
};

/* At most `limit` functions; what is added beyond is left out. */
void function_table_init(struct function_table *table, size_t limit);
void function_table_release(struct function_table *table);
void function_table_add(struct function_table *table, const struct function_to_add *function);
void function_table_sort(struct function_table *table);
/* NULL: none is known at that address. */
struct function *function_table_find(const struct function_table *table, uint64_t address);

static inline const char *function_table_name(const struct function_table *table,
                                              const struct function *function)
{
	return table->names + function->name;
}
