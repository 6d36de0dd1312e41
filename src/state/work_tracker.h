/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Work items; see work_tracker.c. */
#pragma once

#include "state/core/tracker.h"

/* The work item that the current task executes; NULL: none. */
const struct cause_note *work_current(const struct machine *machine, const struct cpu *cpu);
/* The same as index in the timeline's causes + 1, with why it was queued; 0: none, no history. */
uint32_t work_note_current(const struct machine *machine, const struct cpu *cpu);
/* The task that queued that item, not an interrupt or a timer for it; LINE_NONE: none. */
uint32_t work_queuer(const struct machine *machine, const struct cpu *cpu);
