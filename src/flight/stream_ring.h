/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The newest part of a stream, and the memory or the file that it is kept in. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text/buffer.h"
#include "ftwait/nsec.h"
#include "ftwait/stream.h"

/*
 * Pieces of CHUNK_BYTES each, in memory or in a file, which are used again when they were given
 * back. A chunk is named by its number.
 *
 * Another process that was forked reads what the store held at that time: of memory the kernel
 * copies for it what is written later; of a file chunks must not be used again meanwhile
 * (chunk_store_hold()).
 */

#define CHUNK_BYTES (256u << 10)

struct chunk_store {
	int fd;           /* the file; -1: in memory */
	uint8_t **memory; /* by number; NULL: given back */
	uint32_t count, capacity;
	/* Numbers that can be used again, and those that can after the hold. */
	uint32_t *free, *held;
	size_t free_count, free_capacity, held_count, held_capacity;
	bool is_held;
};

/* `fd`: an empty file, owned by the store from now on; -1: none. */
void chunk_store_init(struct chunk_store *store, int fd);
void chunk_store_release(struct chunk_store *store);
/* Returns 0, or -errno if the file cannot have one more: -ENOSPC. */
int chunk_store_take(struct chunk_store *store, uint32_t *ret);
void chunk_store_give_back(struct chunk_store *store, uint32_t chunk);
/* From now on chunks that are given back stay as they are; until false. */
void chunk_store_hold(struct chunk_store *store, bool is_held);
/* Return 0, or -errno of the file. */
int chunk_store_write(struct chunk_store *store, uint32_t chunk, size_t at, const void *bytes,
                      size_t size);
int chunk_store_read(const struct chunk_store *store, uint32_t chunk, size_t at, void *to,
                     size_t size);

/*
 * The last part of a stream (ftwait/stream.h), as its blocks came. It is kept in chapters. A
 * chapter begins at a time before which no record is still to come, with the tasks as they are
 * then; so what is kept is a recording of its own from the begin of any chapter on. The oldest ones
 * are dropped. The first chapter of all has its tasks in the stream's own preface: magic, head and
 * options, which are kept for ever.
 *
 * A recorder that says how far it got has read the clock before it drained the CPUs one after the
 * other: what it wrote until then has some younger records, too. So a chapter also has what came
 * since the time before that was reached; its tasks hold unless an older event says otherwise, as
 * the line `read` of option VERSION means.
 *
 *	preface   |chapter 0 ....|chapter 1 ....|chapter 2 ....|  now
 *	          (dropped)      tasks          tasks
 *
 * Where the stream is of the other byte order, the headers of its blocks are kept and read in this
 * machine's order, and what is in them as it came (`is_swapped`).
 *
 * Order of calls: stream_ring_init(); stream_ring_take() for all bytes from the magic on; when a
 * time was reached (STREAM_REACHED was taken), stream_ring_is_due() and, if so, stream_ring_turn();
 * stream_ring_read() at any such time; stream_ring_release().
 *
 * If the file cannot hold what comes (a full disk), chapters are dropped earlier. Where that does
 * not suffice, there is a gap, so that all of what is kept is dropped at the next turn: `error`.
 */

/* So many make up the whole; so what is kept is longer than asked for by at most one of them. */
#define RING_CHAPTERS 8

struct ring_chapter {
	nsec_t begin;
	struct buffer version;  /* lines of option VERSION: tasks; empty: those of the preface */
	struct buffer cmdlines; /* payload of STREAM_CMDLINES */
	uint32_t *chunk;
	size_t chunk_count, chunk_capacity;
	uint64_t bytes; /* in the chunks */
};

struct stream_ring {
	struct chunk_store store;
	nsec_t time_max;    /* keeps so much before the newest; NSEC_NEVER: as bytes_max says */
	uint64_t bytes_max; /* keeps no more, but for what comes until the next time is reached */
	bool has_order, is_swapped; /* known from the first block on */
	struct buffer preface; /* as it came, without the magic */
	bool has_begun;     /* the preface is complete */
	bool is_short;      /* chapters were dropped that `time_max` asks for */
	struct ring_chapter *chapter;
	size_t count, capacity;
	uint64_t bytes;     /* of all chapters */
	uint64_t taken;     /* of the chapters, since the begin */
	bool has_buffer[STREAM_BUFFERS]; /* that pages came of it */
	int error;          /* negative errno of the file; 0 after the next turn */

	/* In the last chapter: how many bytes it had when the last two times were reached. */
	uint64_t round, round_before;

	/* The block that is being taken. */
	uint64_t magic_left, left; /* bytes that are still to come */
	struct stream_block block;
	size_t block_bytes; /* of its header, which have come */
	bool is_kept;
};

/* `fd`: as for chunk_store_init(). At least one of time and bytes limits it. */
void stream_ring_init(struct stream_ring *ring, nsec_t time_max, uint64_t bytes_max, int fd);
void stream_ring_release(struct stream_ring *ring);
/* `state`: the ring; as on_bytes of source/stream/live_source.h. */
void stream_ring_take(void *state, const void *bytes, size_t size);
/* Whether another chapter is to begin at that time. */
bool stream_ring_is_due(const struct stream_ring *ring, nsec_t reached);
/* Begins one at that time, and drops those that are no longer needed. Both texts, of buffers that
   must be released, become the ring's. */
void stream_ring_turn(struct stream_ring *ring, nsec_t reached, struct buffer *version,
                      struct buffer *cmdlines);
/* Time from which on all records are kept; 0: from the stream's begin on. */
nsec_t stream_ring_begin(const struct stream_ring *ring);
/* Calls `take` for each block of all chapters, until it returns a negative number, which is
   returned then; or an error of reading; or 0. */
int stream_ring_read(const struct stream_ring *ring,
                     int (*take)(void *state, const struct stream_block *block,
                                 const void *payload),
                     void *state);
