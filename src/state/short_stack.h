/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Stacks of programs that end too early. The kernel follows frame pointers; in code that is built
 * without them a stack ends with the function itself, or with its caller: "read", although main()
 * called it.
 */
#pragma once

#include <stdbool.h>

/*
 * Whether the stack of a sleep has one or two frames, and these are not all: the outermost one is a
 * function that others call. Of a function without a name that is certain only if it is the
 * innermost one, too, as threads begin somewhere, and nothing sleeps there. The functions are as in
 * struct segment_place: innermost first, ";" between, "libc.so.6+0x12ab" without a name.
 */
bool short_stack_is_cut(const char *functions);
