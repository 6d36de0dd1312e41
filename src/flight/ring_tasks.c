/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ring_tasks.h"

#include "recorder/machine/realtime_reading.h"
#include "engine/live_handover.h"
#include "shot_tasks.h"

#define TEXT_BYTES_MAX (UINT64_C(64) << 20)

bool ring_tasks_turn(struct stream_ring *ring, const struct live_run *run,
                     const struct realtime_pair *pair, nsec_t reached)
{
	struct live_handover *tasks = live_run_tasks(run);
	struct buffer version, cmdlines;

	if (!tasks)
		return false;
	buffer_init(&version, TEXT_BYTES_MAX);
	buffer_init(&cmdlines, TEXT_BYTES_MAX);
	if (pair)
		realtime_pair_describe(pair, &version);
	shot_tasks_describe(tasks, reached, &version, &cmdlines);
	live_handover_free(tasks);
	stream_ring_turn(ring, reached, &version, &cmdlines);
	return true;
}

void ring_tasks_describe_end(const struct stream_ring *ring, const struct live_run *run,
                             const struct realtime_pair *pair, pid_t recorder,
                             struct buffer *version)
{
	struct live_handover *tasks = live_run_tasks(run);

	if (pair)
		realtime_pair_describe(pair, version);
	if (recorder > 0)
		buffer_printf(version, "recorder %d\n", (int)recorder);
	if (tasks)
		shot_tasks_describe_still(tasks, stream_ring_begin(ring), version);
	live_handover_free(tasks);
}

nsec_t ring_tasks_begin(const struct stream_ring *ring, const struct live_run *run)
{
	nsec_t begin = stream_ring_begin(ring);

	return begin ? begin : live_run_first(run);
}
