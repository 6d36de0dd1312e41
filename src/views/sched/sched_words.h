/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What --sched shows: tables (sched_analysis.c), and the sentences before them (sched_words.c). */
#pragma once

#include "run_queue.h"

/* A user of the CPU, and for how long. */
struct sched_share {
	uint32_t user; /* as in struct queue_loss */
	nsec_t total;
};

/* A task that is asked for. */
struct sched_task {
	const struct queue_row *row;
	const struct queue_line *line;
	const struct queue_loss *loss; /* loss_count elements, most first */
	size_t loss_count;
};

struct sched_report {
	const struct run_queue *queue;
	struct sched_task *task; /* in the order that is asked for */
	size_t task_count;
	struct distribution latency;
	nsec_t throttled;        /* the part of it that was throttled */
	struct sched_share *by_user; /* without the throttled time, most first */
	size_t by_user_count;
};

/* The times of a CPU: they sum to the window. */
struct sched_cpu {
	nsec_t running, irq, softirq, idle, unknown;
};

struct sched_cpu sched_cpu_of(const struct run_queue *queue, uint32_t number);
/* Whether that CPU is asked for and anything is known of it. */
bool sched_has_cpu(const struct run_queue *queue, uint32_t number);
/* "hog[12]", "interrupts", "an idle CPU", "others". */
void cpu_user_append(struct buffer *to, const struct timeline *timeline, uint32_t user);
/* Prints the line with the answer, and one of advice if figures prove it. */
void sched_print(const struct sched_report *report, const struct output *to);
