/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "live_feed.h"

#include <stdlib.h>

#include "base/xalloc.h"

#define FIRST_BYTES (64u << 10)

static void pages_free(struct live_pages *pages, struct live_memory *memory)
{
	free(pages->bytes);
	memory->bytes -= pages->capacity;
	*pages = (struct live_pages){0};
}

void live_feed_release(struct live_feed *feed)
{
	page_stream_release(&feed->pages);
	free(feed->given.bytes);
	free(feed->waiting.bytes);
	feed->given = feed->waiting = (struct live_pages){0};
}

/* Doubles it where the limit allows that; false: there is no room for `bytes` more. */
static bool pages_reserve(struct live_pages *pages, size_t bytes, struct live_memory *memory)
{
	size_t needed = pages->count + bytes, left, wanted;

	if (needed <= pages->capacity)
		return true;
	left = (size_t)(memory->bytes_max - memory->bytes);
	if (needed - pages->capacity > left)
		return false;
	wanted = pages->capacity ? 2 * pages->capacity : FIRST_BYTES;
	if (wanted < needed || wanted - pages->capacity > left)
		wanted = needed;
	pages->bytes = xrealloc(pages->bytes, wanted);
	memory->bytes += wanted - pages->capacity;
	pages->capacity = wanted;
	return true;
}

uint8_t *live_feed_room(struct live_feed *feed, size_t bytes, struct live_memory *memory)
{
	struct live_pages *waiting = &feed->waiting;

	/* nothing waits before the loss any more */
	if (waiting->has_loss && waiting->count == 0) {
		feed->given.has_loss = true;
		waiting->has_loss = false;
	}
	if (waiting->has_loss || !pages_reserve(waiting, bytes, memory)) {
		waiting->has_loss = true;
		return NULL;
	}
	waiting->count += bytes;
	return waiting->bytes + waiting->count - bytes;
}

void live_feed_cut(struct live_feed *feed, size_t bytes)
{
	feed->waiting.count -= bytes;
}

struct feed_owner {
	struct live_feed *feed;
	struct live_memory *memory;
};

static bool feed_next_block(void *state, const uint8_t **ret_block, size_t *ret_bytes)
{
	const struct feed_owner *owner = state;
	struct live_feed *feed = owner->feed;

	/* those that were given are used up, so that others can have their memory */
	if (feed->given.has_loss || (feed->waiting.has_loss && feed->waiting.count == 0))
		page_stream_lose(&feed->pages);
	pages_free(&feed->given, owner->memory);
	if (feed->waiting.count == 0) {
		feed->waiting.has_loss = false;
		return false;
	}
	feed->given = feed->waiting;
	feed->waiting = (struct live_pages){0};
	*ret_block = feed->given.bytes;
	*ret_bytes = feed->given.count;
	return true;
}

enum pull live_feed_next(struct live_feed *feed, struct live_memory *memory,
                         struct record_batch *ret)
{
	struct feed_owner owner = {feed, memory};

	*ret = (struct record_batch){0};
	/* most streams never have a page: these get no memory for records */
	if (!feed->pages.records && feed->waiting.count == 0 && !feed->waiting.has_loss)
		return PULL_END;
	if (page_stream_next(&feed->pages, feed_next_block, &owner, ret) == PULL_END)
		return PULL_END;
	feed->last = nsec_max(feed->last, ret->records[ret->count - 1].time);
	return PULL_ITEM;
}

void live_feed_beat(struct live_feed *feed, nsec_t reached, struct record_batch *ret)
{
	feed->beat = (struct record){.time = nsec_max(reached, feed->last)};
	*ret = (struct record_batch){.records = &feed->beat, .count = 1};
}
