/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The texts of one batch, one behind the other, while the items wait for them. */
#pragma once

#include "base/text/buffer.h"
#include "plain_text.h"
#include "text_item.h"

struct text_batch {
	struct event_text_item *items; /* NULL: the batch is not in use */
	size_t count, done;            /* items; those that have a text */
	struct buffer text;
	size_t end[EVENT_TEXT_BATCH];
};

void text_batch_init(struct text_batch *batch);
void text_batch_release(struct text_batch *batch);
/* Forgets the texts of the batch before. */
void text_batch_begin(struct text_batch *batch, struct event_text_item *items, size_t count);
/* The text of the next item. */
void text_batch_add(struct text_batch *batch, const void *text, size_t length);
void text_batch_add_plain(struct text_batch *batch, struct plain_text *plain,
                          const struct record *record);
void text_batch_leave_out(struct text_batch *batch);
/* Gives all items their texts; the batch is then free. Returns how many items it has. */
size_t text_batch_end(struct text_batch *batch);
