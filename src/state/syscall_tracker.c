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

#define FUTEXES_MAX 6
#define CALLS_MAX   32

/* By machine, as uname -m begins; numbers end with 0. Source: the kernel's syscall tables. From 403
   on 32-bit machines count alike: there are the variants with 64 bits of time. */
static const struct syscall_numbers {
	const char *arch;
	int16_t futex[FUTEXES_MAX];
	int16_t work[CALLS_MAX]; /* poll, select, epoll, accept in their variants */
} numbers[] = {
	{"x86_64", {202}, {7, 271, 23, 270, 232, 281, 441, 43, 288}},
	{"aarch64", {98}, {73, 72, 22, 441, 202, 242}},
	{"riscv", {98, 422}, {73, 414, 72, 413, 22, 441, 202, 242}},
	{"loongarch", {98}, {73, 72, 22, 441, 202, 242}},
	{"arm", {240, 422}, {168, 336, 414, 142, 335, 413, 252, 346, 441, 285, 366}},
	{"i", {240, 422}, {168, 309, 414, 142, 308, 413, 256, 319, 441, 364}},
	{"s390x", {238}, {168, 302, 142, 301, 251, 312, 441, 364}},
	{"ppc", {221, 422}, {167, 281, 414, 142, 280, 413, 238, 303, 441, 330, 344}},
	/* o32, n64, n32: programs of all three run on one kernel */
	{"mips",
	 {4238, 4422, 5194, 6194, 6422},
	 {4188, 4302, 4414, 4142, 4301, 4413, 4250, 4313, 4441, 4168, 4334,
	  5007, 5261, 5022, 5260, 5209, 5272, 5441, 5042, 5293,
	  6007, 6265, 6414, 6022, 6264, 6413, 6209, 6276, 6441, 6042, 6297}},
};

static const struct syscall_numbers *numbers_find(const char *arch)
{
	for (size_t i = 0; arch && i < ARRAY_SIZE(numbers); i++)
		if (strncmp(arch, numbers[i].arch, strlen(numbers[i].arch)) == 0)
			return &numbers[i];
	return NULL;
}

static bool is_one_of(int64_t number, const int16_t *list)
{
	while (*list && *list != number)
		list++;
	return *list != 0;
}

static void on_syscall_enter(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	const struct syscall_numbers *known = machine->syscalls;
	struct task_state *task;

	if (cpu->level != LEVEL_TASK || cpu->current == LINE_NONE)
		return;
	cpu_leave_locks(machine, cpu);
	task = &machine->task[cpu->current];
	task->calls++;
	if (!known)
		return;
	task->is_in_futex = is_one_of(event->syscall.number, known->futex);
	task->futex = event->syscall.argument;
	task->waits_for_work = is_one_of(event->syscall.number, known->work);
}

static void on_syscall_exit(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	(void)event;
	if (cpu->level != LEVEL_TASK || cpu->current == LINE_NONE)
		return;
	cpu_leave_locks(machine, cpu);
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
