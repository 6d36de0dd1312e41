/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which system call a task is in, by syscall_tracker.c or its stack. */
#pragma once

#include "state/core/tracker.h"

/* The call that the task sleeps in, enum sleep_call. If a stack shows where the task sleeps, only
   the stack counts. */
uint8_t syscall_sleep(const struct machine *machine, uint32_t track);
/* The futex that the task waits for or takes; 0: none, or not known. */
uint64_t syscall_futex(const struct machine *machine, uint32_t track);
/* How many system calls the task has entered and left so far; 0: none were recorded. */
uint64_t syscall_count(const struct machine *machine, uint32_t track);
