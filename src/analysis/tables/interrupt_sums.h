/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How long each CPU was in each interrupt, to say which one took most of its time. An interrupt
 * that interrupts another one counts for the outer one, too.
 *
 * Memory: 48 bytes for each interrupt of each CPU.
 */
#pragma once

#include <stdbool.h>

#include "base/text/buffer.h"
#include "graph/timeline/interval.h"
#include "graph/timeline/timeline.h"
#include "tally/tally.h"

struct interrupt_sum {
	struct keyed_sum of; /* total, and count */
	uint32_t cpu, name; /* name id */
	int32_t number;
	uint8_t kind; /* enum interval_kind */
};

/* Adds [begin, end) of an interrupt (interval_is_interrupt()) to sums of struct
   interrupt_sum. */
void interrupt_sums_add(struct keyed_sums *sums, const struct interval *interval, nsec_t begin,
                        nsec_t end);
/* Appends the name of the one that took most of the CPU's time, "irq 30 nvme0q1", "softirq NET_RX";
   nothing if the CPU had none. */
void interrupt_sums_append_most(const struct keyed_sums *sums, uint32_t cpu,
                                const struct timeline *timeline, struct buffer *to);

/* The intervals that count as time that interrupts took from the interrupted task. */

#define INTERRUPT_INTERVALS                                                                   \
	(INTERVAL_MASK(INTERVAL_IRQ) | INTERVAL_MASK(INTERVAL_SOFTIRQ) |                      \
	 INTERVAL_MASK(INTERVAL_IPI) | INTERVAL_MASK(INTERVAL_TIMER))

/* A timer that expires in an unrecorded interrupt stands for that interrupt. A softirq that a
   thread runs as its scheduled work is the thread's own time. */
static inline bool interval_is_interrupt(const struct interval *interval)
{
	if (interval->kind == INTERVAL_TIMER)
		return !interval->timer.is_soft;
	return INTERVAL_MASK(interval->kind) & INTERRUPT_INTERVALS && !interval->irq.is_threaded;
}
