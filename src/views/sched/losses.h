/* SPDX-License-Identifier: GPL-2.0-or-later */
/* To what a task lost its time in run queues, as cells and as text. */
#pragma once

#include "base/text/buffer.h"
#include "ftwait/report.h"
#include "graph/timeline/timeline.h"
#include "loss_list.h"

struct losses {
	const struct queue_loss *loss; /* count elements, most first */
	size_t count;
	nsec_t throttled; /* beside them: a limit held the task back */
};

/* "hog[12]", "interrupts", "idle", "others": a user as in struct queue_loss. */
void cpu_user_append(struct buffer *to, const struct timeline *timeline, uint32_t user);
/* The losses, most first, the throttled time among them. The caller frees the cells. */
struct cell_rows losses_rows(const struct losses *losses, const struct timeline *timeline);
/* "hog[12] 93.0 %, interrupts 2.0 %": the largest ones, as parts of `all`. */
void losses_append(struct buffer *to, const struct losses *losses, nsec_t all,
                   const struct timeline *timeline);
