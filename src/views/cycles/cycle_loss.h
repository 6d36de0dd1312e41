/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a cycle's time went to: the task's own running, and what it lost to timers, other tasks and
 * waits. The parts sum to the cycle's length.
 */
#pragma once

#include "base/text/buffer.h"
#include "cycle_list.h"
#include "ftwait/report.h"
#include "graph/logs/interrupt_log.h"

enum loss_kind {
	LOSS_TASK,      /* that task had the CPU while this one was runnable */
	LOSS_IRQ,       /* interrupts had it */
	LOSS_IDLE,      /* no task had it: it was waking up */
	LOSS_THROTTLED, /* a limit on CPU time held the task back */
	LOSS_WAIT,      /* the task waited, for that cause */
	LOSS_STOPPED,
	LOSS_TIMER,     /* the timer was late: see --timers */
	LOSS_CYCLE,     /* the task was still in the cycle before */
	LOSS_UNKNOWN,
};

struct cycle_loss {
	enum loss_kind kind;
	uint32_t task; /* track; of other kinds TRACK_NONE */
	const struct cause_note *cause; /* WAIT; NULL: it is not known */
	nsec_t until;  /* WAIT: when the last one ended */
	nsec_t total;
};

struct cycle_losses {
	struct cycle_loss *loss; /* most first */
	size_t count, capacity;
	nsec_t running;
};

void cycle_losses_find(struct cycle_losses *losses, struct timeline *timeline,
                       const struct interrupt_log *interrupts, uint32_t track,
                       const struct cycle *cycle);
void cycle_losses_release(struct cycle_losses *losses);
/* "hog[12] on its CPU 8.100 ms, disk 254,0 1.200 ms": the largest ones. */
void cycle_losses_append(struct buffer *to, const struct cycle_losses *losses,
                         const struct timeline *timeline);
/* The losses as rows of a cell; the caller frees the cells, and after them *ret_causes. */
struct cell_rows cycle_losses_rows(const struct cycle_losses *losses,
                                   const struct timeline *timeline, struct cause **ret_causes);
