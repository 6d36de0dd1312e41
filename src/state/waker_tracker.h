/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the wakers of tasks were doing; see waker_tracker.c. */
#pragma once

#include "state/core/tracker.h"

/* Index of the first frame that the innermost interrupt on the stack interrupted; `count` if that
   is not known, or if it interrupted a program. */
size_t stack_interrupt_end(const char *const *name, size_t count);
/* A stack that comes right after this CPU's last wake-up. */
void wakers_note_stack(struct machine *machine, const struct cpu *cpu,
                       const struct stack_event *stack);
