/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes an ftwait stream (ftwait/stream.h) to a file or pipe.
 *
 * Why first a stream and then a trace.dat: a trace.dat needs each CPU's pages in one piece,
 * preceded by their offsets, which are known only at the end. A single file needs no file per CPU
 * beside it, and is readable whatever happens to the recorder. In a pipe, or a file that cannot
 * have holes, blocks are only appended; otherwise a layout puts the pages where they can stay in
 * the trace.dat.
 *
 * Calls return 0, or -errno of the failed write. After a failure nothing more may be written: the
 * last block is truncated, which the format allows.
 */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text/buffer.h"
#include "ftwait/stream.h"

/*
 * Where a recorder puts pages in a file with holes (STREAM_REGIONS of ftwait/stream.h): each CPU
 * and buffer has a region of its own, as large as the file system has room, so that in the end only
 * the holes between them must be removed. In front is room for the blocks, and for the head of the
 * trace.dat, which is about as large.
 *
 * Until then the file's size (not its room on the disk) is the sum of all regions.
 */

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

struct page_packer;

struct stream_writer {
	int fd;         /* borrowed */
	uint64_t bytes; /* written so far */
	struct stream_layout *layout; /* borrowed; NULL: append-only */
	struct page_packer *packer; /* borrowed; packs pages in the way that the layout's
	                               `packing` names; NULL: pages are not packed */
	uint64_t next;  /* with a layout: offset of the next block */
	uint64_t end;   /* with a layout: end of all that was written */
	bool is_swapped; /* headers are written in the other byte order; without a layout only */
	bool is_file;   /* the whole file is written by this writer, which checks its size */
	bool is_cut;    /* another process made it shorter: the data has a hole */
	/* Once this reaches `interrupt_limit` no write begins, and an interrupted one is not
	   resumed: -EINTR; NULL: never. */
	const atomic_int *interrupts;
	int interrupt_limit;
};

/* Writes the magic. */
int stream_writer_begin(struct stream_writer *writer, int fd);
/* The same for a file with pages in regions; stream_writer_head() must follow. */
int stream_writer_begin_layout(struct stream_writer *writer, int fd, struct stream_layout *layout);
/* Writes HEAD, and with a layout the places of its regions. */
int stream_writer_head(struct stream_writer *writer, const void *head, size_t size);
/* Writes a whole block. `id`: STREAM_ID() of pages; else 0. */
int stream_writer_block(struct stream_writer *writer, enum stream_block_type type, unsigned id,
                        const void *bytes, size_t size);

/* Appends an option of trace.dat version 6 to `to`: the payload of STREAM_OPTIONS. */
void stream_option_append(struct buffer *to, uint16_t id, const void *bytes, size_t size);

/* Writes texts into the lines of option VERSION; ftwait/stream.h defines the form of the lines. */

/* Appends the text; a newline becomes \012, a backslash \134. */
static inline void stream_text_append(struct buffer *to, const char *text)
{
	for (; *text; text++) {
		if (*text == '\n' || *text == '\\')
			buffer_printf(to, "\\%03o", (unsigned)*text);
		else
			buffer_putc(to, *text);
	}
}
