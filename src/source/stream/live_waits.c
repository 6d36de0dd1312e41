/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "live_waits.h"

#include <stdlib.h>

#include "base/data/array.h"
#include "source/open_wait_line.h"
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
	ARRAY_GROW(waits->wait, waits->count, waits->capacity);
	waits->wait[waits->count++] = wait;
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
