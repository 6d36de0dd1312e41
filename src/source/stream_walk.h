/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The blocks of a stream (ftwait/stream.h), one after the other, over bytes of others between them
 * and within them: whoever has the same pipe as standard output writes into its midst, and the
 * kernel mixes writes at any byte. A block that such bytes stand in is longer than its size says:
 * what follows it is no block, but the rest of it. Where they stand in it is not to be seen: of its
 * pages those are believed that stand before the first one whose head makes no sense, but for the
 * last of them; of texts, what ends as it must.
 *
 * In a stream with regions nobody can write between the blocks without writing over them: there
 * nothing is looked for.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/buffer.h"
#include "ftwait/stream.h"
#include "input_file.h"
#include "page_reader.h"

#define STREAM_LOSS_ROWS 8

/* Of one that has no end; of a trace.dat, too, that was made of such a one. */
#define STREAM_CUT_TEXT \
	"cut short: recording did not end cleanly; all that reached the file is read"

struct stream_place {
	enum stream_block_type type;
	unsigned cpu, buffer;
	uint64_t offset, bytes; /* payload, as far as the file has it and it can be believed */
	bool is_cut;            /* by the file's end */
	bool is_torn;           /* by bytes of others: what stood behind `bytes` is lost */
};

struct stream_walk {
	const struct input_file *file;
	struct page_layout layout;
	bool is_swapped;
	uint64_t offset;     /* of the next block */
	bool has_regions;    /* such a block was met */
	/* What others wrote, and what is lost by it: */
	unsigned gaps;       /* places where others wrote */
	uint64_t gap_bytes, first_gap;
	uint64_t lost_pages, lost_texts;
	unsigned torn_marks; /* blocks of which nothing but the begin was overwritten */
	struct stream_loss {
		unsigned cpu;
		uint64_t pages;
	} loss[STREAM_LOSS_ROWS];
	unsigned loss_count;
};

/*
 * The block at `offset`. 0; -ENODATA at the end of the file, whole or within the header; -EINVAL
 * where no block stands; or -errno.
 */
int stream_block_at(const struct input_file *file, uint64_t offset, bool is_swapped,
                    struct stream_place *ret);
/* The next one, whatever stands before it. Returns as stream_block_at(); -ENODATA also where there
   is only the room that a stream with regions keeps for more blocks. */
int stream_walk_next(struct stream_walk *walk, struct stream_place *ret);
/* Appends what others wrote and what is lost by it; false where that is nothing. */
bool stream_walk_describe(const struct stream_walk *walk, struct buffer *to);
