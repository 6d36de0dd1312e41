/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The pages of one stream that is read while it is recorded. Records are borrowed from pages, while
 * new pages come for the same stream, because another one needs more: so there are two pieces of
 * memory, one whose records are being given out, and one for the pages that wait. When the first
 * one is used up, it is freed, and the second one takes its place.
 *
 * All streams share a limit of memory. Pages beyond it are lost: what waits stays, and the stream's
 * later pages are dropped until it was taken; then the loss is reported before the next record.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text/buffer.h"
#include "ftwait/nsec.h"
#include "ftwait/source.h"
#include "page_reader.h"
#include "source/source_notes.h"

struct live_memory {
	uint64_t bytes, bytes_max; /* of the pages of all streams */
};

struct live_pages {
	uint8_t *bytes;
	size_t count, capacity; /* bytes */
	bool has_loss;          /* events are missing after them */
};

struct live_feed {
	struct page_stream pages;
	struct live_pages given, waiting;
	nsec_t last;         /* time of the last record */
	bool is_beat_due;    /* a heartbeat comes after what waits */
	bool is_noted;       /* its damage was noted */
	bool has_come;       /* there was a block of its pages */
	struct record beat;
};

void live_feed_release(struct live_feed *feed);
/* Room for `bytes` more of pages that wait, to be filled at once; NULL: they are lost. */
uint8_t *live_feed_room(struct live_feed *feed, size_t bytes, struct live_memory *memory);
/* Removes the last `bytes` of those that wait. */
void live_feed_cut(struct live_feed *feed, size_t bytes);
/* The next records; PULL_END: none for now, and lost_events says whether some are missing before
   those that may come. */
enum pull live_feed_next(struct live_feed *feed, struct live_memory *memory,
                         struct record_batch *ret);
/* A heartbeat at `reached`, or at the last record if that is later. */
void live_feed_beat(struct live_feed *feed, nsec_t reached, struct record_batch *ret);

/*
 * What the recorder of a stream saw tasks wait for, while the stream is written (STREAM_WAITS):
 * the lines are kept until the stream has reached the time at which they were seen.
 *
 * Order of calls: live_waits_init(); live_waits_room() and live_waits_fill() for each block,
 * live_waits_reach() for each STREAM_REACHED, in the order in which they come;
 * live_waits_release().
 */

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
