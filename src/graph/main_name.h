/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which of a task's names stands for all that it did. */
#pragma once

#include "graph/timeline/timeline.h"

/*
 * The trace has ended: finds the main name of each track. A subshell may work for long and execute
 * a short program last, so an earlier name counts if the task ran and waited much longer under it
 * than under all later ones together. Time in run queues does not count: a new child may stand
 * there for long before it executes its program.
 */
void timeline_settle_names(struct timeline *timeline);
