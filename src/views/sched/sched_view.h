/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What --sched shows: tables (sched_analysis.c), and what is said before them (sched_words.c). */
#pragma once

#include "run_queue.h"

/* To whom something was lost. */
struct sched_share {
	uint32_t who; /* as in struct queue_loss */
	nsec_t total;
};

/* Of a task that is asked for. */
struct sched_task {
	const struct queue_row *row;
	const struct queue_line *line;
	const struct queue_loss *loss; /* loss_count of them, most first */
	size_t loss_count;
};

struct sched_report {
	const struct run_queue *queue;
	struct sched_task *task; /* in the order that is asked for */
	size_t task_count;
	struct distribution latency;
	nsec_t throttled;        /* of that */
	struct sched_share *by_whom; /* without what was throttled, most first */
	size_t by_whom_count;
};

/* Of a CPU: they sum to the window. */
struct sched_cpu {
	nsec_t running, irq, softirq, idle, unknown;
};

struct sched_cpu sched_cpu_of(const struct run_queue *queue, uint32_t number);
/* Whether anything is known of that CPU, and it is asked for. */
bool sched_has_cpu(const struct run_queue *queue, uint32_t number);
/* "hog[12]", "interrupts", "an idle CPU", "others". */
void sched_who_append(struct buffer *to, const struct timeline *timeline, uint32_t who);
/* The line that answers, and one of advice where figures prove it. */
void sched_tell(const struct sched_report *report, const struct presenter *presenter, void *to);
