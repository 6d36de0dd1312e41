/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where everything stands in a stream file (ftwait/stream.h). Blocks of pages are listed, not
 * read; the small ones are kept whole. A file cut short is indexed as far as it goes.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "datfile_head.h"
#include "ftwait/stream.h"

struct page_run {
	uint64_t offset, size; /* bytes in the file */
	uint32_t cpu, buffer;
	bool has_loss; /* what stood behind it is missing */
};

/* The pages of a CPU and buffer where the stream has regions. */
struct index_region {
	uint64_t at;     /* where they stand, as far as they have not moved */
	uint64_t bytes;
	uint64_t target; /* while settling */
	uint32_t cpu, buffer;
};

struct stream_index {
	struct buffer head;     /* payload of STREAM_HEAD */
	struct datfile_head parts;
	struct buffer options;  /* of all STREAM_OPTIONS, one after the other; and what was wrong */
	struct buffer cmdlines; /* of all STREAM_CMDLINES */
	struct buffer symbols;  /* of STREAM_SYMBOLS */
	bool has_symbols;
	struct page_run *run;   /* in the order of the file; owned */
	size_t run_count, run_capacity;
	bool has_buffer[STREAM_BUFFERS]; /* by number: it has pages; the main one always is there */
	bool is_ended;          /* STREAM_END was seen */
	struct stream_regions regions; /* as they were told; `done` regions stand at their target */
	struct index_region *region;   /* in the order of the file; owned; NULL: there are none */
	size_t region_count;
	uint64_t blocks_at, blocks_end; /* of what stands from HEAD on */
};

/*
 * That a stream has no end, or bytes of others in it, is told by a line `damage` (ftwait/stream.h)
 * behind its options: a trace.dat that is made of it says so, too.
 *
 * Reads the index of an open file of which `path` is told in messages. Returns 0; -EALREADY where
 * it is a trace.dat; -EINVAL where it is no stream of this machine's byte order or ends before
 * its head does; or -errno. On success stream_index_release() must follow.
 */
int stream_index_read(int fd, const char *path, struct stream_index *ret, struct buffer *why);
void stream_index_release(struct stream_index *index);
