/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pages on their way from the ring buffers to the output. A thread of its own writes them, so that
 * a write that stalls (a journal that commits, a card that erases, a slow pipe) does not keep the
 * caller from draining the buffers: what arrives meanwhile waits in memory, up to a bound. Only
 * beyond that does the caller wait for the output, and the buffers may run over.
 *
 * Order of calls: page_queue_begin(), any number of page_queue_take_pipe() and page_queue_take(),
 * page_queue_end(). In between the writer belongs to the thread. The calling thread has all its
 * signals blocked until the end: they are for the thread, whose write may have to be interrupted
 * (stream_writer.h).
 *
 * Calls return 0 or -errno of the first failed write; after one nothing more is written.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "capture/file/stream_writer.h"

#define PAGE_QUEUE_CHUNK (256u << 10)

struct page_queue;
struct page_census;

struct page_queue_options {
	size_t page_bytes;
	uint64_t bytes_max;         /* of pages that wait; at least one chunk is allowed */
	struct page_census *census; /* counts what was written; NULL: nobody does */
};

/* How much may wait where nobody says: a part of the memory that is free now. */
uint64_t page_queue_bytes_default(void);

int page_queue_begin(struct stream_writer *writer, const struct page_queue_options *options,
                     struct page_queue **ret);
/* Takes `size` bytes, whole pages of `id`, a STREAM_ID(), out of the pipe. */
int page_queue_take_pipe(struct page_queue *queue, unsigned id, int pipe_fd, size_t size);
/* The same from memory: a page, or some that do not exceed PAGE_QUEUE_CHUNK together. */
int page_queue_take(struct page_queue *queue, unsigned id, const void *page, size_t size);
/* A block of another type, whose payload is copied; from any thread. It waits for no room. */
int page_queue_take_block(struct page_queue *queue, enum stream_block_type type,
                          const void *bytes, size_t size);
/* 0, or -errno of the write that has failed since: who has nothing to add is told only here. */
int page_queue_check(struct page_queue *queue);
/* How far it is: bytes of the whole stream that are written, and of them what the census, if there
   is one, has seen. */
struct page_queue_progress {
	uint64_t written, events, lost;
	bool is_lost_more; /* than is told */
	int32_t thread;    /* tid of the one that writes; 0: it has not begun yet */
};

struct page_queue_progress page_queue_progress(struct page_queue *queue);
/* Waits until all is written, frees the queue. */
int page_queue_end(struct page_queue *queue);
