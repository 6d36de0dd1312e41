/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A machine that forks without an end, read as `ftwait top` and a flight recorder read it: the
 * engine must forget the tasks that have ended, and nothing else. The only task that is held up is
 * one that waits in D from the begin to the end.
 */
#pragma once

#include <stdint.h>

/* What a run gave; all times ns. */
struct storm_result {
	uint64_t forks, generations;
	uint64_t late;
	/* sums over all intervals: of the children, of their parent, of a task that never leaves
	   its CPU, and of one that waits in D from the begin to the end */
	uint64_t children_running, parent_running, parent_waiting, runner_running, sleeper_waiting;
	uint64_t sleeper_longest; /* of the last interval */
	uint64_t heap_early, heap_late; /* the most bytes in use in either half of the run */
	uint64_t period; /* from fork to fork */
	uint64_t end;    /* the last interval's, since the first record */
	/* what a flight recorder's conditions found: "open>1s" and "hung>30s" of that task, and all
	   others */
	uint64_t hits_open, hits_hung, hits_other;
};

/* -1: the trace could not be made. */
int fork_storm_run(uint64_t forks, struct storm_result *ret);
