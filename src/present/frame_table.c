/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "frame_table.h"

#include <stdlib.h>

#include "base/data/array.h"

void frame_table_init(struct frame_table *table)
{
	*table = (struct frame_table){0};
	intern_init(&table->names);
	map_init(&table->by_name);
}

void frame_table_release(struct frame_table *table)
{
	intern_release(&table->names);
	map_release(&table->by_name);
	free(table->frame);
}

uint32_t frame_table_add(struct frame_table *table, const struct path_frame *frame)
{
	uint32_t name = intern_adds(&table->names, frame->text);
	uint64_t key = (uint64_t)name << 8 | frame->kind;
	uint32_t number = map_get(&table->by_name, key);

	if (number != MAP_NONE)
		return number;
	ARRAY_GROW(table->frame, table->count, table->capacity);
	number = (uint32_t)table->count++;
	table->frame[number] = (struct shown_frame){name, frame->kind};
	map_put(&table->by_name, key, number);
	return number;
}
