/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The records of one CPU that were read but not yet asked for. What text_queue_take() returns stays
 * where it is while more is added.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ftwait/record.h"

struct text_item {
	nsec_t time;
	size_t offset; /* of the payload */
	uint32_t length;
	uint64_t lost_events; /* before it */
};

struct text_items {
	struct text_item *item;
	size_t count, capacity;
	uint8_t *bytes;
	size_t used, room;
};

struct text_queue {
	struct text_items coming, going;
	size_t at; /* the first of `going` that was not taken */
	struct record *batch;
	size_t batch_capacity;
	uint64_t lost_events; /* before the next one that is added */
};

void text_queue_release(struct text_queue *queue);
void text_queue_add(struct text_queue *queue, nsec_t time, const uint8_t *payload, size_t length);
/* Events were lost before the next record; LOST_UNCOUNTED: some. */
void text_queue_lose(struct text_queue *queue, uint64_t events);
/* All records up to the next loss; false: there are none. They are valid until the next call. */
bool text_queue_take(struct text_queue *queue, struct record_batch *ret);
