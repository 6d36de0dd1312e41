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

/* Bytes of a number; 0: it is text. */
static unsigned number_bytes(enum load_kind kind)
{
	static const uint8_t bytes[] = {
		[LOAD_U8] = 1,  [LOAD_S8] = 1,  [LOAD_U16] = 2, [LOAD_S16] = 2, [LOAD_U32] = 4,
		[LOAD_S32] = 4, [LOAD_U64] = 8, [LOAD_S64] = 8, [LOAD_REST] = 0,
	};

	return bytes[kind];
}

static bool number_is_signed(enum load_kind kind)
{
	return kind == LOAD_S8 || kind == LOAD_S16 || kind == LOAD_S32 || kind == LOAD_S64;
}

/* The eight bytes begin with the number, or end where the shortest record may end. */
static struct number_load number_load_of(const struct event_loads *loads, const struct load *load,
                                         bool is_big)
{
	unsigned bytes = number_bytes((enum load_kind)load->kind);
	unsigned last = loads->length_min - (unsigned)sizeof(uint64_t);
	unsigned offset = load->offset < last ? load->offset : last;
	unsigned before = load->offset - offset;
	unsigned after = (unsigned)sizeof(uint64_t) - before - bytes;

	return (struct number_load){
		.offset = (uint16_t)offset,
		.target = load->target,
		.up = (uint8_t)(8 * (is_big ? before : after)),
		.down = (uint8_t)(64 - 8 * bytes),
	};
}

static void loads_add_numbers(struct event_loads *loads, bool is_big, bool is_signed)
{
	for (unsigned i = 0; i < loads->count; i++) {
		enum load_kind kind = (enum load_kind)loads->load[i].kind;

		if (number_bytes(kind) && number_is_signed(kind) == is_signed)
			loads->number[loads->number_count++] =
				number_load_of(loads, &loads->load[i], is_big);
	}
}

/* Fills the lists for the general loops. */
static void loads_split(struct event_loads *loads, bool is_big)
{
	/* every record of a kernel has that many bytes: it begins with the id, the flags and the
	   pid */
	if (loads->length_min < sizeof(uint64_t))
		loads->length_min = sizeof(uint64_t);
	loads->number_count = 0;
	loads_add_numbers(loads, is_big, /* is_signed= */ true);
	loads->signed_count = loads->number_count;
	loads_add_numbers(loads, is_big, /* is_signed= */ false);
	loads->text_count = 0;
	for (unsigned i = 0; i < loads->count; i++)
		if (!number_bytes((enum load_kind)loads->load[i].kind))
			loads->text[loads->text_count++] = loads->load[i];
}

void event_loads_finish(struct event_loads *loads, bool is_big)
{
	qsort(loads->load, loads->count, sizeof(loads->load[0]), load_compare);
	loads->shape = SHAPE_GENERAL;
	for (unsigned shape = SHAPE_GENERAL + 1; shape < SHAPE_COUNT; shape++)
		if (event_loads_have_shape(loads, &shape_rows[shape]))
			loads->shape = (uint8_t)shape;
	loads_split(loads, is_big);
}
