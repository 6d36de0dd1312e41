/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "task_openings.h"

void connect_note_opening(struct machine *machine, uint32_t track, uint64_t socket)
{
	struct task_openings *openings = tracker_keep_task(machine, TRACKER_CONNECT, track);

	openings->sockets ^= socket;
	openings->count++;
}

void connect_note_opened(struct machine *machine, uint32_t track, uint64_t socket)
{
	struct task_openings *openings = tracker_task(machine, TRACKER_CONNECT, track);

	if (!openings) /* it has ended */
		return;
	openings->sockets ^= socket;
	if (--openings->count == 0)
		tracker_drop_task(machine, TRACKER_CONNECT, track);
}
