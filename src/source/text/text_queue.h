/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The queue of one CPU's records: text_queue_add() appends, text_queue_take() removes. Records are
 * added to `coming` and taken from `going`; the two are swapped when `going` is empty. Therefore
 * added records do not move those that text_queue_take() returned.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ftwait/record.h"

struct text_item {
	nsec_t time;
	size_t offset; /* of the payload in `bytes` */
	uint32_t length;
	uint64_t lost_events; /* between the previous record and this one */
};

struct text_items {
	struct text_item *item;
	size_t count, capacity;
	uint8_t *bytes;
	size_t used, room;
};

struct text_queue {
	struct text_items coming, going;
	size_t at; /* index of the next record of `going` */
	struct record *batch;
	size_t batch_capacity;
	uint64_t lost_events; /* before the next record that is added */
};

void text_queue_release(struct text_queue *queue);
void text_queue_add(struct text_queue *queue, nsec_t time, const uint8_t *payload, size_t length);
/* Notes that events were lost before the next record. LOST_UNCOUNTED: the number is not known. */
void text_queue_lose(struct text_queue *queue, uint64_t events);
/* Takes all records up to the next loss; they are valid until the next call. Returns false if the
   queue is empty. */
bool text_queue_take(struct text_queue *queue, struct record_batch *ret);
