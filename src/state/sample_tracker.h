/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where programs were when they went to sleep or were found running; see sample_tracker.c. */
#pragma once

#include "state/core/tracker.h"

/* The functions of a program, recorded in the buffer of all other events. */
void samples_note_user(struct machine *machine, const struct cpu *cpu, const struct event *event);
