/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a user sees on a terminal: the screen of an xterm, as far as programs of these tests use it.
 * Cells of which nobody can know what they show, as after a change of size or on entering the
 * alternate screen, have VT_UNKNOWN until the program draws or erases them.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#define VT_UNKNOWN       "\xe2\x96\xa9" /* U+25A9, which no program here draws */
#define VT_ROWS_MAX      500
#define VT_COLUMNS_MAX   500
#define VT_SEQUENCE_MAX  64 /* bytes behind ESC */

struct vt_cell {
	char text[5]; /* a character of UTF-8; "": the right half of the one before */
	bool is_marked; /* it is shown in reverse */
};

struct vt_screen {
	size_t rows, columns;
	struct vt_cell cell[VT_ROWS_MAX][VT_COLUMNS_MAX];
	struct vt_cell main_cell[VT_ROWS_MAX][VT_COLUMNS_MAX]; /* behind the alternate screen */
	bool is_main_known; /* its size is the same */
	size_t row, column;
	bool is_behind;    /* the last column was written, the cursor waits behind it */
	bool is_reverse;
	bool is_alternate, is_cursor_hidden, is_without_wrap;
	/* Since all was erased last: characters behind the last column, and moves that left the
	   screen. Since the begin: unknown sequences, and on the alternate screen what is no
	   character of one column. */
	unsigned overprints, strays;
	unsigned unknown;
	char unknown_text[2 * VT_SEQUENCE_MAX]; /* the first unknown one, in printable letters */
	char pending[VT_SEQUENCE_MAX]; /* of a sequence that has not ended */
	size_t pending_length;
};

/* The screen is blank. Sizes are clamped. */
void vt_begin(struct vt_screen *vt, size_t rows, size_t columns);
void vt_resize(struct vt_screen *vt, size_t rows, size_t columns);
void vt_write(struct vt_screen *vt, const char *bytes, size_t length);
/* The text of a row without blanks at its end. Valid until the next call. */
const char *vt_row_text(const struct vt_screen *vt, size_t row);
/* Whether all cells are known, and nothing was drawn beside the screen. */
bool vt_is_clean(const struct vt_screen *vt);
/* How many rows have a cell that is shown in reverse. */
size_t vt_marked_rows(const struct vt_screen *vt);
