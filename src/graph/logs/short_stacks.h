/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Stacks of programs that end too early, and in which files they do. The kernel follows frame
 * pointers; in code that is built without them a stack ends with the function itself, or with its
 * caller: "read", although main() called it.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/data/intern.h"
#include "base/text/buffer.h"

#define SHORT_STACK_FILES_MAX 3

struct short_stacks {
	uint32_t file[SHORT_STACK_FILES_MAX]; /* ids in the timeline's names of the files' names,
	                                         as they were found */
	unsigned count;
	bool has_more; /* further files were found */
};

void short_stacks_add(struct short_stacks *stacks, uint32_t file);
/* Appends what becomes of "some stacks": "end after one or two frames in libc.so.6: built without
   frame pointers (...)". Call only if count is not 0. */
void short_stacks_describe(const struct short_stacks *stacks, const struct intern *names,
                           struct buffer *to);

/*
 * Whether the stack of a sleep has one or two frames, and these are not all: the outermost one is a
 * function that others call. Of a function without a name that is certain only if it is the
 * innermost one, too, as threads begin somewhere, and nothing sleeps there. The functions are as in
 * struct segment_place: innermost first, ";" between, "libc.so.6+0x12ab" without a name.
 */
bool short_stack_is_cut(const char *functions);
