/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Interrupts; see irq_tracker.c. */
#pragma once

#include "state/core/tracker.h"

/* The last vector raised on the CPU and not entered since; -1: none. In task context those that the
   task itself raised do not count: there the task is the waker. */
int32_t softirq_pending(const struct machine *machine, const struct cpu *cpu,
                        enum context_level level);
