/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "path_sums.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "graph/walk/competitors.h"

static void had_cpu_begin_loans(struct had_cpu *had, size_t from, size_t count)
{
	had->loan = xreallocarray(had->loan, count, sizeof(*had->loan));
	memset(had->loan + from, 0, (count - from) * sizeof(*had->loan));
}

static void had_cpu_grow(struct had_cpu *had, size_t count)
{
	if (had->track_count >= count)
		return;
	had->by_track = xreallocarray(had->by_track, count, sizeof(*had->by_track));
	memset(had->by_track + had->track_count, 0,
	       (count - had->track_count) * sizeof(*had->by_track));
	if (had->loan)
		had_cpu_begin_loans(had, had->track_count, count);
	had->track_count = count;
}

static void had_cpu_add(struct had_cpu *had, const nsec_t *by_track, size_t count,
                        const struct competitor_loan *loan)
{
	had_cpu_grow(had, count);
	for (size_t i = 0; i < count; i++)
		had->by_track[i] += by_track[i];
	if (loan && !had->loan)
		had_cpu_begin_loans(had, 0, had->track_count);
	for (size_t i = 0; loan && i < count; i++) {
		nsec_t total = had->loan[i].total + loan[i].total;

		if (loan[i].total)
			had->loan[i] = loan[i];
		had->loan[i].total = total;
	}
}

/* Adds the reclaim and compaction in a running or runnable part: they need not sleep. */
static void path_memory_add(struct path_memory *memory, const struct memory_log *log,
                            bool is_running, nsec_t begin, nsec_t end)
{
	nsec_t limit, time = memory_log_overlap(log, begin, end, &limit);

	*(is_running ? &memory->running : &memory->runnable) += time;
	memory->limit += limit;
}

/* Whether the part is unknown because it lies before the task's remaining history. */
static bool part_is_forgotten(const struct track *track, const struct part *part)
{
	return part->state == PART_CUT && track->is_trimmed &&
	       (track->segment_count == 0 || part->end <= track->segment[0].begin);
}

void path_walk_begin(struct path_walk *walk, struct path_sums *sums, struct timeline *timeline,
                     const struct interrupt_log *interrupts, struct spare_cpus *spare)
{
	walk->sums = sums;
	walk->spare = spare;
	walk->competitors = xmalloc(sizeof(*walk->competitors));
	competitors_init(walk->competitors, timeline, interrupts);
	spare_cpus_begin(spare);
}

/* Adds time in the CPU's run queue to that in which others had the CPU. */
static void path_add_queued(struct path_walk *walk, uint32_t track, uint16_t cpu, nsec_t begin,
                            nsec_t end)
{
	struct had_cpu *had = &walk->sums->had_cpu;

	competitors_add(walk->competitors, cpu, begin, end,
	                track_priority_at(&walk->competitors->timeline->track[track], begin));
	had->all += end - begin;
	had->spare += spare_cpus_within(walk->spare, cpu, begin, end);
}

void path_walk_cpu_parts(struct path_walk *walk, const struct cpu_parts *parts)
{
	const struct memory_log *memory =
		walk->competitors->timeline->track[parts->track].memory;

	if (parts->is_inferred)
		walk->sums->inferred +=
			parts->part[0].end - parts->part[parts->count - 1].begin;
	for (size_t i = 0; i < parts->count; i++) {
		const struct cpu_part *part = &parts->part[i];

		if (memory)
			path_memory_add(&walk->sums->memory, memory, part->is_running, part->begin,
			                part->end);
		if (!part->is_running)
			path_add_queued(walk, parts->track, part->cpu, part->begin, part->end);
	}
}

void path_walk_part(struct path_walk *walk, const struct part *part)
{
	const struct track *track = &walk->competitors->timeline->track[part->track];
	bool is_running = part->state == PART_RUNNING, is_runnable = part->state == PART_RUNNABLE;
	struct path_sums *sums = walk->sums;

	if (part->is_inferred && (part->state != PART_WAITING ||
	                          (part->cause && !cause_note_is_open(part->cause))))
		sums->inferred += part->end - part->begin;
	if (part_is_forgotten(track, part))
		sums->forgotten += part->end - part->begin;
	if (track->memory && (is_running || is_runnable))
		path_memory_add(&sums->memory, track->memory, is_running, part->begin, part->end);
	if (is_runnable && (!part->cause || part->cause->kind != CAUSE_THROTTLED))
		path_add_queued(walk, part->track, part->cpu, part->begin, part->end);
}

void path_walk_end(struct path_walk *walk)
{
	const struct competitors *competitors = walk->competitors;
	struct had_cpu *had = &walk->sums->had_cpu;

	spare_cpus_end(walk->spare);
	competitors_finish(walk->competitors);
	had_cpu_add(had, competitors->by_track, competitors->timeline->track_count,
	            competitors->loan);
	had->interrupts += competitors->interrupted;
	had->idle += competitors->idle;
	voter_add(&had->heavier, &competitors->heavier);
	voter_add(&had->outranked, &competitors->outranked);
	voter_add(&had->interrupted_on, &competitors->interrupted_on);
	competitors_release(walk->competitors);
	free(walk->competitors);
}

void path_sums_add(struct path_sums *sums, const struct path_sums *others)
{
	struct had_cpu *had = &sums->had_cpu;

	had_cpu_add(had, others->had_cpu.by_track, others->had_cpu.track_count,
	            others->had_cpu.loan);
	had->interrupts += others->had_cpu.interrupts;
	had->idle += others->had_cpu.idle;
	voter_add(&had->heavier, &others->had_cpu.heavier);
	voter_add(&had->outranked, &others->had_cpu.outranked);
	voter_add(&had->interrupted_on, &others->had_cpu.interrupted_on);
	had->all += others->had_cpu.all;
	had->spare += others->had_cpu.spare;
	sums->memory.running += others->memory.running;
	sums->memory.runnable += others->memory.runnable;
	sums->memory.limit += others->memory.limit;
	sums->inferred += others->inferred;
	sums->forgotten += others->forgotten;
}

void path_sums_release(struct path_sums *sums)
{
	free(sums->had_cpu.by_track);
	free(sums->had_cpu.loan);
}
