/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Work items; see work_tracker.c. */
#pragma once

#include "state/core/tracker.h"

/* The work item that the current task executes; NULL: none. */
const struct cause_note *work_current(const struct machine *machine, const struct cpu *cpu);
/* Index in the timeline's causes + 1 of the note of that work item, with the reason why it was
   queued; 0: there is no item, or no history is kept. */
uint32_t work_note_current(const struct machine *machine, const struct cpu *cpu);
/* The task that queued that item; TRACK_NONE: there is no item, or an interrupt or a timer queued
   it. */
uint32_t work_queuer(const struct machine *machine, const struct cpu *cpu);
