/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The slowest single calls, of those that have returned. Which tasks and calls are asked for is
 * known only when the trace has ended. If all are asked for, the slowest calls of all are kept;
 * otherwise the slowest of each row of the sums, as many as are shown.
 *
 * Memory: about 100 bytes a kept call, and 16 for each kind of waiting in it.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "syscall_calls.h"

/* A heap of the slowest calls, with the least slow on top. A heap that is all zero is empty. */
struct slowest_heap_of_calls {
	struct slow_call **call;
	size_t count, capacity;
};

struct slowest_calls {
	const struct question *question;
	bool is_by_row;
	struct slowest_heap_of_calls *heap; /* is_by_row: by row of the sums; else one */
	size_t heap_count, heap_capacity;
	uint64_t numbered;
};

/* `is_of_names`: only calls of some names are asked for. */
void slowest_calls_init(struct slowest_calls *slowest, const struct question *question,
                        bool is_of_names);
void slowest_calls_release(struct slowest_calls *slowest);
/* Adds a call that was added to that row of the sums, if it is one of the slowest so far. */
void slowest_calls_add(struct slowest_calls *slowest, size_t row, const struct interval *interval);
/* Shows the calls of asked tasks that --syscall names. Call once the sums are resolved. */
void slowest_calls_put(const struct slowest_calls *slowest, const struct call_sums *sums,
                       const struct output *to);
