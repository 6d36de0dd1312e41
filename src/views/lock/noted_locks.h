/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Locks that tasks wait for when the trace ends, which the recorder saw in /proc and no event
   shows: locks of files, mutexes of programs. */
#pragma once

#include "analysis/analysis.h"
#include "graph/timeline/interval.h"
#include "lock_list.h"

/* Passes such waits, as intervals of INTERVAL_LOCK, but for those of tasks that wait for a lock of
   the list. The question must be resolved. */
void noted_locks_visit(const struct question *question, const struct lock_list *list,
                       void (*take)(void *state, const struct interval *interval), void *state);
