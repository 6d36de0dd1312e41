/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "death.h"

#include <string.h>
#include <sys/wait.h>

#include "base/array.h"
#include "recorded_signal.h"

/* A signal that ends a process kills it at once: what comes later has another reason, such as
   exit_group() of another thread. */
#define AT_ONCE_NS 100000000u
#define HANDLER_DEFAULT 0
#define HANDLER_IGNORE  1

static bool signal_terminates(const char *name)
{
	static const char *const others[] = {
		"SIGCHLD", "SIGCONT", "SIGURG",  "SIGWINCH",
		"SIGSTOP", "SIGTSTP", "SIGTTIN", "SIGTTOU",
	};

	/* real-time signals have no name, and end a process */
	for (size_t i = 0; name && i < ARRAY_SIZE(others); i++)
		if (strcmp(name, others[i]) == 0)
			return false;
	return true;
}

static bool signal_kills(const char *name)
{
	return name && strcmp(name, "SIGKILL") == 0;
}

static struct line_death *process_death(struct machine *machine, uint32_t line)
{
	return &machine->timeline->line[machine_leader(machine, line)].death;
}

static bool task_is_over(const struct machine *machine, uint32_t line)
{
	return machine->task[line].kind == SEGMENT_DEAD || machine->task[line].is_exiting;
}

/* Whether all known threads of the process have ended, so that no signal can kill it any more.
   Costs nothing while the first thread lives; after that the search succeeds once and is
   remembered. */
static bool process_is_over(struct machine *machine, uint32_t line)
{
	uint32_t leader = machine_leader(machine, line);
	struct line_death *death = &machine->timeline->line[leader].death;

	if (death->is_over || !task_is_over(machine, leader))
		return death->is_over;
	for (uint32_t other = 0; other < machine->timeline->line_count; other++)
		if (timeline_is_one_process(machine->timeline, leader, other) &&
		    !task_is_over(machine, other))
			return false;
	return death->is_over = true;
}

static void death_set(struct machine *machine, struct line_death *death, enum death_kind kind,
                      int64_t number, uint32_t by)
{
	const char *name = kind == DEATH_STATUS ? NULL : signal_text(machine, number);

	*death = (struct line_death){
		.at = machine->now,
		.by = by,
		.name = name ? intern_adds(&machine->timeline->names, name) : 0,
		.number = (int32_t)number,
		.kind = (uint8_t)kind,
	};
}

/* Whether the cause of the end is recorded already: later events did not cause it. */
static bool death_is_known(const struct line_death *death)
{
	return death->kind == DEATH_STATUS || death->kind == DEATH_SIGNAL;
}

void death_note_signal(struct machine *machine, const struct cpu *cpu, const struct event *event)
{
	struct line_death *death;
	const char *name;
	uint32_t line;

	name = signal_text(machine, event->signal.number);
	if (event->signal.tid <= 0 || !signal_terminates(name))
		return;
	line = machine_find_line(machine, cpu, event->signal.tid);
	if (line == LINE_NONE)
		return;
	death = process_death(machine, line);
	if (!death_is_known(death) && !process_is_over(machine, line))
		death_set(machine, death, signal_kills(name) ? DEATH_SIGNAL : DEATH_ASKED,
		          event->signal.number, cpu_doer(cpu));
}

void on_death_signal(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	const char *name = signal_text(machine, event->signal.number);
	struct line_death *death;
	bool is_it;

	if (!cpu_is_in_task(cpu))
		return;
	death = process_death(machine, cpu->current);
	is_it = death->kind == DEATH_ASKED && death->number == event->signal.number;
	if (event->signal.handler != HANDLER_DEFAULT && !signal_kills(name)) {
		if (is_it)
			death->kind = DEATH_UNKNOWN;
		return;
	}
	if (death_is_known(death) || !signal_terminates(name))
		return;
	if (!signal_kills(name))
		death_set(machine, death, DEATH_SIGNAL, event->signal.number,
		          is_it ? death->by : LINE_NONE);
	else if (death->kind == DEATH_ASKED && machine->now - death->at <= AT_ONCE_NS)
		death->kind = DEATH_SIGNAL;
}

void on_death_oom(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	uint32_t line = machine_find_line(machine, cpu, event->process.tid);
	struct line_death *death;

	if (line == LINE_NONE || event->process.tid <= 0)
		return;
	death = process_death(machine, line);
	if (death->kind != DEATH_SIGNAL)
		death_set(machine, death, DEATH_SIGNAL,
		          signal_number(machine, "SIGKILL"), cpu_doer(cpu));
	death->is_oom = true;
}

/* A task that was sent SIGKILL before does not get so far. */
void death_note_exit(struct machine *machine, uint32_t line, int64_t status)
{
	struct line_death *death = process_death(machine, line);

	if (!death_is_known(death))
		death_set(machine, death, DEATH_STATUS, status & 0xff, LINE_NONE);
}

void death_close(struct machine *machine)
{
	const struct source *source = machine->setup.source;
	int status = source->command_status;

	for (uint32_t i = 0; source->has_command_status && i < machine->timeline->line_count; i++) {
		struct line *line = &machine->timeline->line[i];
		struct line_death *death = &line->death;

		if (!line->is_command || line->tid != source->command_pid)
			continue;
		if (WIFEXITED(status))
			death_set(machine, death, DEATH_STATUS, WEXITSTATUS(status), LINE_NONE);
		else if (WIFSIGNALED(status) && death->kind != DEATH_UNKNOWN &&
		         death->number == WTERMSIG(status))
			death->kind = DEATH_SIGNAL;
		else if (WIFSIGNALED(status))
			death_set(machine, death, DEATH_SIGNAL, WTERMSIG(status), LINE_NONE);
	}
}
