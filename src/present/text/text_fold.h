/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Folds prose at the width of the terminal. Lines are broken at blanks, but preferably not inside a
 * list of options, so that "--from 1 --to 2" can be pasted; a word that is longer than a line is
 * broken.
 */
#pragma once

#include <stddef.h>

#include "base/text/buffer.h"

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
