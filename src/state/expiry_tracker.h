/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How late a task runs after the instant for which it had set a high-resolution timer. Emits an
 * interval for each such expiry, INTERVAL_EXPIRY.
 */
#pragma once

#include "state/core/tracker.h"

struct armed_timer {
	nsec_t time;      /* when it was armed */
	uint64_t expires; /* the earliest expiry, in ns of the timer's own clock; 0: not known */
	uint32_t slack;   /* ns from then to the latest expiry */
	uint32_t armer;   /* track; TRACK_NONE: an interrupt armed it */
};

/* The callback of a timer begins on this CPU: its frame is the innermost one. `now` is as in struct
   timer_event; timer NULL: its arming was not seen. Only where INTERVAL_EXPIRY is wanted. */
void expiry_note_entry(struct machine *machine, struct cpu *cpu, const struct armed_timer *timer,
                       uint64_t now);
