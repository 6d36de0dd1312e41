/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Locks of address spaces; see mmap_lock_tracker.c. */
#pragma once

#include "state/core/tracker.h"

/* The task has requested such a lock and not acquired it yet. */
static inline bool mmap_lock_is_asked(const struct machine *machine, uint32_t track)
{
	return machine->task[track].has & TRACKER_BIT(MMAP_LOCK);
}
