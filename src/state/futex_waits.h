/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Futexes, where their calls were recorded: which one a task sleeps at, and what the calls of both
 * ends of a wait show of it (words/futex_kind.h).
 *
 * A task that signals a condition variable may move its waiters to the futex of the mutex without
 * waking them (FUTEX_REQUEUE and the like). The call records how many, not which: the sleepers of
 * its process that were there before it and still are when it returns, in the kernel's order.
 */
#pragma once

#include "syscall_state.h"

bool futex_use_moves(uint8_t use);
/* The arguments if the call is futex(); false, and all 0, where they were not recorded. */
bool futex_call_read(const struct source *source, struct text arguments, struct futex_call *ret);

/* The line enters a call; its syscall state is given. */
void futex_begin(struct machine *machine, uint32_t line, uint64_t address,
                 const struct futex_call *call);
/* A call that moves sleepers is about to return; the tasks that it woke are awake. */
void futex_move(struct machine *machine, uint32_t line, const struct task_syscalls *calls,
                int64_t result);
/* The call has returned, if it was a futex call at all. */
void futex_end(struct task_syscalls *calls, int64_t result);
/* Records which futex the wait in such a call was at, and of what kind that is. */
void futex_refine(const struct machine *machine, uint32_t wakee, struct cause_note *cause);
