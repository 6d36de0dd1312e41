/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What woke tasks was doing; see waker_tracker.c. */
#pragma once

#include "tracker.h"

/* A stack that comes right after the wake-up that this CPU told last. */
void wakers_note_stack(struct machine *machine, const struct cpu *cpu,
                       const struct stack_event *stack);
