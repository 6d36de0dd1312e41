/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How long tasks stood in run queues, and what had the CPU meanwhile. A delay begins when a task
 * is woken, made, or taken off its CPU, and ends when it runs; if the task is moved between CPUs
 * meanwhile, the delay has a piece on each.
 *
 *	A       RUN |preempted-------|    |RUN     one delay, two pieces
 *	CPU 0       |X--|irq|X--|idle|
 *	CPU 1                        |Y---|A
 *
 * What had a CPU is known only once its run has ended; a piece waits until then. Memory grows with
 * the tasks, pairs of tasks and CPUs, not with the length of the trace. The exception is a window,
 * which is known only when the trace has ended: it takes 40 bytes for each span and interrupt in
 * it.
 *
 * Order of calls: init, then spans and intervals as they come, resolve, release.
 */
#pragma once

#include "analysis/analysis.h"
#include "analysis/distribution.h"
#include "analysis/interrupt_time.h"
#include "graph/cpu_log.h"
#include "loan_list.h"
#include "loss_list.h"

#define RUN_QUEUE_INTERVALS                                                                   \
	(INTERRUPT_INTERVALS | INTERVAL_MASK(INTERVAL_CPU) | INTERVAL_MASK(INTERVAL_LOAN))

struct delay;
struct queue_item;

/* The state of a line. Times are within the window. */
struct queue_line {
	struct delay *delay; /* current, or completed by its next change; NULL: none */
	uint32_t row;        /* index + 1; 0: none yet */
	uint32_t migrations; /* runs and pieces on another CPU than the previous one */
	uint32_t cpu;        /* CPU of the last of them */
	uint32_t slot;       /* of its share in the delay being added to, if any */
	bool has_cpu;
	nsec_t wanted;       /* time that it ran or was runnable */
	nsec_t open_begin, open; /* the delay cut by the trace's end; in no other figure */
};

/* A line that had a delay that is asked for. */
struct queue_row {
	uint32_t line;
	struct distribution latency;
	nsec_t throttled;
};

/* The state of a CPU. */
struct queue_cpu {
	struct queue_piece *piece; /* those that wait until it is known what had the CPU */
	size_t piece_count, piece_capacity;
	nsec_t queued; /* time that tasks stood in its queue */
};

struct run_queue {
	const struct question *question;
	struct cpu_log log;
	struct queue_line *line;
	size_t line_count, line_capacity;
	struct queue_row *row;
	size_t row_count, row_capacity;
	struct loss_list losses;
	struct loan_list loans;
	struct queue_cpu *cpu; /* by number */
	size_t cpu_count, cpu_capacity;
	uint32_t slot[3];     /* as in struct queue_line: of CPU_USER_IRQ, _IDLE, _UNKNOWN */
	struct delay *free;
	uint64_t left_out;    /* delays of tasks beyond the limit */
	nsec_t unnamed;       /* time of one delay for which there was no room */
	/* the items of a window */
	struct queue_item *kept;
	size_t kept_count, kept_capacity;
};

void run_queue_init(struct run_queue *queue, const struct question *question);
void run_queue_release(struct run_queue *queue);
void run_queue_add_span(struct run_queue *queue, const struct span *span);
/* Takes the kinds in RUN_QUEUE_INTERVALS. */
void run_queue_add_interval(struct run_queue *queue, const struct interval *interval);
/* Call once the question is resolved. */
void run_queue_resolve(struct run_queue *queue);
