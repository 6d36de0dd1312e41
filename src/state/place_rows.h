/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a sleep in a function of the kernel is: one table, a row for each function, in groups that
 * are a file each (place_rows_*.c). Where the compiler makes a function part of its caller, only
 * the caller is on the stack, so that both have rows.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"
#include "ftwait/cause.h"
#include "ftwait/event.h"
#include "graph/timeline.h"

/*
 * A call sleeps this near to the scheduler. What is further in - for a lock, for a page, in a
 * driver - has time-outs of its own.
 */
#define CALL_FRAMES_MAX 3

/* 0 in a member: the function says nothing of that. */
struct place_row {
	const char *function;
	/* Of those next to the scheduler it counts frames: `kind` and `is_for_work` hold for as
	   many, from the scheduler's caller on; 0: anywhere. */
	uint8_t within;
	uint8_t kind;       /* enum place_kind */
	uint8_t call;       /* enum sleep_call; within CALL_FRAMES_MAX */
	uint8_t memory;     /* enum memory_what, anywhere: the innermost row that has it decides */
	bool is_no_memory;  /* none of these, whatever lies further out */
	bool is_for_work;   /* a place where a task sleeps that has nothing to do */
	bool is_frozen;     /* the freezer stops tasks there; within 1 */
};

/* Whether what the row says of the nearest frames holds for one so many from the scheduler. */
static inline bool place_row_holds(const struct place_row *row, size_t depth)
{
	return row->within == 0 || depth < row->within;
}

struct place_group {
	const struct place_row *row;
	size_t count;
};

#define PLACE_GROUP_COUNT 5

extern const struct place_group *const place_groups[PLACE_GROUP_COUNT];
extern const struct place_group place_rows_calls, place_rows_kernel, place_rows_locks,
	place_rows_memory, place_rows_net;

/* Finds rows by name. All 0: empty, filled by the first look-up. */
struct place_index {
	struct map by_hash;
};

/* The function's row, also where the compiler appended something to its name; NULL: none. */
const struct place_row *place_index_find(struct place_index *index, const char *function);
void place_index_release(struct place_index *index);
