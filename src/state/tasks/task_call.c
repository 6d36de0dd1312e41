/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "task_call.h"

#include "base/assume.h"
#include "state/core/held_wait.h"
#include "syscall_state.h"

uint8_t syscall_sleep(const struct machine *machine, uint32_t track)
{
	const struct task_syscalls *calls = task_syscalls(machine, track);
	struct sleep_place place = task_place(machine, track);

	if (place.frames)
		return place.call;
	if (!calls)
		return CALL_NONE;
	return calls->call == CALL_NONE && calls->use != FUTEX_NOT ? CALL_FUTEX : calls->call;
}

uint64_t syscall_futex(const struct machine *machine, uint32_t track)
{
	const struct task_syscalls *calls = task_syscalls(machine, track);

	return calls && calls->use != FUTEX_NOT ? calls->futex : 0;
}

bool syscall_may_execute(const struct machine *machine, uint32_t track, nsec_t since)
{
	const struct task_syscalls *calls = task_syscalls(machine, track);

	return !calls || calls->count == 0 || (calls->changes_program && calls->entered <= since);
}

bool syscall_is_cut(const struct machine *machine, uint32_t track)
{
	const struct task_syscalls *calls = task_syscalls(machine, track);

	return calls && calls->is_cut;
}

uint64_t syscall_count(const struct machine *machine, uint32_t track)
{
	const struct task_syscalls *calls = task_syscalls(machine, track);

	return calls ? calls->count : 0;
}

void answer_note_accept(struct machine *machine, uint32_t track)
{
	machine->timeline->track[track].accepts = true;
	machine->timeline->track[machine_leader(machine, track)].accepts = true;
}

void answer_note_listen(struct machine *machine, uint32_t track)
{
	machine->timeline->track[track].listens = true;
	machine->timeline->track[machine_leader(machine, track)].listens = true;
}

void answer_note_bringer(struct machine *machine, uint32_t track)
{
	(void)tracker_keep_task(machine, TRACKER_ANSWER, track);
}

void answer_note_request(struct machine *machine, uint32_t track)
{
	struct task_role *role = tracker_keep_task(machine, TRACKER_ANSWER, track);

	ASSUME(machine_owns(machine, track));
	role->serves = role->owes = role->has_request = true;
}

void answer_note_first(struct machine *machine, uint32_t track)
{
	struct held_wait *held = machine->task[track].held;

	ASSUME(!held || held->span.track == track);
	if (held && held->span.kind == SEGMENT_WAIT && held->cause.kind == CAUSE_NET)
		held->span.detail |= WAIT_FOR_WORK;
}

void answer_note_answer(struct machine *machine, uint32_t track)
{
	struct task_role *role = tracker_task(machine, TRACKER_ANSWER, track);

	if (role)
		role->owes = false;
}
