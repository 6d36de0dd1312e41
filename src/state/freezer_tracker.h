/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tasks that the freezer has stopped; see freezer_tracker.c. */
#pragma once

#include "ftwait/nsec.h"
#include "state/core/tracker.h"

/* A timer that the task armed at that time, to end a sleep, has expired, and its callback woke no
   task. */
void freezer_note_missed(struct machine *machine, uint32_t track, nsec_t armed);
