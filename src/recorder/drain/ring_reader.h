/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Moves the pages of an instance's ring buffers to the output queue. One process and one loop serve
 * all CPUs: measurements show that the way in which pages leave costs the traced program nothing,
 * but that frequent wake-ups of a reader do. So the kernel wakes the reader only when a buffer is
 * half full, the caller also drains once a second, and only full pages leave before the end.
 *
 * Pages leave the ring buffer through a pipe by splice(2), many at a time and only full ones; where
 * the kernel refuses that, by read(), one at a time.
 *
 * Order of calls: ring_reader_open(), any number of ring_reader_wait() and ring_reader_drain(),
 * ring_reader_finish() after tracing is switched off, ring_reader_close(). The instance can be
 * removed only after that.
 */
#pragma once

#include "base/text/buffer.h"
#include "page_queue.h"
#include "recorder/instance/capture_session.h"

struct ring_reader;

/* The pages get the ids of buffer 0. */
int ring_reader_open(const struct capture_session *session, struct ring_reader **ret,
                     struct buffer *why);
/* Adds a second instance with the same page size; its pages get the ids of `buffer`. */
int ring_reader_add(struct ring_reader *reader, const struct capture_session *session,
                    unsigned buffer, struct buffer *why);
struct ring_reader *ring_reader_close(struct ring_reader *reader);
/*
 * Sleeps until a buffer needs draining, `control_fd` is readable (-1: none), a signal arrives or
 * `timeout_ms` have passed.
 */
void ring_reader_wait(struct ring_reader *reader, int control_fd, int timeout_ms);
/* Moves the pages that are full now. Returns 0, or -errno of the failed read or write. */
int ring_reader_drain(struct ring_reader *reader, struct page_queue *queue);
/* Moves all events that the buffers hold now, and what is left of pages that are not full. */
int ring_reader_flush(struct ring_reader *reader, struct page_queue *queue);
/* The same when no more events come. */
int ring_reader_finish(struct ring_reader *reader, struct page_queue *queue);
