/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which system call a task is in, as syscall_tracker.c or its stack says. */
#pragma once

#include "state/core/tracker.h"

/* enum sleep_call: what the task sleeps in. Where a stack tells where it is, that alone counts. */
uint8_t syscall_sleep(const struct machine *machine, uint32_t line);
/* The futex that the task waits for or takes; 0: it does not, or it is not known. */
uint64_t syscall_futex(const struct machine *machine, uint32_t line);
/* How many system calls the task has entered and left so far; 0: none were recorded. */
uint64_t syscall_count(const struct machine *machine, uint32_t line);
