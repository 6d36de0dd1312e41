/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tasks that the snapshots at both ends of the recording show asleep, and that no event names. */
#include <string.h>

#include "tracker_table.h"

/* Whether its sleep is of interest although nothing happened in it. */
static bool known_task_has_slept(const struct machine *machine, const struct known_task *known)
{
	const struct line asked = {.tid = known->tid, .tgid = known->tgid};

	return known->is_still_so && known->tid > 0 &&
	       (known->state == 'D' ||
	        (known->state == 'S' && machine_is_target(machine, &asked)));
}

/* It still sleeps where it slept, unless it moved on between the snapshot and the first event. */
static void task_stay(struct machine *machine, uint32_t line, const struct known_task *known)
{
	if (machine->task[line].kind != SEGMENT_WAIT || !known->place || !known->end_place ||
	    strcmp(known->place, known->end_place) != 0)
		return;
	for (size_t id = 0; id < TRACKER_COUNT; id++)
		if (trackers[id]->stay)
			trackers[id]->stay(machine, line, known->place);
}

void machine_add_sleepers(struct machine *machine)
{
	const struct source *source = machine->setup.source;

	for (size_t i = 0; i < source->known_task_count; i++) {
		const struct known_task *known = &source->known_tasks[i];
		uint32_t line;

		if (!known_task_has_slept(machine, known) ||
		    id_table_get(&machine->line_by_tid, (uint64_t)known->tid) != ID_TABLE_NONE)
			continue;
		line = machine_line(machine, /* cpu= */ NULL, known->tid);
		if (line != LINE_NONE)
			task_stay(machine, line, known);
	}
}
