/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "id_table.h"

#include <assert.h>
#include <stdlib.h>

#include "base/xalloc.h"

void id_table_init(struct id_table *table)
{
	table->page = xcalloc(ID_PAGES, sizeof(uint32_t *));
	map_init(&table->beyond);
}

void id_table_release(struct id_table *table)
{
	for (size_t i = 0; table->page && i < ID_PAGES; i++)
		free(table->page[i]);
	free(table->page);
	map_release(&table->beyond);
	*table = (struct id_table){0};
}

/* The slot of a number below ID_TABLE_DIRECT. */
static uint32_t *table_place(struct id_table *table, uint64_t id)
{
	uint32_t **page = &table->page[id >> ID_PAGE_SHIFT];

	if (!*page)
		*page = xcalloc(1u << ID_PAGE_SHIFT, sizeof(uint32_t));
	return *page + (id & ((1u << ID_PAGE_SHIFT) - 1));
}

void id_table_put(struct id_table *table, uint64_t id, uint32_t value)
{
	assert(value != ID_TABLE_NONE);
	if (id < ID_TABLE_DIRECT)
		*table_place(table, id) = value + 1;
	else
		map_put(&table->beyond, id, value);
}

void id_table_drop(struct id_table *table, uint64_t id)
{
	if (id >= ID_TABLE_DIRECT)
		(void)map_take(&table->beyond, id);
	else if (table->page[id >> ID_PAGE_SHIFT])
		*table_place(table, id) = 0;
}
