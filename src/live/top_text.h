/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shows an interval as a block of text, for `ftwait top -b`: a head of four lines, one more for a
 * note, a blank line, the table of rows, a blank line. Times have the same columns in all blocks.
 */
#pragma once

#include <stdio.h>

#include "ftwait/report.h"
#include "top_shot.h"

/*
 * Writes a block as the options say: `width` 0, or the columns that no line may exceed; `top` rows
 * at most, 0: all; what the shot has beyond these is counted in a line. Neither flushes the stream
 * nor checks it for errors.
 */
void top_text_put(FILE *out, const struct presenter_options *options, const struct top_shot *shot);
