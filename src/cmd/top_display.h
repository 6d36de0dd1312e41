/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The screen of `ftwait top` on the terminal: draws when something has changed, and reads keys.
 *
 * Order of calls: top_display_new(); top_display_begin(), when there is something to draw; any of
 * the others; top_display_end(). Before its begin a display is not drawn and has no keys.
 */
#pragma once

#include <stdbool.h>

#include "live/top_screen.h"

struct top_display;

/* Its rows are sorted so until the user sorts them otherwise. */
struct top_display *top_display_new(enum top_sort sort);
/* False: there is no terminal for a screen. */
bool top_display_begin(struct top_display *display);
/* Whether it has begun; false for NULL. */
bool top_display_is_on(const struct top_display *display);
/* Gives the terminal back. Accepts NULL; returns NULL. */
struct top_display *top_display_end(struct top_display *display);
/* Readable when there are keys or news of the terminal. -1: there is no display (NULL). */
int top_display_fd(const struct top_display *display);
void top_display_take(struct top_display *display, const struct top_shot *shot);
/* Reads what there is. Returns what the next key asks of the caller, who calls again until there is
   nothing more; then it has been drawn. TOP_REQUEST_QUIT also at the end of the terminal. */
enum top_request top_display_next(struct top_display *display);
/* A line for the user, as top_screen_say(); it is drawn at once. */
void top_display_say(struct top_display *display, const char *text);
struct top_screen *top_display_screen(struct top_display *display);
