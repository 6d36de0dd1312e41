/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The blocks of a stream (ftwait/stream.h), in order, with foreign bytes between and within them: a
 * program with the same pipe as standard output writes into the middle, and the kernel mixes writes
 * at any byte. A block that contains such bytes is longer than its size says: where the next block
 * should begin, its own rest follows. Where in the block the bytes are cannot be seen. Of a block
 * of pages, the pages before the first one with an invalid head are used, except the last of these;
 * a text is used if it ends correctly.
 *
 * In a stream with regions nobody can write between the blocks without overwriting them, so such
 * bytes are not searched for.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/text/buffer.h"
#include "ftwait/stream.h"
#include "page_reader.h"
#include "source/file/input_file.h"

#define STREAM_LOSS_ROWS 8

/* The damage of a stream without end, or of a trace.dat that was made of one. */
#define STREAM_CUT_TEXT \
	"cut short: recording did not end cleanly; all that reached the file is read"

struct stream_place {
	enum stream_block_type type;
	unsigned cpu, buffer;
	uint64_t offset, bytes; /* payload, as far as it is in the file and credible */
	bool is_cut;            /* by the file's end */
	bool is_torn;           /* by foreign bytes: what follows `bytes` is lost */
};

struct stream_walk {
	const struct input_file *file;
	struct page_layout layout;
	bool is_swapped;
	uint64_t offset;     /* of the next block */
	bool has_regions;    /* there was such a block */
	/* Foreign bytes, and what is lost by them: */
	unsigned gaps;       /* places with foreign bytes */
	uint64_t gap_bytes, first_gap;
	uint64_t lost_pages, lost_texts;
	unsigned torn_marks; /* blocks with only their begin overwritten */
	struct stream_loss {
		unsigned cpu;
		uint64_t pages;
	} loss[STREAM_LOSS_ROWS];
	unsigned loss_count;
};

/* The header of a block from its bytes, whether its mark is valid or not. */
struct stream_block stream_block_load(const uint8_t bytes[static sizeof(struct stream_block)],
                                      bool is_swapped);
/*
 * The block at `offset`. Returns 0; -ENODATA at the end of the file, whole or within the header;
 * -EINVAL if there is no block; or -errno.
 */
int stream_block_at(const struct input_file *file, uint64_t offset, bool is_swapped,
                    struct stream_place *ret);
/* The next block, skipping what precedes it. Returns as stream_block_at(); -ENODATA also at the
   room that a stream with regions keeps for more blocks. */
int stream_walk_next(struct stream_walk *walk, struct stream_place *ret);
/* Describes the foreign bytes and what is lost by them; false if there are none. */
bool stream_walk_describe(const struct stream_walk *walk, struct buffer *to);
