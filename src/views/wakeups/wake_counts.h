/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What woke tasks, and which of these wake-ups ended an idle period of a CPU.
 *
 *	CPU 0   task |  idle          | task   the idle period ends with a switch: what woke the
 *	              '- cpu_idle  '-exit      task that runs then has ended it
 *	CPU 1   task |  idle     |irq| idle    no task runs then: the first interrupt or timer after
 *	              '- cpu_idle    '-exit    the CPU became idle has ended it
 *
 * If a CPU has no power:cpu_idle events, only the idle periods that end with a switch are seen.
 *
 * Memory grows with the number of tasks, CPUs and pairs of them. If a window or tasks are asked
 * for, which is settled only when the trace has ended, 64 bytes are kept for each wake-up, run and
 * interrupt of an idle CPU.
 *
 * Order of calls: init, spans and intervals as they come, resolve, release.
 */
#pragma once

#include "analysis/analysis.h"
#include "analysis/tables/distribution.h"
#include "analysis/tables/relation.h"

#define WAKE_COUNT_INTERVALS                                                                  \
	(INTERVAL_MASK(INTERVAL_IRQ) | INTERVAL_MASK(INTERVAL_SOFTIRQ) |                      \
	 INTERVAL_MASK(INTERVAL_IPI) | INTERVAL_MASK(INTERVAL_TIMER) |                        \
	 INTERVAL_MASK(INTERVAL_CPU) | INTERVAL_MASK(INTERVAL_IDLE))

/* Kinds of sources: those of causes, and: */
#define SOURCE_QUEUED CAUSE_KIND_COUNT /* a task that already stood in a run queue */

/* What woke a task or a CPU. */
struct wake_source {
	uint32_t kind;  /* enum cause_kind, SOURCE_QUEUED */
	int32_t number; /* irq, vector; of a disk its device, as in struct block_event; else 0 */
	uint32_t name;  /* id: handler, function, lock; 0: none */
	uint32_t task;  /* track: the waker; of a timer or work item who armed or queued it; of a
	                   request who submitted it; TRACK_NONE: none, or not known */
	uint16_t call;  /* own timer: enum sleep_call */
	uint16_t is_own; /* timer: of the task that it woke */
	uint32_t machine; /* number of the machine of the wakee */
};

struct wake_tally {
	uint64_t count;      /* wake-ups */
	uint64_t idle_exits; /* of these, the ones that ended an idle period of a CPU */
};

struct source_row {
	struct wake_source key;
	struct wake_tally tally;
};

struct source_cpu_row {
	struct source_cpu_key {
		uint32_t source, cpu; /* index of the source's row */
	} key;
	struct wake_tally tally;
};

/* A task that was woken. */
struct woken_row {
	struct woken_key {
		uint32_t track;
	} key;
	struct wake_tally tally;
};

/* An interrupt or a timer's function: how often it came at all, and on an idle CPU. */
struct interrupt_row {
	struct interrupt_key {
		uint32_t kind; /* enum cause_kind */
		int32_t number;
		uint32_t name;
		uint32_t machine;
	} key;
	uint64_t count, while_idle;
};

struct state_row {
	struct state_key {
		uint32_t cpu, state;
	} key;
	struct distribution stay;
};

struct woken_cpu {
	uint64_t idle_exits;
	nsec_t idle; /* in the idle task */
	bool is_seen;
	struct stimuli *stimuli;
	/* An idle period that ended with a switch at that time: what ran next is not known yet. */
	bool is_switching;
	bool is_exit; /* it counts: an idle state was left, or none is ever seen there */
	nsec_t idled, switched; /* its begin and end */
	nsec_t ended; /* when the CPU left the state, or else switched */
	/* The idle state that was left last, if nothing has shown yet why. */
	bool has_states, has_exit; /* has_states: it was seen in a state */
	nsec_t entered, left;
};

struct wake_counts {
	const struct question *question;
	bool is_deferred;
	struct tally sources, source_cpus, woken, interrupts, states;
	struct woken_cpu *cpu; /* by number */
	size_t cpu_count, cpu_capacity;
	struct pending_source *pending; /* by track */
	size_t pending_count, pending_capacity;
	struct wake_item *kept;
	size_t kept_count, kept_capacity;
};

extern const struct relation_form state_form; /* of its states */

void wake_counts_init(void *state);
void wake_counts_release(void *state);
void wake_counts_add_span(void *state, const struct span *span);
/* Takes the kinds in WAKE_COUNT_INTERVALS. */
void wake_counts_add_interval(void *state, const struct interval *interval);
/* Call once the question is resolved. */
void wake_counts_resolve(void *state);
