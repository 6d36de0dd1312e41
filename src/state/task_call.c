/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "task_call.h"

#include "state/core/place.h"
#include "state/tasks/syscall_state.h"

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
