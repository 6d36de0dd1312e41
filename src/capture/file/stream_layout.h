/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where a recorder puts pages in a file with holes (STREAM_REGIONS of ftwait/stream.h): each CPU
 * and buffer has a region of its own, as large as the file system has room, so that in the end only
 * the holes between them must be removed. In front is room for the blocks, and for the head of the
 * trace.dat, which is about as large.
 *
 * Until then the file's size (not its room on the disk) is the sum of all regions.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text/buffer.h"
#include "ftwait/stream.h"

#define LAYOUT_JOURNAL_AT 4096u /* the first block; the first page has only the jump to it */

struct layout_region {
	struct stream_region row;
	uint64_t used;  /* bytes that are used, from its begin on */
	uint32_t chunks; /* for packed pages: the number of chunks */
};

struct stream_layout {
	struct layout_region *region; /* by buffer and CPU, as in the trace.dat's tables */
	size_t count;
	uint32_t cpu_count;
	size_t first[STREAM_BUFFERS]; /* by buffer: index of the region of its first CPU;
	                                 SIZE_MAX: not recorded */
	enum stream_packing packing;
};

/*
 * Plans a layout for the empty file `fd` with the buffers set in `has_buffer`. Returns 0, or -errno
 * if the file system or a limit on file sizes (RLIMIT_FSIZE) prevents it; then the file is still
 * empty. stream_layout_release() must follow on success.
 */
int stream_layout_plan(int fd, uint32_t cpu_count, const bool has_buffer[static STREAM_BUFFERS],
                       struct stream_layout *ret);
/*
 * Reserves disk space, after the `used` bytes of blocks in front of the pages, for making a
 * trace.dat of the file when the disk is full; at most a quarter of the free space. Settling the
 * file frees it.
 */
void stream_layout_reserve(int fd, uint64_t used);
void stream_layout_release(struct stream_layout *layout);
/* The region of a STREAM_ID(); NULL if there is none. */
struct layout_region *stream_layout_find(struct stream_layout *layout, unsigned id);
/* Appends the payload of STREAM_REGIONS for a file being recorded. */
void stream_layout_describe(const struct stream_layout *layout, struct buffer *to);
