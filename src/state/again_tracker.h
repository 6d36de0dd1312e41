/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether a sleep is the last one that goes on; see again_tracker.c. */
#pragma once

#include "state/core/tracker.h"

/* It sleeps at that place (id in names), which is known only now. */
void again_note_place(struct machine *machine, uint32_t line, uint32_t frames);
/* It is seen not to sleep for the lock that it was thought to sleep for. */
void again_note_no_lock(struct machine *machine, uint32_t line);
