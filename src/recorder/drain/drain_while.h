/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * System calls that may block while the buffers fill. Opening or writing a file of an instance
 * takes a lock (trace_types_lock) that another process holds for as long as it makes or removes an
 * instance: on a busy machine switching tracing off took longer than a second, and the buffers ran
 * over.
 */
#pragma once

#include "page_queue.h"
#include "ring_reader.h"

/*
 * Makes the call in a thread of its own, with the drain's priority, and drains until it returns. If
 * no thread can be made, the caller makes the call without draining. Returns the result of `call`,
 * or -errno of the drain if only that failed.
 */
int drain_while(struct ring_reader *reader, struct page_queue *queue, int (*call)(void *state),
                void *state);
