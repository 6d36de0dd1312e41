/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How long other CPUs were idle while a task stood in a run queue: nearly 0 for a task that may
 * run anywhere.
 *
 * Order of calls: any number of spare_cpus_add(), then spare_cpus_begin(), spare_cpus_within() of
 * stretches that do not overlap, latest first, spare_cpus_end(); and again, with what is added
 * meanwhile. Memory: 8 bytes a stretch of idleness, until spare_cpus_trim().
 */
#pragma once

#include "graph/interrupt_log.h"

struct spare_cpus {
	struct interrupt_log idle; /* when each CPU idled */
	struct interrupt_cursor *cursor;
};

void spare_cpus_init(struct spare_cpus *spare);
void spare_cpus_release(struct spare_cpus *spare);
/* That CPU idled in [begin, end); for each CPU in order of time. */
void spare_cpus_add(struct spare_cpus *spare, uint32_t cpu, nsec_t begin, nsec_t end);
/* Forgets the stretches that had ended by t. */
void spare_cpus_trim(struct spare_cpus *spare, nsec_t t);
void spare_cpus_begin(struct spare_cpus *spare);
/* ns of [begin, end) in which one CPU other than `cpu` idled: the CPU that idled longest. */
nsec_t spare_cpus_within(struct spare_cpus *spare, uint32_t cpu, nsec_t begin, nsec_t end);
void spare_cpus_end(struct spare_cpus *spare);
