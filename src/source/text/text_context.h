/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The context of events in text without the column of flags, as trace-cmd report prints it: what
 * happens on a CPU between the begin and the end of an interrupt is in that interrupt. Interrupts
 * that no event tells are not seen.
 */
#pragma once

#include <stdint.h>

#include "text_head.h"

struct text_context {
	uint8_t open[TEXT_CPUS_MAX]; /* bit mask of rows with a begin but no end so far */
};

/* Sets the head's flags; call it for each event, in order. */
void text_context_see(struct text_context *context, struct text_head *head);
