/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files of programs in which stacks end after a frame or two, as they are built without frame
   pointers (state/short_stack.h). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/text/buffer.h"
#include "base/data/intern.h"

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
