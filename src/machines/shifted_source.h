/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A source on another clock: every time in it, of records and of what the recorder noted, is what
 * the line makes of it. Times before the new clock's 0 become 0.
 *
 * Memory: a copy of each stream's present batch, and of the notes that have times.
 */
#pragma once

#include "clocks/clock_fit.h"
#include "ftwait/source.h"

/* Takes over the inner source, and closes it when it is closed itself. `ahead` is added to what the
   line gives. */
struct source *source_shift(struct source *inner, const struct clock_line *line, int64_t ahead);
