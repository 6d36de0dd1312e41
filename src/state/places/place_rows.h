/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a sleep in a function of the kernel is: one table, a row for each function, in groups of one
 * file each (place_rows_*.c). If the compiler may inline a function, only its caller is on the
 * stack, so both have rows. A function that is used for many purposes has no row, or one with a
 * vague purpose.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/data/map.h"
#include "ftwait/cause.h"
#include "ftwait/event.h"
#include "graph/timeline/timeline.h"
#include "words/cause/purpose.h"

/*
 * A system call sleeps this near to the scheduler. Functions further in - for a lock, for a page,
 * in a driver - have time-outs of their own.
 */
#define CALL_FRAMES_MAX 3

/* A member of 0: the function says nothing about that. */
struct place_row {
	const char *function;
	/* Releases that are known to have it, "4.14-" or "2.6-5.4"; nothing after the dash: the
	   newest that was looked at has it, which is 7.2. Known by symbols of 3.0, 3.10, 4.4, 4.12,
	   4.14, 5.10, 6.1, 6.12, 6.18 and 7.2, else by what is said of the kernel's history. */
	const char *kernels;
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

/* In the groups: function, kernels, purpose without PURPOSE_, within, then what else it says. */
#define ROW(function_, kernels_, purpose_, ...)                                               \
	{                                                                                     \
		.function = (function_), .kernels = (kernels_),                               \
		.purpose = PURPOSE_##purpose_, .within = __VA_ARGS__                          \
	}

/* Whether the row's `purpose`, `kind` and `is_for_work` apply at that depth, counted from the
   scheduler's caller. */
static inline bool place_row_holds(const struct place_row *row, size_t depth)
{
	return row->within == 0 || depth < row->within;
}

struct place_group {
	const struct place_row *row;
	size_t count;
};

#define PLACE_GROUP_COUNT 7

extern const struct place_group *const place_groups[PLACE_GROUP_COUNT];
extern const struct place_group place_rows_calls, place_rows_devices, place_rows_files,
	place_rows_kernel, place_rows_locks, place_rows_memory, place_rows_net;

/* Finds rows by name. All 0: empty, filled by the first look-up. */
struct place_index {
	struct map by_hash;
};

/* The row of the function, also if the compiler appended something to its name; NULL: none. */
const struct place_row *place_index_find(struct place_index *index, const char *function);
void place_index_release(struct place_index *index);
