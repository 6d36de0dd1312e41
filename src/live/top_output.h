/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shows an interval on standard output: as text, for `ftwait top -b`, or as JSON. */
#pragma once

#include <stddef.h>
#include <stdio.h>

#include "ftwait/report.h"
#include "top_shot.h"

/*
 * Shows an interval as JSON for other programs: an object on a line of its own, of the schema
 * "ftwait.top/1", which ftwait-json(5) describes. It is valid UTF-8, whatever names consist of.
 * Writes the first `rows_max` rows of the shot, 0: all, and how many more it has. Neither flushes
 * the stream nor checks it for errors.
 */
void top_json_put(FILE *out, const struct top_shot *shot, size_t rows_max);

/*
 * Writes a block of text: a head of four lines, one more for a note, a blank line, the table of
 * rows, a blank line. Times have the same columns in all blocks. The options say: `width` 0, or
 * the columns that no line may exceed; `top` rows at most, 0: all; what the shot has beyond these
 * is counted in a line. Neither flushes the stream nor checks it for errors.
 */
void top_text_put(FILE *out, const struct presenter_options *options, const struct top_shot *shot);
