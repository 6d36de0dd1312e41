/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How long other CPUs were idle while a task was in a run queue. For a task that may run anywhere
 * this is nearly 0.
 *
 * Order of calls: any number of spare_cpus_add(), then spare_cpus_begin(), spare_cpus_within() of
 * stretches that do not overlap, latest first, spare_cpus_end(); and again, with what is added
 * meanwhile. Memory: 8 bytes a stretch of idleness, until spare_cpus_trim().
 */
#pragma once

#include "ftwait/host.h"
#include "graph/logs/interrupt_log.h"

struct spare_cpus {
	const struct hosts *hosts;
	struct interrupt_log idle; /* when each CPU idled */
	struct interrupt_cursor *cursor;
};

/* `hosts` is borrowed: an idle CPU of another machine is no spare one. */
void spare_cpus_init(struct spare_cpus *spare, const struct hosts *hosts);
void spare_cpus_release(struct spare_cpus *spare);
/* Adds that the CPU idled in [begin, end). Call in order of time for each CPU. */
void spare_cpus_add(struct spare_cpus *spare, uint32_t cpu, nsec_t begin, nsec_t end);
/* Forgets the stretches that had ended by t. */
void spare_cpus_trim(struct spare_cpus *spare, nsec_t t);
void spare_cpus_begin(struct spare_cpus *spare);
/* Returns the longest time, in ns, that another CPU of the same machine was idle within
   [begin, end); 0 if the machine has no other CPU. */
nsec_t spare_cpus_within(struct spare_cpus *spare, uint32_t cpu, nsec_t begin, nsec_t end);
void spare_cpus_end(struct spare_cpus *spare);
