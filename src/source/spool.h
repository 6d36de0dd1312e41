/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A copy of what cannot be read in place: of what cannot be read twice (a pipe, a socket, a
 * terminal), and of what gzip or zstd has packed, unpacked (unpack_stream.h). Some MiB are kept in
 * memory, what is more in an unlinked file in TMPDIR.
 *
 * Input may have no end, and a small file may unpack to anything, so as little as possible is
 * taken: nothing beyond the first bytes of what does not begin as a trace, nothing to speak of
 * behind the block that ends a stream, some MiB of what others wrote into it where no block
 * follows, and never the last room in the folder.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/buffer.h"

/* Kept of what follows the end of a stream: enough to tell that something does. */
#define SPOOL_TAIL_BYTES (64u << 10)

/*
 * Returns the copy's descriptor, or -errno with a phrase in `why`. `from` stays open; of a file it
 * is read from where it stands. Where only a part could be unpacked `damage` receives a sentence
 * about the rest, else nothing.
 */
int spool_fill(int from, struct buffer *damage, struct buffer *why);
/* Who is told every few MB how many bytes are copied; NULL, as at the beginning: nobody. */
void spool_on_progress(void (*tell)(uint64_t bytes));
/*
 * Whether a file system of `total` bytes, of which `available` are free, takes more: a twentieth of
 * it, at most 64 MiB, is left to others. Some do not tell how large they are (0).
 */
bool spool_has_room(uint64_t available, uint64_t total);
