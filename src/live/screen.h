/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The screen of `ftwait top`: its cells, and a pane of lines for reading. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/text/buffer.h"

/*
 * A screen of a terminal that is drawn off-screen, of which only changed cells are sent. What is
 * sent is obeyed by every terminal since the VT100 (ECMA-48: CUP, CUF, EL, ED, SGR), and ends with
 * normal style.
 *
 * A cell has one character of one column: of ASCII, or one of those beyond ASCII that ftwait itself
 * draws: the blocks of bars, the lines of trees, the ellipsis. Where the locale is not UTF-8 these
 * become ASCII. Every other character becomes "?", as a terminal may show it two columns wide, and
 * so does every byte that a terminal might obey: no text can move the cursor or hide other text.
 *
 *	screen_begin(screen);
 *	screen_put(screen, 0, 0, 10, SCREEN_BOLD, "LONGEST");
 *	screen_flush(screen, &bytes);
 */

#define SCREEN_ROWS_MAX    500
#define SCREEN_COLUMNS_MAX 500

/* Styles, which may be combined. A terminal without colours ignores red. */
#define SCREEN_NORMAL  0u
#define SCREEN_BOLD    1u
#define SCREEN_DIM     2u
#define SCREEN_REVERSE 4u
#define SCREEN_RED     8u

struct screen;

/* Sizes are clamped to 1..SCREEN_ROWS_MAX and 1..SCREEN_COLUMNS_MAX. */
struct screen *screen_new(size_t rows, size_t columns, bool is_utf8);
void screen_freep(struct screen **screen);
/* The terminal has another size: its drawing is empty, and the next flush sends all of it. */
void screen_resize(struct screen *screen, size_t rows, size_t columns);
/* It is not known what the terminal shows: the next flush sends all. */
void screen_forget(struct screen *screen);
size_t screen_rows(const struct screen *screen);
size_t screen_columns(const struct screen *screen);

/* Begins a new drawing, of blanks. */
void screen_begin(struct screen *screen);
/*
 * Draws the text from that cell to the right, in at most so many columns, and never beyond the
 * edge; a row or column outside draws nothing. Returns the columns it took.
 */
size_t screen_put(struct screen *screen, size_t row, size_t column, size_t columns, unsigned style,
                  const char *text);
/* Adds a style to cells, from that cell to the right. */
void screen_add_style(struct screen *screen, size_t row, size_t column, size_t columns,
                      unsigned style);
/* Appends what turns that which the terminal shows into the drawing; nothing if that is the same.
   `to` must have no limit that is below SCREEN_BYTES_MAX. */
#define SCREEN_BYTES_MAX (16u << 20)
void screen_flush(struct screen *screen, struct buffer *to);

/* Lines of text over the whole screen, for reading: with a title above, the keys below, and
   scrolled by keys. */

struct top_pane {
	bool is_open;
	const char *enter;         /* what Enter does, in words; NULL: it closes the pane */
	struct buffer title, text; /* printable UTF-8; `text` with line feeds */
	size_t top, left;          /* the first line and column that are shown */
	size_t page;               /* lines that the last drawing had room for; 0: not drawn yet */
};

void top_pane_init(struct top_pane *pane);
void top_pane_release(struct top_pane *pane);
/* Opens it at its begin. Title and text are copied, and cleaned: bytes that are not printable are
   written as \xNN. `enter` is borrowed: what Enter does, which is up to the caller; NULL: it closes
   the pane. */
void top_pane_open(struct top_pane *pane, const char *title, const char *text, const char *enter);
void top_pane_draw(struct top_pane *pane, struct screen *screen);
/* Scrolls, or closes; keys.h. */
void top_pane_key(struct top_pane *pane, int key);
