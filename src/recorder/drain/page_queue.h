/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pages on their way from the ring buffers to the output. A separate thread writes them, so that a
 * stalled write (a journal commit, a card that erases, a slow pipe) does not keep the caller from
 * draining the buffers: pages that arrive meanwhile wait in memory, up to a bound. Only beyond that
 * does the caller wait for the output, and the buffers may run over. A limit on the memory of the
 * process is such a bound, too: the queue leaves some MiB to what else the process allocates.
 *
 * Order of calls: page_queue_begin(), any number of page_queue_take_pipe() and page_queue_take(),
 * page_queue_end(). In between the stream writer belongs to the writing thread. All signals of the
 * calling thread are blocked until the end, so that they go to the writing thread: its write may
 * have to be interrupted (stream_writer.h).
 *
 * Calls return 0, or -errno of the first failed write; nothing is written after that one.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "recorder/file/stream_writer.h"

#define PAGE_QUEUE_CHUNK (256u << 10)

struct page_queue;
struct page_census;

struct page_queue_options {
	size_t page_bytes;
	uint64_t bytes_max;         /* bound on waiting pages; at least one chunk is allowed */
	struct page_census *census; /* counts the written pages; NULL: none */
};

/* Default of bytes_max: a part of the free memory. */
uint64_t page_queue_bytes_default(void);

int page_queue_begin(struct stream_writer *writer, const struct page_queue_options *options,
                     struct page_queue **ret);
/* Takes `size` bytes of the pipe, whole pages of stream `id`, a STREAM_ID(). */
int page_queue_take_pipe(struct page_queue *queue, unsigned id, int pipe_fd, size_t size);
/* The same from memory: one or more pages, at most PAGE_QUEUE_CHUNK together. */
int page_queue_take(struct page_queue *queue, unsigned id, const void *page, size_t size);
/* Copies a block of another type into the queue; from any thread. Does not wait for room. */
int page_queue_take_block(struct page_queue *queue, enum stream_block_type type,
                          const void *bytes, size_t size);
/* Returns 0, or -errno of a failed write: for callers that have nothing to add. */
int page_queue_check(struct page_queue *queue);
/* Bytes of the whole stream written so far, and the census's counts of them, if there is one. */
struct page_queue_progress {
	uint64_t written, events, lost;
	bool is_lost_more; /* some losses are not counted */
	int32_t thread;    /* tid of the writing thread; 0: not yet known */
};

struct page_queue_progress page_queue_progress(struct page_queue *queue);
/* Waits until all is written and frees the queue. */
int page_queue_end(struct page_queue *queue);
