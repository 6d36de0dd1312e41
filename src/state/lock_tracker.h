/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Contended locks; see lock_tracker.c. */
#pragma once

#include "state/core/tracker.h"

/* The innermost lock that the task contends for; 0: none, as far as known. */
uint64_t lock_address(const struct machine *machine, uint32_t track);
/* The task is seen elsewhere, so it contends for no lock any more. */
void lock_leave(struct machine *machine, uint32_t track);
/* The task is about to set a time limit for its sleep. Of the kernel's locks only semaphores have
   one, so contention for any other lock is over. */
void lock_note_limit(struct machine *machine, uint32_t track);

/* The current task does something that no task does on its way to a lock: if it contended, the end
   of its contention was not seen. */
static inline void cpu_leave_locks(struct machine *machine, const struct cpu *cpu)
{
	if (cpu_is_in_task(cpu) && machine->task[cpu->current].has & TRACKER_BIT(LOCK))
		lock_leave(machine, cpu->current);
}
