/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the recorder of a stream saw tasks wait for, while the stream is written (STREAM_WAITS):
 * the lines are kept until the stream has reached the time at which they were seen.
 *
 * Order of calls: live_waits_init(); live_waits_room() and live_waits_fill() for each block,
 * live_waits_reach() for each STREAM_REACHED, in the order in which they come;
 * live_waits_release().
 */
#pragma once

#include <stddef.h>

#include "base/text/buffer.h"
#include "ftwait/nsec.h"
#include "ftwait/source.h"
#include "source/text/text_store.h"

/* Of lines that are kept at one time, bytes; more are left out. */
#define LIVE_WAITS_BYTES_MAX (4u << 20)

struct live_waits {
	struct buffer lines; /* not reached yet */
	struct text_store texts;
	struct open_wait *wait;
	size_t count, capacity;
};

void live_waits_init(struct live_waits *waits);
void live_waits_release(struct live_waits *waits);
/* Room for a block of `bytes`, to be filled at once; NULL: there is none. */
char *live_waits_room(struct live_waits *waits, size_t bytes);
void live_waits_fill(struct live_waits *waits, size_t bytes);
/* Replaces `wait` by the waits that were seen up to `reached`, and were not there before. */
void live_waits_reach(struct live_waits *waits, nsec_t reached);
