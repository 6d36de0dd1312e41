/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Calls into the kernel that may be kept waiting while the buffers fill. Each file of an instance
 * is opened and written to under one lock (trace_types_lock) that also whoever makes or removes
 * another instance holds, for as long as that takes: on a busy machine switching tracing off was
 * seen to last longer than a second, in which the buffers ran over.
 */
#pragma once

#include "page_queue.h"
#include "ring_reader.h"

/*
 * Makes the call in a thread of its own, with the drain's priority, and drains until it has
 * returned; where no thread can be had, just makes it. Returns what `call` returned, or -errno of
 * the drain where that failed and the call did not.
 */
int drain_while(struct ring_reader *reader, struct page_queue *queue, int (*call)(void *state),
                void *state);
