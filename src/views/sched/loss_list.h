/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who had the CPU while a task could have run, summed by pair of tasks: 24 bytes a pair. There may
 * be as many pairs as tasks by tasks, as a fork bomb shows: when there are more than 2^18, what a
 * quarter of them had, the smallest, is told together, by task.
 *
 * Order of calls: init, add any number, sort once, find any number, release.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "graph/cpu_log.h"

/* Who had the CPU while that line could have run. */
struct queue_loss {
	uint32_t line, who; /* HAD_UNKNOWN: others, or not known who */
	nsec_t total;
};

struct loss_list {
	struct queue_loss *loss; /* sorted: by line, then most first */
	size_t count, capacity;
	size_t pairs;            /* of them, of two tasks */
	uint32_t *slot;          /* by hash of the pair: index + 1; 0: free */
	uint32_t mask;           /* slots - 1 */
	nsec_t unnamed;          /* to whom there was no room for */
};

void loss_list_init(struct loss_list *list);
void loss_list_release(struct loss_list *list);
void loss_list_add(struct loss_list *list, uint32_t line, uint32_t who, nsec_t had);
void loss_list_sort(struct loss_list *list);
/* Those of a line, `ret_count` of them, most first. */
const struct queue_loss *loss_list_find(const struct loss_list *list, uint32_t line,
                                        size_t *ret_count);
