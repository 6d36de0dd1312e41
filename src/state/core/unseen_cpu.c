/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unseen_cpu.h"

#include "base/xalloc.h"

#define WORD_BITS 64u

void task_lose_sight(struct machine *machine, uint32_t track, uint32_t number)
{
	struct task_state *task = &machine->task[track];

	if (!machine->unseen_cpus)
		machine->unseen_cpus = xcalloc(CPUS_MAX / WORD_BITS, sizeof(uint64_t));
	machine->unseen_cpus[number / WORD_BITS] |= UINT64_C(1) << number % WORD_BITS;
	tracker_drop_task(machine, TRACKER_PLACE, track);
	task->kind = SEGMENT_UNKNOWN;
	task->detail = 0;
	task->is_tentative = false;
}

void unseen_note_wake(struct machine *machine, uint32_t track, int64_t number)
{
	const struct task_state *task = &machine->task[track];
	bool is_runnable = task->kind == SEGMENT_RUNNABLE;
	/* it was seen to leave another CPU */
	bool has_left = (task->kind == SEGMENT_WAIT || task->kind == SEGMENT_STOPPED) &&
	                task->since > machine->begin;

	if (is_runnable && cpu_is_unseen(machine, task->cpu))
		task_lose_sight(machine, track, task->cpu);
	else if ((is_runnable || has_left) && cpu_is_unseen(machine, number) &&
	         number != task->cpu)
		task_lose_sight(machine, track, (uint32_t)number);
}

void unseen_cpus_close(struct machine *machine)
{
	for (uint32_t number = 0; machine->unseen_cpus && number < CPUS_MAX; number++)
		if (machine->unseen_cpus[number / WORD_BITS] >> number % WORD_BITS & 1 &&
		    !machine->cpu[number])
			health_unrecorded_add(machine->health, number);
}
