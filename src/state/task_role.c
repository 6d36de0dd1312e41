/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "task_role.h"

void answer_note_accept(struct machine *machine, uint32_t line)
{
	machine->timeline->line[line].accepts = true;
	machine->timeline->line[machine_leader(machine, line)].accepts = true;
}

void answer_note_bringer(struct machine *machine, uint32_t line)
{
	(void)tracker_keep_task(machine, TRACKER_ANSWER, line);
}

void answer_note_request(struct machine *machine, uint32_t line)
{
	struct task_role *role = tracker_keep_task(machine, TRACKER_ANSWER, line);

	role->serves = role->owes = role->has_request = true;
}

void answer_note_answer(struct machine *machine, uint32_t line)
{
	struct task_role *role = tracker_task(machine, TRACKER_ANSWER, line);

	if (role)
		role->owes = false;
}
