/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What programs were at when they went to sleep or were found running; see sample_tracker.c. */
#pragma once

#include "state/core/tracker.h"

/* An event of the buffer of samples: what carries a stack, or a stack. */
void samples_take(struct machine *machine, struct cpu *cpu, const struct event *event);
/* The same of the functions of a program in the buffer of all other events. */
void samples_note_user(struct machine *machine, const struct cpu *cpu, const struct event *event);
