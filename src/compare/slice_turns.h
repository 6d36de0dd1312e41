/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Turns that a program tells itself, by slices in the form of Android's atrace
 * (words/atrace_mark.h): from "B|PID|NAME" to the "E" of the same thread that ends it, or from
 * "S|PID|NAME|COOKIE" to the "F" with the same process, name and cookie, of whatever thread. The
 * turn is of the thread that began it.
 */
#pragma once

#include "analysis/mark_list.h"
#include "turn_list.h"

/* Slices of one thread that are open at once; deeper ones are left out. */
#define SLICE_DEPTH_MAX 64
/* Slices that end in whatever thread, open at once; later ones are left out. */
#define SLICES_OPEN_MAX 4096

/* Calls `add` for each slice of asked tasks whose name begins with `name`, or is matched by it. */
void slice_turns_find(const struct mark_list *list, const char *name,
                      void (*add)(void *to, const struct turn *turn), void *to);
