/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Turns from slices that a program marks in the format of Android's atrace (words/atrace_mark.h).
 * A slice lasts from "B|PID|NAME" to the matching "E" of the same thread, or from
 * "S|PID|NAME|COOKIE" to the "F" with the same process, name and cookie in any thread. The turn
 * belongs to the thread that began the slice.
 */
#pragma once

#include "analysis/mark_list.h"
#include "turn_list.h"

/* Limit on nested open slices of one thread; deeper slices are ignored. */
#define SLICE_DEPTH_MAX 64
/* Limit on open slices that may end in another thread; further slices are ignored. */
#define SLICES_OPEN_MAX 4096

/* Calls `add` for each slice of the asked tasks if its name begins with `name` or matches this
   glob. */
void slice_turns_find(const struct mark_list *list, const char *name,
                      void (*add)(void *to, const struct turn *turn), void *to);
