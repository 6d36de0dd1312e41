/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the bits of sched_switch's prev_state mean. They differ between kernels, so they are read
 * from that trace's own print format: the __print_flags table names the bits, and the expression
 * before `? "+" : ""` is the bit that says "preempted, still runnable".
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "ftwait/event.h"

#define STATE_BITS 32

struct state_letters {
	char letter[STATE_BITS]; /* by bit number; 0: no name */
	uint64_t preempted;      /* mask; 0: this kernel does not tell */
};

/* Falls back to the table of Linux 4.18 and later where the print format cannot be read. */
void state_letters_parse(struct text print_format, struct state_letters *ret);
/* The letter of a raw state, 'R' for none; '?' for bits without a name. */
char state_letters_get(const struct state_letters *letters, uint64_t raw);
