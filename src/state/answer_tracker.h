/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether a sleep in poll is for an answer or for work; see answer_tracker.c. */
#pragma once

#include "state/core/tracker.h"

/*
 * The track slept where tasks sleep that have nothing to do. Returns whether `cause`, which ends
 * the sleep, is what the task had asked for: then the task was waiting for that.
 */
bool answer_is_awaited(const struct machine *machine, uint32_t track,
                       const struct cause_note *cause);
/* The track's last wait, which is held back, turns out to have ended by another task's signal. */
void answer_note_signal(struct machine *machine, uint32_t track);
