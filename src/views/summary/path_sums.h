/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sums over a path in addition to its chains: which tasks had the CPUs meanwhile, how much of the
 * path was spent making room in memory, and how much of the path is known.
 *
 * Order of calls: path_walk_begin(), path_walk_part() for each part, latest first, path_walk_end();
 * and again for other stretches. Sums that are all 0 are empty. Memory: 8 bytes a task, 32 more
 * where priorities are lent.
 */
#pragma once

#include "graph/walk/voter.h"
#include "graph/walk/walk.h"
#include "spare_cpus.h"

struct competitors;
struct competitor_loan;

/* The tasks that had the CPU while the one task, or a task that it waited for, was in a run
   queue. */
struct had_cpu {
	nsec_t *by_track;
	size_t track_count;
	nsec_t interrupts, idle;
	struct voter heavier, outranked, interrupted_on; /* as in struct competitors */
	nsec_t all, spare; /* all: sum of that time; spare: the part of it in which another CPU
	                      was idle */
	struct competitor_loan *loan; /* as in struct competitors */
};

/* Time that tasks spent making room in memory. */
struct path_memory {
	nsec_t running, runnable;
	nsec_t limit; /* the part of both that was for the memory limit of a cgroup */
};

struct path_sums {
	struct had_cpu had_cpu;
	struct path_memory memory;
	nsec_t inferred;  /* length of parts that rest on an inference, see struct part */
	nsec_t forgotten; /* length of parts that are unknown only because the history was
	                     forgotten */
};

/* The state while a stretch of the path is walked. */
struct path_walk {
	struct path_sums *sums;
	struct spare_cpus *spare;
	struct competitors *competitors;
};

/* The interrupts and the idle CPUs are borrowed until path_walk_end(). */
void path_walk_begin(struct path_walk *walk, struct path_sums *sums, struct timeline *timeline,
                     const struct interrupt_log *interrupts, struct spare_cpus *spare);
void path_walk_part(struct path_walk *walk, const struct part *part);
/* The same for parts on a CPU or in its run queue; nearly all parts are such. */
void path_walk_cpu_parts(struct path_walk *walk, const struct cpu_parts *parts);
void path_walk_end(struct path_walk *walk);
/* Adds the other sums, as if all their parts had been added to these. */
void path_sums_add(struct path_sums *sums, const struct path_sums *others);
void path_sums_release(struct path_sums *sums);
/* The time of the path that was spent making room in memory, and whether most of it was for the
   memory limit of a cgroup. */
static inline nsec_t path_memory_total(const struct path_memory *memory)
{
	return memory->running + memory->runnable;
}
static inline bool path_memory_is_for_limit(const struct path_memory *memory)
{
	return memory->limit > path_memory_total(memory) / 2;
}
