/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The intervals that count as time that interrupts took from the interrupted task. */
#pragma once

#include <stdbool.h>

#include "graph/timeline/interval.h"

#define INTERRUPT_INTERVALS                                                                   \
	(INTERVAL_MASK(INTERVAL_IRQ) | INTERVAL_MASK(INTERVAL_SOFTIRQ) |                      \
	 INTERVAL_MASK(INTERVAL_IPI) | INTERVAL_MASK(INTERVAL_TIMER))

/* A timer that expires in an unrecorded interrupt stands for that interrupt. A softirq that a
   thread runs as its scheduled work is the thread's own time. */
static inline bool interval_is_interrupt(const struct interval *interval)
{
	if (interval->kind == INTERVAL_TIMER)
		return !interval->timer.is_soft;
	return INTERVAL_MASK(interval->kind) & INTERRUPT_INTERVALS && !interval->irq.is_threaded;
}
