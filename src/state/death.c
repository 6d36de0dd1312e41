/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "death.h"

#include <string.h>
#include <sys/wait.h>

#include "answer_tracker.h"
#include "base/data/array.h"
#include "state/locks/futex_waits.h"
#include "recorded_signal.h"
#include "state/core/held_wait.h"
#include "task_call.h"

/* A signal that ends a process kills it at once: what comes later has another reason, such as
   exit_group() of another thread. */
#define AT_ONCE_NS 100000000u
/* The kernel wakes all threads of a process that a signal ends, and then records the signal. */
#define WAKES_NS 10000000u
/* A thread that is woken to end runs so long at most until it finds the SIGKILL. */
#define LAST_RUN_NS 500000u
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

/* Whether the signal asks a program to end, which may handle it and take its time. */
static bool signal_asks(const char *name)
{
	return name && (strcmp(name, "SIGTERM") == 0 || strcmp(name, "SIGINT") == 0 ||
	                strcmp(name, "SIGQUIT") == 0 || strcmp(name, "SIGHUP") == 0);
}

static struct track_death *process_death(struct machine *machine, uint32_t track)
{
	return &machine->timeline->track[machine_leader(machine, track)].death;
}

static bool task_is_over(const struct machine *machine, uint32_t track)
{
	return machine->task[track].kind == SEGMENT_DEAD || machine->task[track].is_exiting;
}

/* Whether all known threads of the process have ended, so that no signal can kill it any more.
   Costs nothing while the first thread lives; after that the search succeeds once and is
   remembered. */
static bool process_is_over(struct machine *machine, uint32_t track)
{
	uint32_t leader = machine_leader(machine, track);
	struct track_death *death = &machine->timeline->track[leader].death;

	if (death->is_over || !task_is_over(machine, leader))
		return death->is_over;
	for (uint32_t other = 0; other < machine->track_end; other++)
		if (timeline_is_one_process(machine->timeline, leader, other) &&
		    !task_is_over(machine, other))
			return false;
	return death->is_over = true;
}

static void death_set(struct machine *machine, struct track_death *death, enum death_kind kind,
                      int64_t number, uint32_t by)
{
	const char *name = kind == DEATH_STATUS ? NULL : signal_text(machine, number);

	*death = (struct track_death){
		.at = machine->now,
		.by = by,
		.name = name ? intern_adds(&machine->timeline->names, name) : 0,
		.number = (int32_t)number,
		.kind = (uint8_t)kind,
	};
}

/* Whether the cause of the end is recorded already: later events did not cause it. */
static bool death_is_known(const struct track_death *death)
{
	return death->kind == DEATH_STATUS || death->kind == DEATH_SIGNAL;
}

static void note_ask(struct machine *machine, uint32_t leader, uint32_t by)
{
	struct track *track = &machine->timeline->track[leader];

	if (track->ask.by == TRACK_NONE && by != TRACK_NONE && track->parent != TRACK_NONE &&
	    timeline_is_one_process(machine->timeline, track->parent, by))
		track->ask = (struct track_ask){machine->now, by};
}

void death_note_signal(struct machine *machine, const struct cpu *cpu, const struct event *event)
{
	struct track_death *death;
	const char *name;
	uint32_t track;

	name = signal_text(machine, event->signal.number);
	if (event->signal.tid <= 0 || !signal_terminates(name))
		return;
	track = machine_find_track(machine, cpu, event->signal.tid);
	if (track == TRACK_NONE)
		return;
	death = process_death(machine, track);
	if (signal_asks(name) && !process_is_over(machine, track))
		note_ask(machine, machine_leader(machine, track), cpu_doer(cpu));
	if (!death_is_known(death) && !process_is_over(machine, track))
		death_set(machine, death, signal_kills(name) ? DEATH_SIGNAL : DEATH_ASKED,
		          event->signal.number, cpu_doer(cpu));
}

/* Whether that task woke a thread of its own process because it ended the process, or executes a
   program. */
static bool waker_ends_siblings(const struct machine *machine, const struct track_death *death,
                                uint32_t waker, nsec_t woken)
{
	const struct task_state *task = &machine->task[waker];

	if (death->kind == DEATH_STATUS)
		return death->at <= woken;
	/* who sends SIGKILL wakes all threads; for other signals the one that takes it may do so */
	if (death->kind == DEATH_SIGNAL)
		return death->at <= woken && death->number != signal_number(machine, "SIGKILL");
	return syscall_may_execute(machine, waker, woken) &&
	       !(task->kind == SEGMENT_WAIT && task->detail != 'D');
}

/* Causes of a wake-up by a task, or in an interrupt of which nothing is known: it may be a
   signal's. */
#define SIGNAL_CAUSES                                                                         \
	(1u << CAUSE_TASK | 1u << CAUSE_LOCK | 1u << CAUSE_SIGNAL | 1u << CAUSE_TIMER |       \
	 1u << CAUSE_IRQ | 1u << CAUSE_SOFTIRQ | 1u << CAUSE_INTERRUPT)

/* Whether the wake-up was one of those that end the thread's process, as far as the waker shows. */
static bool wake_is_of_end(struct machine *machine, uint32_t track, const struct held_wait *held)
{
	const struct track_death *death = process_death(machine, track);
	const struct cause_note *cause = &held->cause;
	nsec_t woken = held->span.end;

	if (!(SIGNAL_CAUSES & 1u << cause->kind) || cause_note_is_own_timer(cause))
		return false;
	/* in state D most sleeps end by what they were for, and the signal is found later */
	if ((held->span.detail & 0x7f) == 'S' && syscall_is_cut(machine, track))
		return true;
	if ((death->kind == DEATH_ASKED || death->kind == DEATH_SIGNAL) &&
	    death->by == cause->waker && death->at + WAKES_NS >= woken &&
	    woken + WAKES_NS >= death->at)
		return true;
	return timeline_is_one_process(machine->timeline, track, cause->waker) &&
	       waker_ends_siblings(machine, death, cause->waker, woken);
}

/* How long the thread has run since the wait. */
static nsec_t run_since(const struct machine *machine, const struct task_state *task)
{
	nsec_t time = machine->now - task->since;

	for (size_t i = 0; i < task->held->after_count; i++)
		if (task->held->after[i].kind == SEGMENT_RUN)
			time += task->held->after[i].end - task->held->after[i].begin;
	return time;
}

/*
 * A thread that is to end finds SIGKILL, which the kernel sends it without a signal_generate. If it
 * slept, that ended its wait, and the waker was who ended its process, or executes a program; if it
 * ran, nothing did.
 */
static void death_end_wait(struct machine *machine, uint32_t track, int64_t number)
{
	struct task_state *task = &machine->task[track];
	struct held_wait *held = task->held;

	/* the first thread's wait was ended by a signal to the process itself */
	if (!held || held->after_count == 0 || task->kind != SEGMENT_RUN ||
	    (held->cause.kind == CAUSE_SIGNAL && machine_leader(machine, track) == track) ||
	    run_since(machine, task) > LAST_RUN_NS || !wake_is_of_end(machine, track, held))
		return;
	if (held->cause.kind != CAUSE_SIGNAL) {
		cause_note_become(&held->cause, CAUSE_SIGNAL);
		held->cause.originator = TRACK_NONE;
		answer_note_signal(machine, track);
		futex_note_death(machine, track, held->span.end);
	}
	held->cause.as.signal.number = (int32_t)number;
	held->cause.as.signal.is_end = true;
	held->cause.name =
		intern_adds(&machine->timeline->names, signal_text(machine, number));
}

void death_note_gone(struct machine *machine, uint32_t track)
{
	if (!(machine->awake & TRACKER_BIT(SIGNAL)) && syscall_count(machine, track))
		death_end_wait(machine, track, signal_number(machine, "SIGKILL"));
}

void on_death_signal(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	const char *name = signal_text(machine, event->signal.number);
	struct track_death *death;
	bool is_it;

	if (!cpu_is_in_task(cpu))
		return;
	death = process_death(machine, cpu->current);
	if (signal_kills(name)) {
		death->is_found = true;
		death_end_wait(machine, cpu->current, event->signal.number);
	}
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
		          is_it ? death->by : TRACK_NONE);
	else if (death->kind == DEATH_ASKED && machine->now - death->at <= AT_ONCE_NS)
		death->kind = DEATH_SIGNAL;
}

void on_death_oom(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	uint32_t track = machine_find_track(machine, cpu, event->process.tid);
	struct track_death *death;

	if (track == TRACK_NONE || event->process.tid <= 0)
		return;
	death = process_death(machine, track);
	if (death->kind != DEATH_SIGNAL)
		death_set(machine, death, DEATH_SIGNAL,
		          signal_number(machine, "SIGKILL"), cpu_doer(cpu));
	death->is_oom = true;
}

/* A task that was sent SIGKILL before does not get so far. */
void death_note_exit(struct machine *machine, uint32_t track, int64_t status)
{
	struct track_death *death = process_death(machine, track);

	if (!death_is_known(death))
		death_set(machine, death, DEATH_STATUS, status & 0xff, TRACK_NONE);
}

void death_close(struct machine *machine)
{
	const struct source *source = machine->setup.source;
	int status = source->command_status;

	for (uint32_t i = 0; source->has_command_status && i < machine->track_end; i++) {
		struct track *track = &machine->timeline->track[i];
		struct track_death *death = &track->death;

		if (!track->is_command || !machine_owns(machine, i) ||
		    track->tid != source->command_pid)
			continue;
		if (WIFEXITED(status))
			death_set(machine, death, DEATH_STATUS, WEXITSTATUS(status), TRACK_NONE);
		else if (WIFSIGNALED(status) && death->kind != DEATH_UNKNOWN &&
		         death->number == WTERMSIG(status))
			death->kind = DEATH_SIGNAL;
		else if (WIFSIGNALED(status))
			death_set(machine, death, DEATH_SIGNAL, WTERMSIG(status), TRACK_NONE);
	}
}
