/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Texts in a program that is built without libtraceevent: names and values. */
#include <assert.h>
#include <errno.h>
#include <stdlib.h>

#include "base/xalloc.h"
#include "event_text.h"
#include "plain_text.h"
#include "text_batch.h"

struct event_text {
	struct plain_text *plain;
	struct text_batch batch[EVENT_TEXT_BATCHES];
	size_t first, waiting;
};

bool event_text_is_built(void)
{
	return false;
}

struct event_text *event_text_new(struct source *source, const char *filter, struct buffer *why)
{
	struct event_text *text;

	if (filter) {
		(void)buffer_fail(why, -ENOTSUP, "filters of events cannot be applied: this build "
		                  "is without libtraceevent");
		return NULL;
	}
	text = xcalloc(1, sizeof(*text));
	text->plain = plain_text_new(source);
	for (size_t i = 0; i < EVENT_TEXT_BATCHES; i++)
		text_batch_init(&text->batch[i]);
	return text;
}

struct event_text *event_text_free(struct event_text *text)
{
	if (!text)
		return NULL;
	for (size_t i = 0; i < EVENT_TEXT_BATCHES; i++)
		text_batch_release(&text->batch[i]);
	text->plain = plain_text_free(text->plain);
	free(text);
	return NULL;
}

const struct raw_format *event_text_only_format(struct event_text *text)
{
	(void)text;
	return NULL;
}

void event_text_submit(struct event_text *text, struct event_text_item *items, size_t count)
{
	struct text_batch *batch;

	assert(count <= EVENT_TEXT_BATCH && text->waiting < EVENT_TEXT_BATCHES);
	batch = &text->batch[(text->first + text->waiting++) % EVENT_TEXT_BATCHES];
	text_batch_begin(batch, items, count);
	for (size_t i = 0; i < count; i++)
		text_batch_add_plain(batch, text->plain, items[i].record);
}

size_t event_text_collect(struct event_text *text)
{
	struct text_batch *batch = &text->batch[text->first];

	if (text->waiting == 0)
		return 0;
	text->first = (text->first + 1) % EVENT_TEXT_BATCHES;
	text->waiting--;
	return text_batch_end(batch);
}

void event_text_write(struct event_text *text, struct event_text_item *items, size_t count)
{
	event_text_submit(text, items, count);
	(void)event_text_collect(text);
}

uint64_t event_text_failed(const struct event_text *text)
{
	(void)text;
	return 0;
}
