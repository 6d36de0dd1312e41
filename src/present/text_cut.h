/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Texts made to fit a column of a terminal.
 */
#pragma once

#include "base/buffer.h"

/* What may be done to a text that is too long. */
enum text_form {
	TEXT_FIGURE, /* stands at the right of its column and is never cut */
	TEXT_FIXED,  /* stands at the left and is never cut */
	TEXT_NAME,   /* is cut before its end that tells it from others: "kworker/u…[123]" */
	TEXT_WORDS,  /* is cut at its end */
	TEXT_CAUSE,  /* the same, but what the row is read for: it is left more room */
	TEXT_LABEL,  /* the same in a tree, whose lines are part of it */
	TEXT_BAR,    /* "|****    |" is drawn again, shorter */
};

/*
 * Appends valid UTF-8 so that it takes at most so many columns; `ellipsis`, of one column, stands
 * for what is left out. A figure or fixed text is appended as it is.
 */
void text_cut_append(struct buffer *to, const char *text, enum text_form form, size_t columns,
                     const char *ellipsis);
/* Valid UTF-8 for a terminal of ASCII: each other character becomes "?", and what would join the
   one before it goes. */
void text_make_ascii(char *text);
