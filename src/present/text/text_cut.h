/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Cuts texts to fit a column of a terminal. */
#pragma once

#include "base/text/buffer.h"

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
