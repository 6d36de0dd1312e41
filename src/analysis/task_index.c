/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "task_index.h"

#include <stdlib.h>

#include "base/xalloc.h"
#include "ftwait/host.h"

void task_index_init(struct task_index *index, const struct timeline *timeline)
{
	index->timeline = timeline;
	map_init(&index->last);
	index->before = xcalloc(timeline->track_count, sizeof(*index->before));
	for (uint32_t i = 0; i < timeline->track_count; i++) {
		const struct track *track = &timeline->track[i];
		uint64_t key = (uint32_t)hosts_process_id(track->host, track->tid);
		uint32_t last = map_get(&index->last, key);

		if (track->is_idle)
			continue;
		index->before[i] = last == MAP_NONE ? TRACK_NONE : last;
		map_put(&index->last, key, i);
	}
}

void task_index_release(struct task_index *index)
{
	map_release(&index->last);
	free(index->before);
	index->before = NULL;
}

/* Before its first segment a task exists as soon as it is forked. */
static bool track_has_begun(const struct track *track, nsec_t time)
{
	return time >= nsec_min(track->born, track->begin);
}

uint32_t task_index_find(const struct task_index *index, int32_t tid, nsec_t time)
{
	uint32_t track = tid > 0 ? map_get(&index->last, (uint32_t)tid) : MAP_NONE;

	if (track == MAP_NONE)
		return TRACK_NONE;
	while (index->before[track] != TRACK_NONE &&
	       !track_has_begun(&index->timeline->track[track], time))
		track = index->before[track];
	return track;
}
