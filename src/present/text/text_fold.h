/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prose and texts are made to fit the columns of a terminal: folded, or cut. */
#pragma once

#include <stddef.h>

#include "base/text/buffer.h"

/*
 * Folds prose at the width of the terminal. Lines are broken at blanks, but preferably not inside a
 * list of options, so that "--from 1 --to 2" can be pasted; a word that is longer than a line is
 * broken.
 */

/*
 * Appends valid UTF-8 to a line of which `used` columns are taken. No line gets wider than `width`
 * columns (0: nothing is folded); the following lines begin with `indent` blanks, or fewer if that
 * would leave little of the width. Escape sequences of styles ("\033[1m") take no columns; a style
 * that is on is ended before a line ends, and begun again in the next line.
 */
void text_fold_append(struct buffer *to, const char *text, size_t width, size_t used,
                      size_t indent);
/* Appends a line of its own, without a newline at its end; continuation lines are indented by its
   own leading blanks plus 2. */
void text_fold_line(struct buffer *to, const char *text, size_t width);

/* Cuts texts to fit a column of a terminal. */

/* How a text that is too long may be shortened. */
enum text_form {
	TEXT_FIGURE, /* aligned to the right and never cut */
	TEXT_FIXED,  /* aligned to the left and never cut */
	TEXT_NAME,   /* cut before its tail, which distinguishes it from other names:
	                "kworker/u…[123]" */
	TEXT_WORDS,  /* cut at its end */
	TEXT_CAUSE,  /* cut at its end; it gets more room, as the most important text of the row */
	TEXT_LABEL,  /* the same for a label in a tree; the tree lines are part of it */
	TEXT_BAR,    /* "|****    |" is drawn again, shorter */
};

/*
 * Appends valid UTF-8 so that it takes at most that many columns; `ellipsis`, of one column, marks
 * the cut. Figures and fixed text are appended whole.
 */
void text_cut_append(struct buffer *to, const char *text, enum text_form form, size_t columns,
                     const char *ellipsis);
/* Turns valid UTF-8 into ASCII for a terminal: each other character becomes "?"; combining
   characters are removed. */
void text_make_ascii(char *text);
