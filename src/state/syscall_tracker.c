/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * System calls, where they were recorded. A task that sleeps in poll, select, epoll or accept waits
 * for work: nothing blocks it, there is just nothing to do. A futex names the address. Which call
 * it is also tells a sleep from a time-out.
 *
 * Numbers are those of the recording machine's own calls; a 32-bit program on a 64-bit kernel has
 * others, and its calls are then not recognised, or, rarely, taken for another.
 */
#include "tracker.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

#define NUMBERS_MAX     9
#define CALL_NUMBER_MAX 6500 /* of mips, whose ABIs begin at 4000, 5000 and 6000 */

/* By machine, as uname -m begins; numbers end with 0. Source: the kernel's syscall tables. From 403
   on 32-bit machines count alike: there are the variants with 64 bits of time. */
static const struct {
	const char *arch;
	uint8_t call; /* enum sleep_call */
	int16_t number[NUMBERS_MAX];
} calls[] = {
	{"x86_64", CALL_NANOSLEEP, {35, 230}},
	{"x86_64", CALL_POLL, {7, 271}},
	{"x86_64", CALL_SELECT, {23, 270}},
	{"x86_64", CALL_EPOLL, {232, 281, 441}},
	{"x86_64", CALL_ACCEPT, {43, 288}},
	{"x86_64", CALL_FUTEX, {202}},
	{"x86_64", CALL_CONNECT, {42}},
	{"aarch64", CALL_NANOSLEEP, {101, 115}},
	{"aarch64", CALL_POLL, {73}},
	{"aarch64", CALL_SELECT, {72}},
	{"aarch64", CALL_EPOLL, {22, 441}},
	{"aarch64", CALL_ACCEPT, {202, 242}},
	{"aarch64", CALL_FUTEX, {98}},
	{"aarch64", CALL_CONNECT, {203}},
	{"riscv", CALL_NANOSLEEP, {101, 115, 407}},
	{"riscv", CALL_POLL, {73, 414}},
	{"riscv", CALL_SELECT, {72, 413}},
	{"riscv", CALL_EPOLL, {22, 441}},
	{"riscv", CALL_ACCEPT, {202, 242}},
	{"riscv", CALL_FUTEX, {98, 422}},
	{"riscv", CALL_CONNECT, {203}},
	{"loongarch", CALL_NANOSLEEP, {101, 115}},
	{"loongarch", CALL_POLL, {73}},
	{"loongarch", CALL_SELECT, {72}},
	{"loongarch", CALL_EPOLL, {22, 441}},
	{"loongarch", CALL_ACCEPT, {202, 242}},
	{"loongarch", CALL_FUTEX, {98}},
	{"loongarch", CALL_CONNECT, {203}},
	{"arm", CALL_NANOSLEEP, {162, 265, 407}},
	{"arm", CALL_POLL, {168, 336, 414}},
	{"arm", CALL_SELECT, {142, 335, 413}},
	{"arm", CALL_EPOLL, {252, 346, 441}},
	{"arm", CALL_ACCEPT, {285, 366}},
	{"arm", CALL_FUTEX, {240, 422}},
	{"arm", CALL_CONNECT, {283}},
	{"i", CALL_NANOSLEEP, {162, 267, 407}},
	{"i", CALL_POLL, {168, 309, 414}},
	{"i", CALL_SELECT, {142, 308, 413}},
	{"i", CALL_EPOLL, {256, 319, 441}},
	{"i", CALL_ACCEPT, {364}},
	{"i", CALL_FUTEX, {240, 422}},
	{"i", CALL_CONNECT, {362}},
	{"s390x", CALL_NANOSLEEP, {162, 262}},
	{"s390x", CALL_POLL, {168, 302}},
	{"s390x", CALL_SELECT, {142, 301}},
	{"s390x", CALL_EPOLL, {251, 312, 441}},
	{"s390x", CALL_ACCEPT, {364}},
	{"s390x", CALL_FUTEX, {238}},
	{"s390x", CALL_CONNECT, {362}},
	{"ppc", CALL_NANOSLEEP, {162, 248, 407}},
	{"ppc", CALL_POLL, {167, 281, 414}},
	{"ppc", CALL_SELECT, {142, 280, 413}},
	{"ppc", CALL_EPOLL, {238, 303, 441}},
	{"ppc", CALL_ACCEPT, {330, 344}},
	{"ppc", CALL_FUTEX, {221, 422}},
	{"ppc", CALL_CONNECT, {328}},
	/* o32, n64, n32: programs of all three run on one kernel */
	{"mips", CALL_NANOSLEEP, {4166, 4265, 4407, 5034, 5224, 6034, 6228, 6407}},
	{"mips", CALL_POLL, {4188, 4302, 4414, 5007, 5261, 6007, 6265, 6414}},
	{"mips", CALL_SELECT, {4142, 4301, 4413, 5022, 5260, 6022, 6264, 6413}},
	{"mips", CALL_EPOLL, {4250, 4313, 4441, 5209, 5272, 5441, 6209, 6276, 6441}},
	{"mips", CALL_ACCEPT, {4168, 4334, 5042, 5293, 6042, 6297}},
	{"mips", CALL_FUTEX, {4238, 4422, 5194, 6194, 6422}},
	{"mips", CALL_CONNECT, {4170, 5041, 6041}},
};

/* The call that a task is in. */
struct open_call {
	nsec_t entered; /* NSEC_NEVER: none */
	int64_t number;
	uint64_t argument;
};

struct syscalls {
	bool is_known; /* this machine's numbers */
	uint8_t call[CALL_NUMBER_MAX]; /* enum sleep_call, by number */
	/* by line, where anybody wants to be told of calls */
	struct open_call *open;
	size_t open_count, open_capacity;
};

static enum sleep_call call_of(const struct machine *machine, int64_t number)
{
	return number >= 0 && number < CALL_NUMBER_MAX
	               ? (enum sleep_call)machine->syscalls->call[number]
	               : CALL_NONE;
}

static bool call_is_for_work(enum sleep_call call)
{
	return call == CALL_POLL || call == CALL_SELECT || call == CALL_EPOLL ||
	       call == CALL_ACCEPT;
}

static void call_open(struct machine *machine, uint32_t line, const struct event *event)
{
	struct syscalls *syscalls = machine->syscalls;

	while (syscalls->open_count <= line) {
		ARRAY_GROW(syscalls->open, syscalls->open_count, syscalls->open_capacity);
		syscalls->open[syscalls->open_count++].entered = NSEC_NEVER;
	}
	syscalls->open[line] = (struct open_call){
		machine->now, event->syscall.number, event->syscall.argument};
}

/* The call that the line is in ends, if it is in one, by what is told; NULL: with the trace. */
static void call_tell(struct machine *machine, uint32_t line, const struct event *event,
                      nsec_t end)
{
	struct syscalls *syscalls = machine->syscalls;
	struct open_call *call = line < syscalls->open_count ? &syscalls->open[line] : NULL;
	struct interval interval;

	if (!call || call->entered == NSEC_NEVER)
		return;
	interval = (struct interval){
		.kind = INTERVAL_SYSCALL,
		.cpu = event ? event->cpu : machine->task[line].cpu,
		.begin = call->entered,
		.end = end,
		.phase = {NSEC_NEVER, NSEC_NEVER},
		.is_open = !event,
		.task = line,
		.other = LINE_NONE,
		.syscall = {call->number, call->argument, event ? event->syscall.result : 0},
	};
	call->entered = NSEC_NEVER;
	machine_tell_interval(machine, &interval);
}

static void syscalls_close(struct machine *machine, nsec_t end)
{
	for (uint32_t line = 0; line < machine->timeline->line_count; line++)
		if (machine->task[line].kind != SEGMENT_DEAD)
			call_tell(machine, line, NULL, end);
}

static void on_syscall_enter(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	struct task_state *task;
	enum sleep_call call;

	if (cpu->level != LEVEL_TASK || cpu->current == LINE_NONE)
		return;
	cpu_leave_locks(machine, cpu);
	task = &machine->task[cpu->current];
	task->calls++;
	if (machine_wants(machine, INTERVAL_SYSCALL))
		call_open(machine, cpu->current, event);
	if (!machine->syscalls->is_known)
		return;
	call = call_of(machine, event->syscall.number);
	task->call = (uint8_t)call;
	task->is_in_futex = call == CALL_FUTEX;
	task->futex = event->syscall.argument;
	task->waits_for_work = call_is_for_work(call);
}

static void on_syscall_exit(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	struct task_state *task;

	if (cpu->level != LEVEL_TASK || cpu->current == LINE_NONE)
		return;
	cpu_leave_locks(machine, cpu);
	if (machine_wants(machine, INTERVAL_SYSCALL))
		call_tell(machine, cpu->current, event, machine->now);
	task = &machine->task[cpu->current];
	task->calls++;
	task->call = CALL_NONE;
	task->is_in_futex = false;
	task->waits_for_work = false;
}

static void syscalls_begin(struct machine *machine)
{
	const char *arch = machine->setup.source->arch;

	machine->syscalls = xcalloc(1, sizeof(*machine->syscalls));
	for (size_t i = 0; arch && i < ARRAY_SIZE(calls); i++) {
		if (strncmp(arch, calls[i].arch, strlen(calls[i].arch)) != 0)
			continue;
		machine->syscalls->is_known = true;
		for (const int16_t *number = calls[i].number;
		     number < calls[i].number + NUMBERS_MAX && *number; number++)
			machine->syscalls->call[*number] = calls[i].call;
	}
}

static void syscalls_forget(struct machine *machine)
{
	machine->syscalls->open_count = 0;
	for (size_t line = 0; line < machine->timeline->line_count; line++) {
		machine->task[line].waits_for_work = false;
		machine->task[line].call = CALL_NONE;
	}
}

static void syscalls_end(struct machine *machine)
{
	free(machine->syscalls->open);
	free(machine->syscalls);
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
	.close = syscalls_close,
	.forget = syscalls_forget,
	.end = syscalls_end,
};
