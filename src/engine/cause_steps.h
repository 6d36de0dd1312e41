/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How causes come about, for whoever looks for a wrong one: a line for each tracker that decided
 * the cause of an asked task's wake-up, or changed it, and what the cause was then.
 *
 *	0.012100 cpu 0, in a hard interrupt: w1[12] woken: block explains: disk 259,0, high
 *
 * Wake-ups that end no wait are among them, and asked tasks are those that match by then: others
 * may turn out to be asked for only when the trace ends.
 */
#pragma once

#include "analysis/analysis.h"
#include "state/core/machine_setup.h"

struct cause_steps {
	const struct question *question;
	void (*put)(const char *line); /* gets each line, with its newline; borrowed */
};

/* A struct machine_setup's on_step; `state` is a struct cause_steps. */
void cause_steps_add(void *state, const struct cause_step *step);
