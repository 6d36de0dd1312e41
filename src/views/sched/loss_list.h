/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which tasks had the CPU while a task was runnable, summed by pair of tasks: 24 bytes a pair. In
 * the worst case, such as a fork bomb, each two tasks are a pair. If there are more than 2^18
 * pairs, the smallest quarter is merged: for each runnable task into one pair with an unknown user.
 *
 * Order of calls: init, add any number, sort once, find any number, release.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/text/buffer.h"
#include "ftwait/report.h"
#include "graph/logs/cpu_log.h"
#include "graph/timeline/timeline.h"

/* A user of the CPU while that track was runnable. */
struct queue_loss {
	uint32_t track, user; /* user CPU_USER_UNKNOWN: several other tasks, or not known */
	nsec_t total;
};

struct loss_list {
	struct queue_loss *loss; /* once sorted: by track, then most first */
	size_t count, capacity;
	size_t pairs;            /* number of pairs of two tasks */
	uint32_t *slot;          /* by hash of the pair: index + 1; 0: free */
	uint32_t mask;           /* slots - 1 */
	size_t last;             /* index of the last one that was added to */
	nsec_t unnamed;          /* time that was merged as there was no room for its user */
};

/* The order of sorted losses, for qsort(). */
int loss_compare(const void *a, const void *b);
void loss_list_init(struct loss_list *list);
void loss_list_release(struct loss_list *list);
/* The slow path of loss_list_add(). */
void loss_list_find_add(struct loss_list *list, uint32_t track, uint32_t user, nsec_t took);
/* Tasks of one queue mostly run in the same order again and again. */
static inline void loss_list_add(struct loss_list *list, uint32_t track, uint32_t user, nsec_t took)
{
	size_t next = list->last + 1;

	if (next < list->count && list->loss[next].user == user &&
	    list->loss[next].track == track) {
		list->loss[next].total += took;
		list->last = next;
	} else {
		loss_list_find_add(list, track, user, took);
	}
}
void loss_list_sort(struct loss_list *list);
/* The losses of a track, `ret_count` of them, most first. */
const struct queue_loss *loss_list_find(const struct loss_list *list, uint32_t track,
                                        size_t *ret_count);

/* To what a task lost its time in run queues, as cells and as text. */

struct losses {
	const struct queue_loss *loss; /* count elements, most first */
	size_t count;
	nsec_t throttled; /* beside them: a limit held the task back */
};

/* "interrupts", "idle", "others": a user as in struct queue_loss; NULL: it is a task. */
const char *cpu_user_words(uint32_t user);
/* The losses, most first, the throttled time among them. The caller frees the cells. */
struct cell_rows losses_rows(const struct losses *losses, const struct timeline *timeline);
/* "hog[12] 93.0 %, interrupts 2.0 %": the largest ones, as parts of `all`. */
void losses_append(struct buffer *to, const struct losses *losses, nsec_t all,
                   const struct timeline *timeline);
