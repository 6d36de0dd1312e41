/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prose folded where the terminal ends: at blanks, of which those before an option go first, so
 * that "--from 1 --to 2" can be pasted as it stands; a word that is longer than a line is broken.
 */
#pragma once

#include <stddef.h>

#include "base/buffer.h"

/*
 * Appends valid UTF-8 to a line of which `used` columns are taken. No line gets wider than `width`
 * columns (0: nothing is folded); those that follow begin with `indent` blanks, or fewer where that
 * would leave little of the width. Escape sequences of styles ("\033[1m") take no columns;
 * one in force is ended before a line ends and begun again.
 */
void text_fold_append(struct buffer *to, const char *text, size_t width, size_t used,
                      size_t indent);
/* A line of its own, without a newline at its end: what follows it is indented by its own leading
   blanks and 2. */
void text_fold_line(struct buffer *to, const char *text, size_t width);
