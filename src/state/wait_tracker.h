/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Waits that have ended and are not told of yet; see wait_tracker.c. */
#pragma once

#include "tracker.h"

/* What comes right after a wake-up may say more of the wait that it ended. */
struct held_wait {
	struct span span;
	struct cause_note cause;
	struct span runnable; /* what followed it; where has_runnable: the task runs already */
	bool has_runnable;
};

/* The task's last wait or stop, if it is held back; NULL: none is. */
static inline struct held_wait *wait_held(const struct machine *machine, uint32_t line)
{
	return tracker_task(machine, TRACKER_WAIT, line);
}
