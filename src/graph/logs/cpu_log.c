/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cpu_log.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/assume.h"
#include "base/data/array.h"

/* The most entries of each kind; half of the runs are always kept. */
#define RUNS_MAX       32768
#define INTERRUPTS_MAX 8192
/* Old interrupts are merged with their neighbours into stretches of at most 1 / SHARE_OF_AGE of
   their age, or, if that makes too little room, of a larger part. */
#define SHARE_OF_AGE   2048

void cpu_log_release(struct cpu_log *log)
{
	for (size_t cpu = 0; cpu < log->cpu_count; cpu++) {
		free(log->cpu[cpu].run);
		free(log->cpu[cpu].interrupt);
	}
	free(log->cpu);
	*log = (struct cpu_log){0};
}

struct logged_cpu *cpu_log_find(struct cpu_log *log, uint32_t number)
{
	ARRAY_REACH(log->cpu, log->cpu_count, log->cpu_capacity, number);
	return &log->cpu[number];
}

/* The time of interrupts in a part of that length. */
static nsec_t interrupt_part(const struct logged_interrupt *interrupt, nsec_t part)
{
	nsec_t all = interrupt->end - interrupt->begin, took = interrupt->took;

	ASSUME(took <= all && part <= all);
	if (took == all)
		return part;
	for (; all >> 32; all >>= 1) {
		took >>= 1;
		part >>= 1;
	}
	return (took * part + all / 2) / all;
}

/* The time of interrupts between the two instants. */
static nsec_t interrupts_between(const struct logged_cpu *cpu, nsec_t begin, nsec_t end)
{
	size_t at = ARRAY_AFTER(cpu->interrupt, cpu->interrupt_count, end, begin);
	nsec_t took = 0;

	for (size_t i = at; i < cpu->interrupt_count && cpu->interrupt[i].begin < end; i++) {
		const struct logged_interrupt *interrupt = &cpu->interrupt[i];
		nsec_t from = nsec_max(interrupt->begin, begin);
		nsec_t to = nsec_min(interrupt->end, end);

		took += interrupt_part(interrupt, to - from);
	}
	ASSUME(took <= end - begin);
	return took;
}

/* Merges neighbours that together are shorter than their age divided by `share`. */
static void interrupts_merge(struct logged_cpu *cpu, nsec_t share)
{
	nsec_t now = cpu->interrupt[cpu->interrupt_count - 1].end;
	size_t kept = 0;

	assert(share > 0);
	for (size_t i = 1; i < cpu->interrupt_count; i++) {
		struct logged_interrupt *last = &cpu->interrupt[kept], *next = &cpu->interrupt[i];

		if (next->end - last->begin <= (now - next->end) / share) {
			last->end = next->end;
			last->took += next->took;
		} else {
			cpu->interrupt[++kept] = *next;
		}
	}
	cpu->interrupt_count = kept + 1;
}

/* Makes room: the older an interrupt, the less exact its time. */
static void interrupts_thin(struct logged_cpu *cpu)
{
	for (nsec_t share = SHARE_OF_AGE; share; share /= 2) {
		interrupts_merge(cpu, share);
		if (cpu->interrupt_count <= INTERRUPTS_MAX / 4 * 3)
			return;
	}
	/* clocks that stand still: no interrupt is older than another */
	cpu->interrupt_count /= 2;
}

void cpu_log_interrupt(struct cpu_log *log, uint32_t number, nsec_t begin, nsec_t end, bool is_soft)
{
	struct logged_cpu *cpu = cpu_log_find(log, number);
	nsec_t inner = 0;

	begin = nsec_max(begin, cpu->covered);
	while (cpu->interrupt_count && cpu->interrupt[cpu->interrupt_count - 1].begin >= begin)
		inner += cpu->interrupt[--cpu->interrupt_count].took;
	if (cpu->interrupt_count)
		begin = nsec_max(begin, cpu->interrupt[cpu->interrupt_count - 1].end);
	if (begin >= end)
		return;
	assert(inner <= end - begin);
	*(is_soft ? &cpu->softirq : &cpu->irq) += end - begin - inner;
	if (cpu->interrupt_count == INTERRUPTS_MAX)
		interrupts_thin(cpu);
	ARRAY_ADD(cpu->interrupt, cpu->interrupt_count, cpu->interrupt_capacity) =
		(struct logged_interrupt){begin, end, end - begin};
}

/* More are looked up each time. */
#define TOOK_MANY UINT32_MAX

static uint32_t took_of(nsec_t took)
{
	return (uint32_t)nsec_min(took, TOOK_MANY);
}

/* A switch away from idle that was not recorded took place before the apparent end of idling. */
static void idle_shorten(struct logged_cpu *cpu, nsec_t end)
{
	struct logged_run *last = cpu->run_count ? &cpu->run[cpu->run_count - 1] : NULL;

	if (!last || last->user != CPU_USER_IDLE || end >= last->end || end < last->begin)
		return;
	assert(end >= last->begin && cpu->covered == last->end);
	cpu->idle -= nsec_min(cpu->idle, last->end - end);
	last->end = end;
	last->took = took_of(interrupts_between(cpu, last->begin, end));
	cpu->covered = end;
}

void cpu_log_run(struct cpu_log *log, uint32_t number, const struct logged_run *run)
{
	struct logged_cpu *cpu = cpu_log_find(log, number);
	nsec_t begin, took;

	if (run->user != CPU_USER_IDLE)
		idle_shorten(cpu, run->begin);
	begin = nsec_max(run->begin, cpu->covered);
	if (begin >= run->end)
		return;
	took = interrupts_between(cpu, begin, run->end);
	*(run->user == CPU_USER_IDLE ? &cpu->idle : &cpu->running) += run->end - begin - took;
	if (cpu->run_count == RUNS_MAX) {
		cpu->run_count /= 2;
		cpu->forgotten = cpu->run[RUNS_MAX - cpu->run_count - 1].end;
		memcpy(cpu->run, cpu->run + cpu->run_count, cpu->run_count * sizeof(*cpu->run));
	}
	ARRAY_GROW(cpu->run, cpu->run_count, cpu->run_capacity);
	cpu->run[cpu->run_count++] =
		(struct logged_run){begin, run->end, run->user, took_of(took)};
	assert(run->end > cpu->covered);
	cpu->covered = run->end;
}

void cpu_log_visit(struct cpu_log *log, uint32_t number, nsec_t begin, nsec_t end,
                   bool (*on_use)(void *state, uint32_t user, nsec_t took), void *state)
{
	const struct logged_cpu *cpu = cpu_log_find(log, number);
	const struct logged_run *run = cpu->run + ARRAY_AFTER(cpu->run, cpu->run_count, end, begin);
	const struct logged_run *last = cpu->run + cpu->run_count;
	bool goes_on = true;

	if (begin < cpu->forgotten)
		log->forgotten += nsec_min(end, cpu->forgotten) - begin;
	while (begin < end && goes_on) {
		bool is_known = run < last && run->begin <= begin;
		nsec_t to, took;

		/* in long queues nearly all are whole */
		if (is_known && run->begin == begin && run->end <= end && run->took != TOOK_MANY) {
			to = run->end;
			took = run->took;
		} else {
			to = nsec_min(end, run == last ? end : is_known ? run->end : run->begin);
			took = interrupts_between(cpu, begin, to);
		}
		ASSUME(to >= begin && took <= to - begin);
		if (took)
			goes_on = on_use(state, CPU_USER_IRQ, took);
		if (to - begin > took)
			goes_on = on_use(state, is_known ? run->user : CPU_USER_UNKNOWN,
			                 to - begin - took);
		run += is_known;
		begin = to;
	}
	if (begin < end)
		(void)on_use(state, CPU_USER_UNKNOWN, end - begin);
}
