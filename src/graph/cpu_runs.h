/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who had which CPU when: the run segments of all lines by CPU and time. Answers the question that
 * a runnable task has: who ran there instead.
 *
 * Built once from a complete timeline: O(n log n), 24 bytes a run.
 */
#pragma once

#include "timeline.h"

struct cpu_run {
	nsec_t begin, end;
	uint32_t line;
	uint16_t cpu;
};

struct cpu_runs {
	struct cpu_run *run; /* by CPU, then begin */
	size_t count, capacity;
};

void cpu_runs_fill(struct cpu_runs *runs, const struct timeline *timeline);
void cpu_runs_release(struct cpu_runs *runs);
/*
 * Calls back for every run on the CPU that overlaps [begin, end), cut to it, in order; returns how
 * many ns of it nobody ran.
 */
nsec_t cpu_runs_visit(const struct cpu_runs *runs, uint16_t cpu, nsec_t begin, nsec_t end,
                      void (*on_run)(void *state, uint32_t line, nsec_t length), void *state);
