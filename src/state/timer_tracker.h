/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Timers and what they do; see timer_tracker.c. */
#pragma once

#include "state/core/tracker.h"

/* A signal is generated in an interrupt of this CPU. */
void timer_note_signal(struct machine *machine, const struct cpu *cpu);
