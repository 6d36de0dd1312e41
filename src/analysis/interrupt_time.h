/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which intervals are time that interrupts took from the task that they interrupted. */
#pragma once

#include <stdbool.h>

#include "graph/interval.h"

#define INTERRUPT_INTERVALS                                                                   \
	(INTERVAL_MASK(INTERVAL_IRQ) | INTERVAL_MASK(INTERVAL_SOFTIRQ) |                      \
	 INTERVAL_MASK(INTERVAL_IPI) | INTERVAL_MASK(INTERVAL_TIMER))

/*
 * A timer that expires in an interrupt that is not told of itself stands for that. Of threads for
 * which soft interrupts are the work that they are scheduled for, that is their own time.
 */
static inline bool interval_is_interrupt(const struct interval *interval)
{
	if (interval->kind == INTERVAL_TIMER)
		return !interval->timer.is_soft;
	return INTERVAL_MASK(interval->kind) & INTERRUPT_INTERVALS && !interval->irq.is_threaded;
}
