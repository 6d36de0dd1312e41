/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which system call a task is in, by syscall_tracker.c or its stack. */
#pragma once

#include "state/core/tracker.h"

/* The call that the task sleeps in, enum sleep_call. If a stack shows where the task sleeps, only
   the stack counts. */
uint8_t syscall_sleep(const struct machine *machine, uint32_t track);
/* The futex that the task waits for or takes; 0: none, or not known. */
uint64_t syscall_futex(const struct machine *machine, uint32_t track);
/* Whether the task executes a program since then at the latest; true also if none of its system
   calls were recorded, so that it may. */
bool syscall_may_execute(const struct machine *machine, uint32_t track, nsec_t since);
/* Whether the last system call of the task ended because of a signal, or is to be entered again. */
bool syscall_is_cut(const struct machine *machine, uint32_t track);
/* How many system calls the task has entered and left so far; 0: none were recorded. */
uint64_t syscall_count(const struct machine *machine, uint32_t track);
