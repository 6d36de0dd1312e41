/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Contended locks; see lock_tracker.c. */
#pragma once

#include "state/core/tracker.h"

/* Of the lock that the task contends for, innermost; 0: it does not, as far as known. */
uint64_t lock_address(const struct machine *machine, uint32_t line);
/* The task contends for nothing any more: it is seen elsewhere. */
void lock_leave(struct machine *machine, uint32_t line);
/* It is about to set a time limit to its sleep: no lock's but a semaphore's has one. */
void lock_note_limit(struct machine *machine, uint32_t line);

/* The current task does what none does that is about to get a lock: the end of its contention, if
   it contended, was not seen. */
static inline void cpu_leave_locks(struct machine *machine, const struct cpu *cpu)
{
	if (cpu_is_in_task(cpu) && machine->task[cpu->current].has & TRACKER_BIT(LOCK))
		lock_leave(machine, cpu->current);
}
