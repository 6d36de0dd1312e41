/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What woke tasks was doing; see waker_tracker.c. */
#pragma once

#include "state/core/tracker.h"

/* Where a stack goes on with what the innermost interrupt on it interrupted; `count` where that is
   not known, or a program was. */
size_t stack_interrupt_end(const char *const *name, size_t count);
/* A stack that comes right after the wake-up that this CPU told last. */
void wakers_note_stack(struct machine *machine, const struct cpu *cpu,
                       const struct stack_event *stack);
