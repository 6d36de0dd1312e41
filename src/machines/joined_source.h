/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Several recordings as one source, which has the streams of all. Their times must already be on
 * one clock (source_shift()). CPUs and buffers are numbered through. What describes one kernel -
 * formats, symbols, snapshots - stays with each part, as tids and addresses of two machines mean
 * different things; what views ask of the recording as a whole, such as open waits, is there for
 * all parts together.
 */
#pragma once

#include "base/text/buffer.h"
#include "clocks/clock_fit.h"
#include "ftwait/source.h"

/*
 * A source on another clock: every time in it, of records and of what the recorder noted, is what
 * the line makes of it. Times before the new clock's 0 become 0.
 *
 * Memory: a copy of each stream's present batch, and of the notes that have times.
 *
 * Takes over the inner source, and closes it when it is closed itself. `ahead` is added to what the
 * line gives.
 */
struct source *source_shift(struct source *inner, const struct clock_line *line, int64_t ahead);

/*
 * Takes over the sources of the parts, and closes them when it is closed; on failure they are
 * closed at once. `parts`: source, file, name, and what is known of its clock are taken, texts are
 * copied; at most HOSTS_MAX. Fails if there are too many streams or CPUs, with a phrase in `why`.
 */
struct source *source_join(const struct source_part *parts, size_t count, struct buffer *why);
