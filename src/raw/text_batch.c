/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "text_batch.h"

/* A byte of an array becomes four. */
#define TEXTS_LIMIT ((size_t)EVENT_TEXT_BATCH * EVENT_TEXT_MAX * 4)

void text_batch_init(struct text_batch *batch)
{
	*batch = (struct text_batch){.text = buffer_of(TEXTS_LIMIT)};
}

void text_batch_release(struct text_batch *batch)
{
	buffer_release(&batch->text);
}

void text_batch_begin(struct text_batch *batch, struct event_text_item *items, size_t count)
{
	buffer_clear(&batch->text);
	batch->items = items;
	batch->count = count;
	batch->done = 0;
}

static struct event_text_item *batch_next(struct text_batch *batch, bool is_plain)
{
	struct event_text_item *item = &batch->items[batch->done];

	batch->end[batch->done++] = batch->text.length;
	item->is_left_out = false;
	item->is_plain = is_plain;
	return item;
}

void text_batch_add(struct text_batch *batch, const void *text, size_t length)
{
	buffer_append(&batch->text, text, length);
	(void)batch_next(batch, false);
}

void text_batch_add_plain(struct text_batch *batch, struct plain_text *plain,
                          const struct record *record)
{
	plain_text_write(plain, record, &batch->text);
	(void)batch_next(batch, true);
}

void text_batch_leave_out(struct text_batch *batch)
{
	batch_next(batch, false)->is_left_out = true;
}

size_t text_batch_end(struct text_batch *batch)
{
	size_t begin = 0;

	for (size_t i = 0; i < batch->count; i++) {
		batch->items[i].text = batch->text.text + begin;
		batch->items[i].length = batch->end[i] - begin;
		begin = batch->end[i];
	}
	batch->items = NULL;
	return batch->count;
}
