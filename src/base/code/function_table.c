/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "function_table.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/data/array.h"
#include "base/data/order.h"

/* Limit of nesting: functions are rarely nested, and deeply only in malicious files. */
#define DEPTH_MAX 16
/* Limit on all names of one file. */
#define NAMES_BYTES_MAX (512u << 20)

#define RANK_SIZELESS          (1u << 15)
#define RANK_UNDERSCORES_SHIFT 4
#define RANK_UNDERSCORES_MAX   15

void function_table_init(struct function_table *table, size_t limit)
{
	*table = (struct function_table){.limit = limit};
}

void function_table_release(struct function_table *table)
{
	free(table->function);
	free(table->names);
	*table = (struct function_table){0};
}

static uint16_t function_rank(const struct function_to_add *added)
{
	size_t underscores = strspn(added->name, "_");

	underscores = underscores < RANK_UNDERSCORES_MAX ? underscores : RANK_UNDERSCORES_MAX;
	return (uint16_t)((added->size ? 0 : RANK_SIZELESS) |
	                  underscores << RANK_UNDERSCORES_SHIFT | added->binding);
}

/* The number of bytes of a name without "@VERSION" or "@@VERSION". */
static size_t unversioned_length(const char *name, size_t length)
{
	const char *at = length > 1 ? memchr(name + 1, '@', length - 1) : NULL;

	return at ? (size_t)(at - name) : length;
}

static bool function_table_add_name(struct function_table *table, const char *name, size_t length)
{
	size_t needed = table->names_bytes + length + 1;

	if (needed > NAMES_BYTES_MAX)
		return false;
	if (needed > table->names_capacity) {
		table->names_capacity = needed * 2;
		table->names = xrealloc(table->names, table->names_capacity);
	}
	memcpy(table->names + table->names_bytes, name, length);
	table->names[needed - 1] = '\0';
	table->names_bytes = needed;
	return true;
}

/* The most bytes, from its begin on, that may belong to the function; 0: none. */
static uint32_t function_reach(const struct function_to_add *added)
{
	uint64_t room = added->end > added->begin ? added->end - added->begin : 0;
	uint64_t size = added->size ? added->size : FUNCTION_SIZELESS_BYTES_MAX;

	size = size < room ? size : room;
	return size < UINT32_MAX ? (uint32_t)size : UINT32_MAX;
}

void function_table_add(struct function_table *table, const struct function_to_add *added)
{
	struct function function = {.begin = added->begin, .size = function_reach(added)};
	size_t length = unversioned_length(added->name, added->name_length);

	if (table->count >= table->limit || !function.size || length == 0 ||
	    length > FUNCTION_NAME_BYTES_MAX)
		return;
	function.name = (uint32_t)table->names_bytes;
	function.rank = function_rank(added);
	if (!function_table_add_name(table, added->name, length))
		return;
	ARRAY_ADD(table->function, table->count, table->capacity) = function;
}

/* Stable: of equal functions the first name wins. */
ORDER_FUNCTION(function_compare, struct function, RISING(x, y, begin), RISING(x, y, rank),
               RISING(x, y, name))

static void function_table_keep_best(struct function_table *table)
{
	size_t kept = 0;

	for (size_t i = 0; i < table->count; i++) {
		if (kept && table->function[kept - 1].begin == table->function[i].begin)
			continue;
		table->function[kept++] = table->function[i];
	}
	table->count = kept;
	if (kept) {
		table->capacity = kept;
		table->function = xreallocarray(table->function, kept, sizeof(*table->function));
		table->names_capacity = table->names_bytes;
		table->names = xrealloc(table->names, table->names_capacity);
	}
}

static bool function_has(const struct function *function, uint64_t address)
{
	return address - function->begin < function->size;
}

static bool function_is_sizeless(const struct function *function)
{
	return function->rank & RANK_SIZELESS;
}

/* Sets each function's `enclosing`. Candidates are the previous function and the functions around
   it; they are dropped when they end. */
static void function_table_nest(struct function_table *table)
{
	uint32_t around = 0;

	for (size_t i = 0; i < table->count; i++) {
		struct function *function = &table->function[i];

		while (around && !function_has(&table->function[around - 1], function->begin))
			around = table->function[around - 1].enclosing;
		function->enclosing = around;
		if (!function_is_sizeless(function))
			around = (uint32_t)i + 1;
	}
}

void function_table_sort(struct function_table *table)
{
	array_sort(table->function, table->count, sizeof(*table->function), function_compare);
	function_table_keep_best(table);
	function_table_nest(table);
}

/* The number of functions that begin at or below the address. */
static size_t function_table_count_to(const struct function_table *table, uint64_t address)
{
	return ARRAY_BEFORE(it, table->function, table->count, it->begin <= address);
}

struct function *function_table_find(const struct function_table *table, uint64_t address)
{
	size_t at = function_table_count_to(table, address);
	size_t index = at;

	for (unsigned depth = 0; index && depth < DEPTH_MAX; depth++) {
		struct function *function = &table->function[index - 1];

		if (!function_is_sizeless(function) && function_has(function, address))
			return function;
		index = function->enclosing;
	}
	if (at && function_is_sizeless(&table->function[at - 1]) &&
	    function_has(&table->function[at - 1], address))
		return &table->function[at - 1];
	return NULL;
}
