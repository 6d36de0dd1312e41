/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What devices did, as a flow shows it: a row for each disk, for the interrupts and for the
 * softirqs of each CPU, and for the work items of each machine. Memory is bounded: if there
 * are too many items, the longest disk requests and the longest of all other items are kept.
 */
#pragma once

#include "base/text/buffer.h"
#include "ftwait/flow.h"
#include "graph/timeline/interval.h"
#include "graph/timeline/timeline.h"

#define FLOW_OBJECT_KINDS \
	(INTERVAL_MASK(INTERVAL_DISK) | INTERVAL_MASK(INTERVAL_IRQ) | \
	 INTERVAL_MASK(INTERVAL_SOFTIRQ) | INTERVAL_MASK(INTERVAL_WORK))
#define FLOW_OBJECTS_MAX (1u << 18) /* limit for disk requests, and again for all other items */

struct flow_item {
	nsec_t begin, started, end;
	uint64_t number; /* number of the disk or CPU; of work items that of the machine */
	uint64_t bytes;  /* only for disks */
	uint64_t what;   /* an interrupt's number, or the address of a work item's function */
	uint32_t task;   /* track; TRACK_NONE */
	uint32_t name;   /* id in names; 0: none */
	uint8_t kind;    /* enum interval_kind */
};

struct flow_heap {
	struct flow_item *item;
	size_t count, capacity;
	nsec_t least;      /* shorter items are left out */
	uint64_t left_out;
};

struct flow_objects {
	struct flow_heap disk, other;
};

void flow_objects_release(struct flow_objects *objects);
void flow_objects_add(struct flow_objects *objects, const struct hosts *hosts,
                      const struct interval *interval);
/* All items that touch the window, sorted by row and begin; the caller frees the array. */
struct flow_item *flow_objects_sort(const struct flow_objects *objects, nsec_t begin, nsec_t end,
                                    size_t *ret_count);
/* Whether two neighbours in that order belong to one row. */
bool flow_items_share_row(const struct flow_item *a, const struct flow_item *b);
/* The row that the item belongs to; clears and fills `label`. */
struct flow_row flow_item_row(const struct flow_item *item, const struct timeline *timeline,
                              struct buffer *label);
/* The name of the item. It is in `text` if it has to be composed. */
const char *flow_item_name(const struct flow_item *item, const struct timeline *timeline,
                           struct buffer *text);
