/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The screen of `ftwait top` on the terminal: draws when something has changed, and reads keys.
 *
 * Order of calls: top_display_begin(); any of the others; top_display_end().
 */
#pragma once

#include <stdbool.h>

#include "live/top_screen.h"

struct top_display;

/* NULL: there is no terminal for a screen. */
struct top_display *top_display_begin(void);
/* Gives the terminal back. Accepts NULL; returns NULL. */
struct top_display *top_display_end(struct top_display *display);
/* Readable when there are keys or news of the terminal. */
int top_display_fd(const struct top_display *display);
void top_display_take(struct top_display *display, const struct top_shot *shot);
/* Reads what there is. Returns what the next key asks of the caller, who calls again until there is
   nothing more; then it has been drawn. TOP_REQUEST_QUIT also at the end of the terminal. */
enum top_request top_display_next(struct top_display *display);
struct top_screen *top_display_screen(struct top_display *display);
