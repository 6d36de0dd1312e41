/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A recording that is made of what a stream_ring holds: a trace.dat, as `record` writes it. Until
 * it is complete it is a stream, which `record --repair` completes if the process is killed. What
 * came from a machine of the other byte order stays a stream, which `report` reads.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/text/buffer.h"
#include "stream_ring.h"

struct shot {
	const struct stream_ring *ring;
	const struct buffer *version; /* further lines of option VERSION */
	bool is_packed;               /* as record --compress */
	bool is_new; /* -EEXIST if there is such a file, which becomes NAME.old otherwise */
};

/* Creates the file. Returns 0 and its size; or -errno, with a line in `why`: then there is no such
   file. */
int shot_file_write(const struct shot *shot, const char *path, uint64_t *ret_bytes,
                    struct buffer *why);
