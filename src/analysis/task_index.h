/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds tracks by the tid of an event of their time: of the tasks that had a tid one after the
   other, the one that lived then. */
#pragma once

#include "base/data/map.h"
#include "graph/timeline/timeline.h"

struct task_index {
	const struct timeline *timeline; /* borrowed; complete */
	struct map last;  /* by tid (hosts_process_id()): the latest track */
	uint32_t *before; /* by track: the one that had its tid before; TRACK_NONE: none */
};

void task_index_init(struct task_index *index, const struct timeline *timeline);
void task_index_release(struct task_index *index);
/* `tid` as the timeline has it, also with several machines. TRACK_NONE: no event of it was read, or
   it is 0, which all CPUs share. */
uint32_t task_index_find(const struct task_index *index, int32_t tid, nsec_t time);
