/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * System calls, where they were recorded. A task that sleeps in poll, select, epoll or accept waits
 * for work: nothing blocks it, there is just nothing to do. A futex names the address.
 *
 * Numbers are those of the recording machine's own calls; a 32-bit program on a 64-bit kernel has
 * others, and its calls are then not recognised, or, rarely, taken for another.
 */
#include "tracker.h"

#include <string.h>

#include "base/array.h"

#define CALLS_MAX 12

/* By machine, as uname -m has it. Source: the kernel's syscall tables. */
static const struct syscall_numbers {
	const char *arch;
	int16_t futex;
	int16_t work[CALLS_MAX]; /* poll, select, epoll, accept in their variants; ended by 0 */
} numbers[] = {
	{"x86_64", 202, {7, 271, 23, 270, 232, 281, 441, 43, 288}},
	{"aarch64", 98, {73, 72, 22, 441, 202, 242}},
	{"riscv64", 98, {73, 72, 22, 441, 202, 242}},
	{"arm", 240, {168, 336, 142, 335, 252, 346, 441, 285, 366}},
	{"i", 240, {168, 309, 142, 308, 256, 319, 441, 364}},
	{"s390x", 238, {168, 302, 142, 301, 250, 312, 441, 364}},
	{"ppc64", 221, {167, 281, 142, 280, 238, 303, 441, 330, 344}},
};

static const struct syscall_numbers *numbers_find(const char *arch)
{
	for (size_t i = 0; arch && i < ARRAY_SIZE(numbers); i++)
		if (strncmp(arch, numbers[i].arch, strlen(numbers[i].arch)) == 0)
			return &numbers[i];
	return NULL;
}

static void on_syscall_enter(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	const struct syscall_numbers *known = machine->syscalls;
	struct task_state *task;

	if (cpu->level != LEVEL_TASK || cpu->current == LINE_NONE)
		return;
	task = &machine->task[cpu->current];
	task->calls++;
	if (!known)
		return;
	task->is_in_futex = event->syscall.number == known->futex;
	task->futex = event->syscall.argument;
	task->waits_for_work = false;
	for (size_t i = 0; i < CALLS_MAX && known->work[i]; i++)
		task->waits_for_work |= event->syscall.number == known->work[i];
}

static void on_syscall_exit(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	(void)event;
	if (cpu->level != LEVEL_TASK || cpu->current == LINE_NONE)
		return;
	machine->task[cpu->current].calls++;
	machine->task[cpu->current].is_in_futex = false;
	machine->task[cpu->current].waits_for_work = false;
}

static void syscalls_begin(struct machine *machine)
{
	machine->syscalls = numbers_find(machine->setup.source->arch);
}

static void syscalls_forget(struct machine *machine)
{
	for (size_t line = 0; line < machine->timeline->line_count; line++)
		machine->task[line].waits_for_work = false;
}

static const struct handler_row syscall_handlers[] = {
	{EVENT_SYSCALL_ENTER, on_syscall_enter},
	{EVENT_SYSCALL_EXIT, on_syscall_exit},
};

const struct tracker syscall_tracker = {
	.name = "syscall",
	.handlers = syscall_handlers,
	.handler_count = ARRAY_SIZE(syscall_handlers),
	.begin = syscalls_begin,
	.forget = syscalls_forget,
};
