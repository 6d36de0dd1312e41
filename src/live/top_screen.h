/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The screen of `ftwait top`: shots come in, keys come in, and it is drawn whenever the caller
 * likes. What needs the recording is requested of the caller. On a terminal that is low or narrow
 * lines and columns are left out; the longest wait that is open, and names, waiting and causes of
 * rows stay.
 *
 *	top_screen_take(top, &shot);
 *	top_screen_draw(top, screen);
 *	switch (top_screen_key(top, key)) ...
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "screen.h"
#include "top_shot.h"
#include "top_view.h"

/* What a key asks of the caller; after each key, also if it asks nothing, the screen is drawn
   anew. */
enum top_request {
	TOP_REQUEST_NONE,
	TOP_REQUEST_QUIT,
	TOP_REQUEST_REDRAW,  /* screen_forget() */
	TOP_REQUEST_BY_NEXT, /* rows of the next kind: comms, tasks, cgroups, comms */
	TOP_REQUEST_CHAIN,   /* top_screen_show(), with the chain of top_screen_selected() */
	TOP_REQUEST_LONGER,  /* interval */
	TOP_REQUEST_SHORTER,
	TOP_REQUEST_SAVE,    /* the newest part of what was read, to a file */
	TOP_REQUEST_BROWSE,  /* the same, and then what top_screen_selected() is in it */
};

/* The row that a chain is asked for. */
struct top_selected {
	const char *name; /* as in struct top_row */
	int32_t tid;      /* -1: the row is no task */
	enum top_by by;
};

struct top_screen;

struct top_screen *top_screen_new(enum top_sort sort, bool is_utf8);
void top_screen_freep(struct top_screen **top);
/* The shot is copied; it is ignored while the screen is paused. */
void top_screen_take(struct top_screen *top, const struct top_shot *shot);
enum top_request top_screen_key(struct top_screen *top, int key);
/* Valid until the next key; false if no row is selected. */
bool top_screen_selected(const struct top_screen *top, struct top_selected *ret);
bool top_screen_is_paused(const struct top_screen *top);
/* A line for the user, until the next key. It is cleaned. */
void top_screen_say(struct top_screen *top, const char *text);
/* Shows lines of text about the selected row until the user closes them, or browses further. They
   are cleaned. */
void top_screen_show(struct top_screen *top, const char *title, const char *text);
void top_screen_draw(struct top_screen *top, struct screen *screen);
