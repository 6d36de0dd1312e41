/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the end of the trace cuts, or a look at it before the end: the last span of each task, and
   open objects. */
#include "machine.h"
#include "noted_quota.h"
#include "queue_tracker.h"
#include "sink_queue.h"
#include "tracker_table.h"

/* Settles what can be decided about the task only once no more events come. */
static void machine_settle_line(struct machine *machine, uint32_t line, nsec_t end)
{
	task_end_tentative(machine, line);
	if (machine->task[line].kind == SEGMENT_RUNNABLE)
		queue_take(machine, line, end);
	/* if it died by contradiction, it may have had events since */
	if (machine->task[line].kind == SEGMENT_DEAD)
		task_bury(machine, line);
}

void machine_end(struct machine *machine, nsec_t end)
{
	if (!machine->has_begun)
		return;
	end = nsec_max(end, machine->now);
	for (uint32_t line = 0; line < machine->timeline->line_count; line++)
		machine_settle_line(machine, line, end);
	for (size_t id = 0; id < TRACKER_COUNT; id++)
		if (trackers[id]->close)
			trackers[id]->close(machine, end);
	machine->has_ended = true;
	machine_add_sleepers(machine);
	for (uint32_t line = 0; line < machine->timeline->line_count; line++)
		task_close(machine, line, end);
	sink_queue_flush(machine);
	quota_close(machine);
	machine_report_forgotten(machine);
	machine->timeline->begin = machine->begin;
	machine->timeline->end = end;
}

void machine_show_open(struct machine *machine)
{
	/* what is folded now cannot be corrected any more */
	sink_queue_flush(machine);
	for (uint32_t line = 0; line < machine->timeline->line_count; line++)
		task_show_open(machine, line, machine->now);
}

void machine_hide_open(struct machine *machine)
{
	for (uint32_t line = 0; line < machine->timeline->line_count; line++)
		timeline_hide_open(machine->timeline, line);
}
