/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a sleep in a function of the kernel is: one table, a row for all functions that say the
 * same, in groups of one file each (place_rows_*.c). If the compiler may inline a function, only
 * its caller is on the stack, so both are in the table. A function that is used for many purposes
 * is in no row, or in one with a vague purpose.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/data/map.h"
#include "graph/timeline/timeline.h"
#include "words/cause/purpose.h"

/*
 * A system call sleeps this near to the scheduler. Functions further in - for a lock, for a page,
 * in a driver - have time-outs of their own.
 */
#define CALL_FRAMES_MAX 3

/* A member of 0: the functions say nothing about that. */
struct place_row {
	/* Names of functions, each with the releases that are known to have it: "down 4.14-, up
	   2.6-5.4"; nothing after the dash: the newest that was looked at has it, which is 7.2.
	   Known by symbols of 3.0, 3.10, 4.4, 4.12, 4.14, 5.10, 6.1, 6.12, 6.18 and 7.2, else by
	   what is said of the kernel's history. */
	const char *functions;
	uint8_t purpose;    /* enum purpose; the innermost row decides */
	/* `purpose`, `kind` and `is_for_work` apply up to so many frames from the scheduler's
	   caller; 0: anywhere */
	uint8_t within;
	uint8_t kind;       /* enum place_kind */
	uint8_t call;       /* enum sleep_call; within CALL_FRAMES_MAX */
	uint8_t memory;     /* enum memory_what, anywhere: the innermost row that has it decides */
	bool is_no_memory;  /* not for memory, whatever functions further out show */
	bool is_for_work;   /* a place where tasks sleep that have nothing to do */
	bool is_frozen;     /* the freezer stops tasks there; within 1 */
	bool is_vague;      /* a purpose further out that is not vague says more */
	uint8_t instead_of; /* the purpose counts only in place of this purpose, found further in */
};

/* In the groups: purpose without PURPOSE_, within, the functions; ROW_ALSO() with what else they
   say. */
#define ROW(purpose_, within_, ...) ROW_OF(purpose_, #__VA_ARGS__, .within = (within_))
#define ROW_ALSO(purpose_, within_, also, ...)                                                \
	ROW_OF(purpose_, #__VA_ARGS__, .within = (within_), also)
#define ROW_OF(purpose_, functions_, ...)                                                     \
	{.purpose = PURPOSE_##purpose_, .functions = (functions_), __VA_ARGS__}
#define ALSO(...) __VA_ARGS__

/* The function that follows in its row, with its releases and those after it; NULL: none does. */
static inline const char *place_function_next(const char *function)
{
	const char *comma = strchr(function, ',');

	return comma ? comma + 2 : NULL;
}

/* Whether the row's `purpose`, `kind` and `is_for_work` apply at that depth, counted from the
   scheduler's caller. */
static inline bool place_row_holds(const struct place_row *row, size_t depth)
{
	return row->within == 0 || depth < row->within;
}

#define PLACE_GROUP_COUNT 2

/* The groups: a row without functions ends each. */
extern const struct place_row *const place_groups[PLACE_GROUP_COUNT];
extern const struct place_row place_rows_io[], place_rows_kernel[];

/* Finds rows by name. All 0: empty, filled by the first look-up. */
struct place_index {
	struct map by_hash; /* index in `function` */
	struct placed_function {
		const char *name; /* in its row */
		const struct place_row *row;
	} *function;
	size_t count, capacity;
};

/* The row of the function, also if the compiler appended something to its name; NULL: none. */
const struct place_row *place_index_find(struct place_index *index, const char *function);
void place_index_release(struct place_index *index);
