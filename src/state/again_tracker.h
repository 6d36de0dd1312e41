/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether a sleep continues the last one; see again_tracker.c. */
#pragma once

#include "state/core/tracker.h"

/* The task sleeps at that place (id in names), which becomes known only now. */
void again_note_place(struct machine *machine, uint32_t track, uint32_t frames);
/* The task turns out not to sleep for the lock that it was assumed to sleep for. */
void again_note_no_lock(struct machine *machine, uint32_t track);
