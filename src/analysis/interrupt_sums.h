/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How long each CPU was in each interrupt, to say which one took most of its time. An interrupt
 * that interrupts another one counts for the outer one, too.
 *
 * Memory: 24 bytes for each interrupt of each CPU.
 */
#pragma once

#include "base/text/buffer.h"
#include "base/data/map.h"
#include "graph/timeline/interval.h"
#include "graph/timeline/timeline.h"

struct interrupt_sum {
	uint32_t cpu, name; /* name id */
	int32_t number;
	uint8_t kind; /* enum interval_kind */
	nsec_t total;
};

struct interrupt_sums {
	struct interrupt_sum *sum;
	size_t count, capacity;
	struct map by_key; /* index in sum */
};

void interrupt_sums_init(struct interrupt_sums *sums);
void interrupt_sums_release(struct interrupt_sums *sums);
/* Adds [begin, end) of an interrupt (interval_is_interrupt()). */
void interrupt_sums_add(struct interrupt_sums *sums, const struct interval *interval, nsec_t begin,
                        nsec_t end);
/* Appends the name of the one that took most of the CPU's time, "irq 30 nvme0q1", "softirq NET_RX";
   false: the CPU had none. */
bool interrupt_sums_append_most(const struct interrupt_sums *sums, uint32_t cpu,
                                const struct timeline *timeline, struct buffer *to);
