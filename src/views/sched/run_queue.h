/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How long tasks were in run queues, and what had the CPU meanwhile. A delay begins when a task is
 * woken, created, or taken off its CPU, and ends when the task runs. If the task is moved between
 * CPUs meanwhile, the delay has a piece on each.
 *
 *	A       RUN |preempted-------|    |RUN     one delay, two pieces
 *	CPU 0       |X--|irq|X--|idle|
 *	CPU 1                        |Y---|A
 *
 * It is known which task had a CPU only when the task's run has ended; a piece waits until then.
 * Memory grows with the number of tasks, pairs of tasks and CPUs, not with the length of the trace.
 * A window is the exception: it is known only when the trace has ended, so 40 bytes are kept for
 * each span and interrupt that may lie in it.
 *
 * Order of calls: init, then spans and intervals as they come, resolve, release.
 */
#pragma once

#include "analysis/analysis.h"
#include "analysis/tables/distribution.h"
#include "analysis/tables/interrupt_sums.h"
#include "analysis/tables/interval_gate.h"
#include "analysis/tables/relation.h"
#include "delay_list.h"
#include "graph/logs/cpu_log.h"
#include "loss_list.h"

/*
 * Priorities that lock owners inherited, by lender and borrower: 64 bytes each, at most LOANS_MAX;
 * further ones are only counted.
 *
 * Order of calls: init, add any number, resolve once the question is, release.
 */

#define LOANS_MAX 4096

struct loan_key {
	uint32_t task, lender; /* tracks: the borrower and the lender; lender TRACK_NONE: not
	                          known */
	int16_t priority, own; /* priority: the lent priority; own: the priority that the task
	                          would have without the loan */
};

struct loan {
	struct loan_key key;
	uint64_t count, unfinished; /* unfinished: number of loans among `count` whose end was
	                               not seen */
	nsec_t total, max, max_at;
};

struct loan_list {
	struct interval_gate gate;
	struct tally loans; /* of struct loan; once resolved: longest total first */
};

/* The loan to the task with the longest total; NULL: there was none. */
const struct loan *loan_list_find(const struct loan_list *list, uint32_t task);
/* Prints the table of the rows for which is_shown returns true; prints none if there was no
   loan. */
void loan_list_report(const struct loan_list *list,
                      bool (*is_shown)(const void *state, const void *loan),
                      const void *state, const struct output *to);

#define RUN_QUEUE_INTERVALS                                                                   \
	(INTERRUPT_INTERVALS | INTERVAL_MASK(INTERVAL_CPU) | INTERVAL_MASK(INTERVAL_LOAN))

struct queue_item;

/* The state of a track. Times are within the window. */
struct queue_track {
	struct delay *delay; /* the current delay, or the last one until the track's next span
	                        shows whether it goes on; NULL: none */
	uint32_t row;        /* index + 1; 0: none yet */
	uint32_t migrations; /* runs and pieces on another CPU than the previous one */
	uint32_t cpu;        /* CPU of the last of them */
	bool has_cpu;
	nsec_t wanted;       /* time that it ran or was runnable */
	nsec_t open_begin, open; /* a delay that the end of the trace cuts; it is in no other
	                            figure */
};

/* The delays of a track that are asked for. */
struct queue_row {
	uint32_t track;
	struct distribution latency;
	nsec_t throttled;
};

/* The state of a CPU. */
struct queue_cpu {
	struct queue_piece *piece; /* the pieces that wait until it is known what had the CPU */
	size_t piece_count, piece_capacity;
	nsec_t queued; /* sum of the times that tasks were in its queue */
	nsec_t interrupted; /* the part of it that interrupts took */
};

struct run_queue {
	const struct question *question;
	struct cpu_log log;
	struct keyed_sums interrupts; /* struct interrupt_sum, which may lie in the window */
	struct queue_track *track;
	size_t track_count, track_capacity;
	struct queue_row *row;
	size_t row_count, row_capacity;
	struct loss_list losses;
	struct loan_list loans;
	struct delay_list delays; /* the longest ones */
	struct queue_cpu *cpu; /* by number */
	size_t cpu_count, cpu_capacity;
	const struct delay *indexed; /* the delay that shares were added to last */
	uint32_t *slot;       /* by track: index of its share in the indexed delay, if it has one
	                         there; small, as long queues look up one after the other */
	size_t slot_capacity;
	uint32_t other_slot[3]; /* the same for CPU_USER_IRQ, _IDLE, _UNKNOWN */
	struct delay *free;
	uint64_t left_out;    /* delays left out, as there are too many tasks */
	nsec_t unnamed;       /* time that was merged as a delay had too many shares */
	/* the items of a window */
	struct queue_item *kept;
	size_t kept_count, kept_capacity;
};

void run_queue_init(void *state);
void run_queue_release(void *state);
void run_queue_add_span(void *state, const struct span *span);
/* Takes the kinds in RUN_QUEUE_INTERVALS. */
void run_queue_add_interval(void *state, const struct interval *interval);
/* Call once the question is resolved. */
void run_queue_resolve(void *state);
