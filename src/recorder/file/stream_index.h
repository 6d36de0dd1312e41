/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The places of all parts of a stream file (ftwait/stream.h). Blocks of pages are listed, but not
   read; small blocks are kept as a whole. A truncated file is indexed as far as it goes. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text/buffer.h"
#include "datfile_head.h"
#include "ftwait/stream.h"

struct page_run {
	uint64_t offset, size; /* bytes in the file */
	uint32_t cpu, buffer;
	bool has_loss; /* data after it is missing */
};

/* The pages of a CPU and buffer, if the stream has regions. */
struct index_region {
	uint64_t at;     /* where they are, unless moved */
	uint64_t bytes;
	uint64_t target; /* while settling */
	uint32_t cpu, buffer;
};

struct stream_index {
	struct buffer head;     /* payload of STREAM_HEAD */
	struct datfile_head parts;
	struct buffer options;  /* of all STREAM_OPTIONS in sequence, then notes of damage */
	struct buffer cmdlines; /* of all STREAM_CMDLINES */
	struct buffer symbols;  /* of STREAM_SYMBOLS */
	bool has_symbols;
	struct page_run *run;   /* in the order of the file; owned */
	size_t run_count, run_capacity;
	bool has_buffer[STREAM_BUFFERS]; /* by number: the buffer has pages; always set for the
	                                    main buffer */
	bool is_ended;          /* STREAM_END was seen */
	struct stream_regions regions; /* as recorded; the first `done` regions are at their
				          target */
	struct index_region *region;   /* in the order of the file; owned; NULL: none */
	size_t region_count;
	uint64_t blocks_at, blocks_end; /* where the blocks from HEAD on begin and end */
};

/*
 * A missing end, or foreign bytes in the stream, adds a `damage` line (ftwait/stream.h) to its
 * options, so that a trace.dat made of it reports them too.
 *
 * Reads the index of an open file; `path` is for messages. Returns 0; -EALREADY if it is a
 * trace.dat; -EINVAL if it is no stream of this machine's byte order or ends before its head does;
 * or -errno. On success stream_index_release() must follow.
 */
int stream_index_read(int fd, const char *path, struct stream_index *ret, struct buffer *why);
void stream_index_release(struct stream_index *index);
