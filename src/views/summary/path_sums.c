/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "path_sums.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "graph/competitors.h"

static void had_cpu_begin_loans(struct had_cpu *had, size_t from, size_t count)
{
	had->loan = xreallocarray(had->loan, count, sizeof(*had->loan));
	memset(had->loan + from, 0, (count - from) * sizeof(*had->loan));
}

static void had_cpu_grow(struct had_cpu *had, size_t count)
{
	if (had->line_count >= count)
		return;
	had->by_line = xreallocarray(had->by_line, count, sizeof(*had->by_line));
	memset(had->by_line + had->line_count, 0,
	       (count - had->line_count) * sizeof(*had->by_line));
	if (had->loan)
		had_cpu_begin_loans(had, had->line_count, count);
	had->line_count = count;
}

static void had_cpu_add(struct had_cpu *had, const nsec_t *by_line, size_t count,
                        const struct competitor_loan *loan)
{
	had_cpu_grow(had, count);
	for (size_t i = 0; i < count; i++)
		had->by_line[i] += by_line[i];
	if (loan && !had->loan)
		had_cpu_begin_loans(had, 0, had->line_count);
	for (size_t i = 0; loan && i < count; i++) {
		nsec_t total = had->loan[i].total + loan[i].total;

		if (loan[i].total)
			had->loan[i] = loan[i];
		had->loan[i].total = total;
	}
}

/* Adds the reclaim and compaction in a running or runnable part: they need not sleep. */
static void path_memory_add(struct path_memory *memory, const struct line *line,
                            const struct part *part)
{
	nsec_t limit, time;

	if (!line->memory || (part->state != PART_RUNNING && part->state != PART_RUNNABLE))
		return;
	time = memory_log_overlap(line->memory, part->begin, part->end, &limit);
	*(part->state == PART_RUNNING ? &memory->running : &memory->runnable) += time;
	memory->limit += limit;
}

/* Whether the part is unknown because it lies before the task's remaining history. */
static bool part_is_forgotten(const struct line *line, const struct part *part)
{
	return part->state == PART_UNKNOWN && line->is_trimmed &&
	       (line->segment_count == 0 || part->end <= line->segment[0].begin);
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

void path_walk_part(struct path_walk *walk, const struct part *part)
{
	const struct line *line = &walk->competitors->timeline->line[part->line];
	struct path_sums *sums = walk->sums;

	if (part->is_inferred && (part->state != PART_WAITING ||
	                          (part->cause && !cause_note_is_open(part->cause))))
		sums->inferred += part->end - part->begin;
	if (part_is_forgotten(line, part))
		sums->forgotten += part->end - part->begin;
	path_memory_add(&sums->memory, line, part);
	if (part->state != PART_RUNNABLE ||
	    (part->cause && part->cause->kind == CAUSE_THROTTLED))
		return;
	competitors_add(walk->competitors, part->cpu, part->begin, part->end,
	                timeline_priority_at(walk->competitors->timeline, part->line, part->begin));
	sums->had_cpu.all += part->end - part->begin;
	sums->had_cpu.spare +=
		spare_cpus_within(walk->spare, part->cpu, part->begin, part->end);
}

void path_walk_end(struct path_walk *walk)
{
	const struct competitors *competitors = walk->competitors;
	struct had_cpu *had = &walk->sums->had_cpu;

	spare_cpus_end(walk->spare);
	competitors_finish(walk->competitors);
	had_cpu_add(had, competitors->by_line, competitors->timeline->line_count,
	            competitors->loan);
	had->interrupts += competitors->interrupted;
	had->idle += competitors->idle;
	competitors_release(walk->competitors);
	free(walk->competitors);
}

void path_sums_add(struct path_sums *sums, const struct path_sums *others)
{
	struct had_cpu *had = &sums->had_cpu;

	had_cpu_add(had, others->had_cpu.by_line, others->had_cpu.line_count,
	            others->had_cpu.loan);
	had->interrupts += others->had_cpu.interrupts;
	had->idle += others->had_cpu.idle;
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
	free(sums->had_cpu.by_line);
	free(sums->had_cpu.loan);
}
