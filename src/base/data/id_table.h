/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Maps small numbers, such as thread ids, to 32-bit values, by two levels like a page table. A
 * lookup takes two loads and no hashing; numbers from ID_TABLE_DIRECT on are allowed and go into a
 * map. ID_TABLE_NONE cannot be stored as a value. Memory: 32 KiB of pointers, of which only used
 * ones are touched, and 4 KiB for each range of 1024 numbers with any entry.
 */
#pragma once

#include "map.h"

#define ID_TABLE_NONE MAP_NONE

#define ID_PAGE_SHIFT 10
#define ID_PAGES      4096
/* No kernel gives a thread a higher id: PID_MAX_LIMIT, include/linux/threads.h. */
#define ID_TABLE_DIRECT ((uint64_t)ID_PAGES << ID_PAGE_SHIFT)

struct id_table {
	uint32_t **page;  /* pages of values + 1, 0: none; NULL: the page has no numbers */
	struct map beyond; /* for higher numbers */
};

void id_table_init(struct id_table *table);
void id_table_release(struct id_table *table);
/* Adds or overwrites. */
void id_table_put(struct id_table *table, uint64_t id, uint32_t value);
/* Removes the number, if present. */
void id_table_drop(struct id_table *table, uint64_t id);

/* The value of the number; ID_TABLE_NONE if it is not present. */
static inline uint32_t id_table_get(const struct id_table *table, uint64_t id)
{
	const uint32_t *page;

	if (id >= ID_TABLE_DIRECT)
		return map_get(&table->beyond, id);
	page = table->page[id >> ID_PAGE_SHIFT];
	return page ? page[id & ((1u << ID_PAGE_SHIFT) - 1)] - 1 : ID_TABLE_NONE;
}
