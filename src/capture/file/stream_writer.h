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
#include "stream_layout.h"

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
/* The same for a file with pages in regions; HEAD and REGIONS must follow. */
int stream_writer_begin_layout(struct stream_writer *writer, int fd,
                               struct stream_layout *layout);
/* Writes a whole block. `id`: STREAM_ID() of pages; else 0. */
int stream_writer_block(struct stream_writer *writer, enum stream_block_type type, unsigned id,
                        const void *bytes, size_t size);

/* Appends an option of trace.dat version 6 to `to`: the payload of STREAM_OPTIONS. */
void stream_option_append(struct buffer *to, uint16_t id, const void *bytes, size_t size);
