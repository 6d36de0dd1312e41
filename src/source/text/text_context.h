/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the events that occurred in an interrupt, for text without the column of flags, such as the
 * output of trace-cmd report. An event counts as part of an interrupt if it lies between the entry
 * and exit events of that interrupt on the same CPU. Interrupts without recorded entry events are
 * not detected.
 */
#pragma once

#include <stdint.h>

#include "text_head.h"

struct text_context {
	uint8_t open[TEXT_CPUS_MAX]; /* bit mask of rows with a begin but no end so far */
};

/* Adds EVENT_HARDIRQ and EVENT_SOFTIRQ to the head's flags. Call it for each event, in order. */
void text_context_see(struct text_context *context, struct text_head *head);
