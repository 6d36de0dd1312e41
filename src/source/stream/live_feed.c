/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "live_feed.h"

#include <stdlib.h>

#include "base/data/array.h"
#include "base/xalloc.h"
#include "source/stream_lines.h"
#include "source/text/text_line.h"

#define AHEAD_MAX_NS UINT64_C(60000000000)

void live_waits_init(struct live_waits *waits)
{
	*waits = (struct live_waits){.count = 0};
	buffer_init(&waits->lines, LIVE_WAITS_BYTES_MAX);
}

void live_waits_release(struct live_waits *waits)
{
	buffer_release(&waits->lines);
	text_store_release(&waits->texts);
	free(waits->wait);
	waits->wait = NULL;
	waits->count = waits->capacity = 0;
}

char *live_waits_room(struct live_waits *waits, size_t bytes)
{
	return bytes < LIVE_WAITS_BYTES_MAX ? buffer_room(&waits->lines, bytes) : NULL;
}

void live_waits_fill(struct live_waits *waits, size_t bytes)
{
	buffer_end(&waits->lines, waits->lines.text + waits->lines.length + bytes);
	/* a line ends with its block */
	buffer_putc(&waits->lines, '\n');
}

/* Takes the line if it was seen by then; else keeps it. */
static void waits_take(struct live_waits *waits, struct text_line line, nsec_t reached,
                       struct buffer *later)
{
	struct text_line rest = line;
	struct open_wait wait;

	if (!word_is(line_word(&rest), "waits") || waits->count == OPEN_WAITS_MAX ||
	    !open_wait_line_read(rest, &waits->texts, &wait))
		return;
	/* the recorder is never so far ahead */
	if (wait.seen > reached && wait.seen - reached > AHEAD_MAX_NS)
		return;
	if (wait.seen > reached) {
		buffer_append(later, line.at, line_length(line));
		buffer_putc(later, '\n');
		return;
	}
	ARRAY_ADD(waits->wait, waits->count, waits->capacity) = wait;
}

void live_waits_reach(struct live_waits *waits, nsec_t reached)
{
	const char *at = waits->lines.text, *end = at + waits->lines.length;
	struct text_line line;
	struct buffer later;

	text_store_release(&waits->texts);
	waits->count = 0;
	if (waits->lines.length == 0)
		return;
	buffer_init(&later, LIVE_WAITS_BYTES_MAX);
	while (line_next(&at, end, &line))
		waits_take(waits, line, reached, &later);
	buffer_release(&waits->lines);
	waits->lines = later;
}

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
