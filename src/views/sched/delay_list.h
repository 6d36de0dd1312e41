/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The longest delays, each with what had the CPU meanwhile. If tasks are asked for, each task has a
 * list of its own, so that its longest delays are kept even if other tasks have longer ones; else
 * there is one list of all tasks.
 */
#pragma once

#include "analysis/analysis.h"
#include "loss_list.h"

#define DELAYS_MAX         1000 /* of all tasks */
#define DELAYS_OF_TASK_MAX 100

enum delay_state {
	DELAY_GROWS,
	DELAY_COUNTS, /* it has ended and is asked for: shares of its remaining pieces are added */
	DELAY_DROPPED,
};

/* Packed: where tasks are asked for, hundreds of delays of each task keep hundreds of these. */
struct delay_share {
	uint32_t user; /* as in struct queue_loss */
	nsec_t took;
} __attribute__((packed, aligned(4)));

/* A stay of one task in run queues; see run_queue.h. */
struct delay {
	nsec_t begin, length; /* the part in the window; length 0: none */
	nsec_t end, throttled;
	uint32_t track, cpu;
	uint32_t kinds;       /* mask by enum cause_kind: why the task could not run */
	uint32_t pieces;      /* those that wait */
	uint8_t state;        /* enum delay_state */
	uint8_t why;          /* enum runnable_reason of its first span */
	uint8_t detail;       /* of its last span */
	bool was_throttled;   /* its last span */
	bool is_kept;         /* in a list: it also keeps its shares */
	struct delay_share *share;
	size_t share_count, share_capacity;
	struct delay *next; /* free ones */
};

/* A heap of the longest delays, the least of them on top. All zero: empty. */
struct delay_heap {
	struct delay **delay;
	size_t count, capacity;
};

struct delay_list {
	struct delay_heap all;
	struct delay_heap *of_track; /* by track, if tasks are asked for */
	size_t track_count;
};

/* Adds a delay if it is one of the longest so far: sets is_kept. Returns the delay that has to make
   way for it, which is no longer kept; NULL: none. */
struct delay *delay_list_add(struct delay_list *list, const struct question *question,
                             struct delay *delay);
/* Calls back for each kept delay. */
void delay_list_visit(struct delay_list *list, void (*visit)(void *state, struct delay *delay),
                      void *state);
/* Shows the table of the longest delays of asked tasks, longest first. */
void delay_list_show(const struct delay_list *list, const struct question *question,
                     const struct output *to);
/* Frees the lists; the delays are the caller's. */
void delay_list_release(struct delay_list *list);
