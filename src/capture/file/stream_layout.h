/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where a recorder puts pages in a file with holes (STREAM_REGIONS of ftwait/stream.h): each CPU
 * and buffer has a region of its own, as large as the file system has room, so that in the end only
 * the holes between them have to go. In front there is room for blocks, and for the head of the
 * trace.dat, which is about as large.
 *
 * Until then the file's size (not its room on the disk) is the sum of all regions.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "ftwait/stream.h"

#define LAYOUT_JOURNAL_AT 4096u /* where blocks begin: the first page is only the jump there */

struct layout_region {
	struct stream_region row;
	uint64_t used;  /* bytes, from its begin */
	uint32_t chunks; /* of packed pages: how many it has */
};

struct stream_layout {
	struct layout_region *region; /* by buffer and CPU, as in the trace.dat's tables */
	size_t count;
	uint32_t cpu_count;
	size_t first[STREAM_BUFFERS]; /* of a buffer's CPUs; SIZE_MAX: not recorded */
	enum stream_packing packing;
};

/*
 * Plans one for the empty file `fd` with the buffers that `has_buffer` names. Returns 0, or -errno
 * where the file system or a limit on the size of files (RLIMIT_FSIZE) does not let us; the file
 * is empty still. stream_layout_release() must follow on success.
 */
int stream_layout_plan(int fd, uint32_t cpu_count, const bool has_buffer[static STREAM_BUFFERS],
                       struct stream_layout *ret);
/*
 * Keeps as much of the disk, behind the `used` bytes of blocks in front of the pages, as it takes
 * to make a trace.dat of the file when the disk is full; a quarter of what is free at most. To
 * settle the file gives it back.
 */
void stream_layout_reserve(int fd, uint64_t used);
void stream_layout_release(struct stream_layout *layout);
/* The region of a STREAM_ID(); NULL where there is none. */
struct layout_region *stream_layout_find(struct stream_layout *layout, unsigned id);
/* Appends the payload of STREAM_REGIONS while it is recorded. */
void stream_layout_describe(const struct stream_layout *layout, struct buffer *to);
