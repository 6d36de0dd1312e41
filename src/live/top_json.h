/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shows an interval as JSON for other programs: an object on a line of its own, of the schema
 * "ftwait.top/1", which ftwait-json(5) describes. It is valid UTF-8, whatever names consist of.
 */
#pragma once

#include <stddef.h>
#include <stdio.h>

#include "top_shot.h"

/* Writes the first `rows_max` rows of the shot, 0: all, and how many more it has. Neither flushes
   the stream nor checks it for errors. */
void top_json_put(FILE *out, const struct top_shot *shot, size_t rows_max);
