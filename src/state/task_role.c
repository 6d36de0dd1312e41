/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "task_role.h"

#include "state/core/held_wait.h"

void answer_note_accept(struct machine *machine, uint32_t track)
{
	machine->timeline->track[track].accepts = true;
	machine->timeline->track[machine_leader(machine, track)].accepts = true;
}

void answer_note_bringer(struct machine *machine, uint32_t track)
{
	(void)tracker_keep_task(machine, TRACKER_ANSWER, track);
}

void answer_note_request(struct machine *machine, uint32_t track)
{
	struct task_role *role = tracker_keep_task(machine, TRACKER_ANSWER, track);

	role->serves = role->owes = role->has_request = true;
}

void answer_note_first(struct machine *machine, uint32_t track)
{
	struct held_wait *held = machine->task[track].held;

	if (held && held->span.kind == SEGMENT_WAIT && held->cause.kind == CAUSE_NET)
		held->span.detail |= WAIT_FOR_WORK;
}

void answer_note_answer(struct machine *machine, uint32_t track)
{
	struct task_role *role = tracker_task(machine, TRACKER_ANSWER, track);

	if (role)
		role->owes = false;
}
