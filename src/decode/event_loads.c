/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "event_loads.h"

#include <assert.h>
#include <stdlib.h>

void event_loads_add(struct event_loads *loads, struct load load)
{
	uint32_t end = load.offset + (load.kind == LOAD_REST ? 0u : load.size);

	assert(loads->count < EVENT_LOADS_MAX);
	loads->load[loads->count++] = load;
	if (loads->length_min < end)
		loads->length_min = end;
}

static int load_compare(const void *a, const void *b)
{
	const struct load *x = a, *y = b;

	return x->kind != y->kind ? x->kind - y->kind : x->offset - y->offset;
}

static bool event_loads_have_shape(const struct event_loads *loads, const struct shape_row *row)
{
	if (loads->count != row->count)
		return false;
	for (unsigned i = 0; i < row->count; i++)
		if (loads->load[i].kind != row->load[i].kind ||
		    loads->load[i].target != row->load[i].target)
			return false;
	return true;
}

void event_loads_finish(struct event_loads *loads)
{
	qsort(loads->load, loads->count, sizeof(loads->load[0]), load_compare);
	loads->shape = SHAPE_GENERAL;
	for (unsigned shape = SHAPE_GENERAL + 1; shape < SHAPE_COUNT; shape++)
		if (event_loads_have_shape(loads, &shape_rows[shape]))
			loads->shape = (uint8_t)shape;
}

struct text load_dynamic(struct load load, const struct record *record, bool is_swapped)
{
	uint32_t where = load_u32(record->payload + load.offset, is_swapped);
	uint32_t offset = where & 0xffff, length = where >> 16;

	if (load.kind == LOAD_REL_LOC)
		offset += load.offset + 4u;
	if (offset > record->length || length > record->length - offset)
		return (struct text){"", 0};
	return (struct text){(const char *)record->payload + offset, length};
}
