/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Futexes, where their calls were recorded: which one a task sleeps at, and what the calls of both
 * ends of a wait tell of it (words/futex_kind.h).
 *
 * Who signals a condition may move those who wait for it to the futex of its mutex without waking
 * them (FUTEX_REQUEUE and the like). The call tells how many, not whom: the sleepers of its process
 * that were there before it and still are when it returns, in the kernel's order.
 */
#pragma once

#include "syscall_state.h"

/* The line enters a call, with what is kept of its calls. */
void futex_begin(struct machine *machine, uint32_t line, uint64_t address,
                 const struct futex_call *call);
/* One that moves sleepers is about to return; those whom it has woken are awake. */
void futex_move(struct machine *machine, uint32_t line, const struct task_syscalls *calls,
                int64_t result);
/* It has returned, if it was one at all. */
void futex_end(struct task_syscalls *calls, int64_t result);
/* Says of a wait in such a call at which futex it was, and of what kind that is. */
void futex_refine(const struct machine *machine, uint32_t wakee, struct cause_note *cause);
