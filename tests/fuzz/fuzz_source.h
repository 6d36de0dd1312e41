/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What must hold of each source, whatever it was made of. */
#pragma once

#include "base/text/buffer.h"
#include "source/source.h"

/*
 * Reads an opened source to its end, and closes it; `r` and `why` are of opening it; the source is
 * NULL if that failed. Returns the number of records.
 */
uint64_t fuzz_source_read(int r, struct source *source, const struct buffer *why);
