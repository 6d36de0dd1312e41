/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Contended locks; see lock_tracker.c. */
#pragma once

#include "state/core/tracker.h"

/* The innermost lock that the task contends for; 0: none, as far as known. */
uint64_t lock_address(const struct machine *machine, uint32_t line);
/* The task contends for nothing any more: it is seen elsewhere. */
void lock_leave(struct machine *machine, uint32_t line);
/* The task is about to set a time limit for its sleep: of the locks only a semaphore has one. */
void lock_note_limit(struct machine *machine, uint32_t line);

/* The current task does something that no task does on its way to a lock: if it contended, the end
   of its contention was not seen. */
static inline void cpu_leave_locks(struct machine *machine, const struct cpu *cpu)
{
	if (cpu_is_in_task(cpu) && machine->task[cpu->current].has & TRACKER_BIT(LOCK))
		lock_leave(machine, cpu->current);
}
