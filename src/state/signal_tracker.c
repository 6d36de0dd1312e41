/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Signals: a wake-up by the same task directly before or after the generation of one is the
 * signal's. Kernels differ in which of the two they record first; once a kernel was seen to record
 * the wake-up first, a generation explains no later one. The woken thread may be another thread of
 * the process than the one that the signal was meant for. SIGCONT continues a stopped task even
 * where the signal itself is ignored or blocked.
 *
 * The task that stopped another is reported beside what continued it. A stop signal is recorded
 * once, for one thread, and stops all of the process until SIGCONT. A tracer causes its own stops
 * ('t'), but SIGSTOP leads there, too, once: it is how a debugger attaches.
 */
#include "recorded_signal.h"

#include <string.h>

#include "answer_tracker.h"
#include "base/data/array.h"
#include "connect_tracker.h"
#include "death.h"
#include "state/locks/futex_waits.h"
#include "request_tracker.h"
#include "sleep_call.h"
#include "state/core/task_spans.h"
#include "timer_tracker.h"

/* Events of one CPU between a wake-up and the generation of its signal: the sched_wakeup, a
   migration, a call to another CPU. */
#define SIGNAL_EVENTS_MAX 6

/* A signal that stops tasks and its sender, as a map's value. */
#define SENDER_BITS 22

/* NOLINTNEXTLINE: the two happen to be written alike */
_Static_assert(TRACKS_MAX <= 1u << SENDER_BITS, "a track fits beside the number of a signal");

struct signals {
	struct map sent;  /* by leader's track: the signal that is to stop the process, or stops
	                     it */
	bool comes_after_wake; /* this kernel records a signal after its wake-up */
};

/* The signal with which a task's present or last stop began. */
struct begun_stop {
	uint32_t signal; /* as in `sent` */
};

/* Per CPU: the last signal_generate. */
struct cpu_signal {
	int32_t number;
	int64_t tid;
	uint64_t at; /* event_count then; 0: none */
};

static struct signals *signals_of(const struct machine *machine)
{
	return machine->own[TRACKER_SIGNAL];
}

/* The beginning of the task's stop; NULL: no signal is known that stopped it. */
static struct begun_stop *task_begun_stop(const struct machine *machine, uint32_t track)
{
	return tracker_task(machine, TRACKER_SIGNAL, track);
}

static uint32_t signal_name_id(const struct machine *machine, int64_t number)
{
	const char *name = signal_text(machine, number);

	return name ? intern_adds(&machine->timeline->names, name) : 0;
}

static bool signal_is(const struct machine *machine, int64_t number, const char *name)
{
	const char *text = signal_text(machine, number);

	return text && strcmp(text, name) == 0;
}

static bool signal_ends_stop(const struct machine *machine, int64_t number)
{
	const char *text = signal_text(machine, number);

	return text && (strcmp(text, "SIGCONT") == 0 || strcmp(text, "SIGKILL") == 0);
}

static bool signal_stops(const struct machine *machine, int64_t number)
{
	return signal_is(machine, number, "SIGSTOP") || signal_is(machine, number, "SIGTSTP") ||
	       signal_is(machine, number, "SIGTTIN") || signal_is(machine, number, "SIGTTOU");
}

/* Remembers a stop signal, until one that ends all stops. */
static void stops_note_signal(struct machine *machine, const struct cpu *cpu,
                              const struct event *event)
{
	uint32_t track = event->signal.tid > 0 ? machine_find_track(machine, cpu, event->signal.tid)
	                                       : TRACK_NONE;
	uint32_t sender = cpu_doer(cpu);

	if (track == TRACK_NONE)
		return;
	track = machine_leader(machine, track);
	if (signal_ends_stop(machine, event->signal.number))
		(void)map_take(&signals_of(machine)->sent, track);
	else if (event->signal.result == 0 && sender != TRACK_NONE &&
	         signal_stops(machine, event->signal.number))
		map_put(&signals_of(machine)->sent, track,
		        (uint32_t)event->signal.number << SENDER_BITS | sender);
}

static void signal_stop(struct machine *machine, uint32_t track)
{
	struct signals *signals = signals_of(machine);
	uint32_t process = machine_leader(machine, track);
	uint32_t sent = map_get(&signals->sent, process);
	bool is_traced = machine->task[track].detail == 't';

	/* a tracer may have caught any signal but SIGSTOP */
	if (is_traced && sent != MAP_NONE && !signal_is(machine, sent >> SENDER_BITS, "SIGSTOP"))
		sent = MAP_NONE;
	if (sent == MAP_NONE) {
		tracker_drop_task(machine, TRACKER_SIGNAL, track);
		return;
	}
	((struct begun_stop *)tracker_keep_task(machine, TRACKER_SIGNAL, track))->signal = sent;
	if (is_traced)
		(void)map_take(&signals->sent, process);
}

/* Whether the signal ends a wait, or a stop, as `kind` says. */
static bool signal_ends(const struct machine *machine, const struct event *event,
                        enum segment_kind kind)
{
	if (kind == SEGMENT_STOPPED)
		return signal_ends_stop(machine, event->signal.number);
	/* an ignored one, such as SIGCHLD, wakes no task: what follows has another cause */
	return event->signal.result == 0;
}

/* Whether the signal is for the woken task, or may be for another thread of the process. */
static bool signal_is_for(const struct machine *machine, const struct cpu *cpu, uint32_t woken,
                          int64_t tid)
{
	const struct track *track = &machine->timeline->track[woken];
	uint32_t meant = machine_find_track(machine, cpu, tid);
	int32_t tgid = meant == TRACK_NONE ? -1 : machine->timeline->track[meant].tgid;

	if (track->tid == tid || tid == 0 || track->tgid == tid)
		return true;
	return track->tgid < 0 || tgid < 0 ? track->tgid < 0 && tgid < 0 : track->tgid == tgid;
}

/* Whether the recorded cause of a wait's end can still be replaced by a signal right after it. */
static bool cause_may_be_signal(const struct cpu *cpu, const struct cause_note *cause)
{
	return cpu_is_in_task(cpu)
	               ? cause->kind == CAUSE_TASK && cause->waker == cpu->current
	               : cpu->level != LEVEL_TASK && sleep_is_by_call(cause);
}

/* The wait that was ended just before, if this signal may have ended it; else NULL. */
static struct cause_note *signal_find_wait(const struct machine *machine, const struct cpu *cpu,
                                           const struct event *event)
{
	struct held_wait *held;

	if (cpu->woken == TRACK_NONE || cpu->woken_at + SIGNAL_EVENTS_MAX < cpu->event_count ||
	    !signal_is_for(machine, cpu, cpu->woken, event->signal.tid))
		return NULL;
	held = machine->task[cpu->woken].held;
	if (!held || held->after_count || !cause_may_be_signal(cpu, &held->cause) ||
	    !signal_ends(machine, event, held->span.kind))
		return NULL;
	return &held->cause;
}

/* `woken`: what it woke was in that state; SEGMENT_DEAD: nothing. */
static void signal_emit(struct machine *machine, struct cpu *cpu, const struct event *event,
                        enum segment_kind woken)
{
	struct interval interval = {
		.kind = INTERVAL_SIGNAL,
		.cpu = event->cpu,
		.begin = machine->now,
		.end = machine->now,
		.phase = {NSEC_NEVER, NSEC_NEVER},
		.task = cpu_doer(cpu),
		.other = event->signal.tid > 0
		                 ? machine_track(machine, cpu, event->signal.tid)
		                 : TRACK_NONE,
		.signal = {
			.number = (int32_t)event->signal.number,
			.name = signal_name_id(machine, event->signal.number),
			.result = event->signal.result,
			.has_woken = woken != SEGMENT_DEAD,
			.has_ended_stop = woken == SEGMENT_STOPPED,
		},
	};

	if (interval.other != TRACK_NONE)
		machine_emit_interval(machine, &interval);
}

static void on_signal_generate(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	struct cpu_signal *last = tracker_cpu(machine, cpu, TRACKER_SIGNAL);
	/* SIGCHLD of a task that ends: its parent waited for that end, not for a signal */
	bool is_of_end = cpu_is_in_task(cpu) && machine->task[cpu->current].is_exiting &&
	                 signal_is(machine, event->signal.number, "SIGCHLD");
	struct cause_note *cause = is_of_end ? NULL : signal_find_wait(machine, cpu, event);

	if (cpu->level != LEVEL_TASK)
		timer_note_signal(machine, cpu);
	if (machine_wants(machine, INTERVAL_SIGNAL))
		signal_emit(machine, cpu, event,
		            cause ? machine->task[cpu->woken].held->span.kind : SEGMENT_DEAD);
	stops_note_signal(machine, cpu, event);
	if (event->signal.result == 0)
		death_note_signal(machine, cpu, event);
	if (cause) {
		cause_note_become(cause, CAUSE_SIGNAL);
		cause->as.signal.number = (int32_t)event->signal.number;
		cause->name = signal_name_id(machine, event->signal.number);
		answer_note_signal(machine, cpu->woken);
		futex_note_signal(machine, cpu->woken);
		request_note_signal(machine, cpu->woken);
		connect_note_signal(machine, cpu->woken);
		cpu->woken = TRACK_NONE;
		signals_of(machine)->comes_after_wake = true;
	} else if (!is_of_end && event->signal.result == 0 && cpu_is_in_task(cpu)) {
		*last = (struct cpu_signal){(int32_t)event->signal.number, event->signal.tid,
		                            cpu->event_count};
		cpu->explainers |= TRACKER_BIT(SIGNAL);
	}
}

static bool signal_explain(const struct machine *machine, const struct wake *wake,
                           struct cause_note *ret)
{
	struct cpu *cpu = wake->cpu;
	const struct cpu_signal *last = tracker_cpu(machine, cpu, TRACKER_SIGNAL);

	if (last->at + 1 != cpu->event_count || last->at == 0) {
		cpu->explainers &= ~TRACKER_BIT(SIGNAL);
		return false;
	}
	if (signals_of(machine)->comes_after_wake || cpu->current == cpu->idle ||
	    wake->wakee == TRACK_NONE ||
	    !signal_is_for(machine, cpu, wake->wakee, last->tid) ||
	    (machine->task[wake->wakee].kind == SEGMENT_STOPPED &&
	     !signal_ends_stop(machine, last->number)))
		return false;
	cause_note_init(ret, CAUSE_SIGNAL, CONFIDENCE_HIGH);
	ret->as.signal.number = last->number;
	ret->name = signal_name_id(machine, last->number);
	ret->waker = cpu->current;
	ret->is_walked = true;
	return true;
}

/* Adds the task that had stopped the sleeper to the cause of its continuation. */
static void signal_refine(const struct machine *machine, const struct wake *wake,
                          struct cause_note *cause)
{
	const struct begun_stop *stop = task_begun_stop(machine, wake->wakee);

	if (machine->task[wake->wakee].kind == SEGMENT_STOPPED && stop &&
	    cause->originator == TRACK_NONE)
		cause->originator = stop->signal & ((1u << SENDER_BITS) - 1);
}

static bool signal_explain_stop(const struct machine *machine, uint32_t track,
                                struct cause_note *ret)
{
	const struct begun_stop *stop = task_begun_stop(machine, track);

	if (!stop)
		return false;
	cause_note_init(ret, CAUSE_SIGNAL, CONFIDENCE_HIGH);
	ret->as.signal.number = (int32_t)(stop->signal >> SENDER_BITS);
	ret->name = signal_name_id(machine, ret->as.signal.number);
	ret->waker = stop->signal & ((1u << SENDER_BITS) - 1);
	return true;
}

static void signals_begin(struct machine *machine)
{
	struct signals *signals = signals_of(machine);

	map_init(&signals->sent);
}

static void signals_forget_cpu(struct machine *machine, struct cpu *cpu)
{
	((struct cpu_signal *)tracker_cpu(machine, cpu, TRACKER_SIGNAL))->at = 0;
}

/* A stop may have ended, and another begun, among the lost events. */
static void signals_forget(struct machine *machine)
{
	map_clear(&signals_of(machine)->sent);
	tracker_drop_tasks(machine, TRACKER_SIGNAL);
}

static void signals_end(struct machine *machine)
{
	map_release(&signals_of(machine)->sent);
}

static const struct handler_row signal_handlers[] = {
	{EVENT_SIGNAL_GENERATE, on_signal_generate},
	{EVENT_SIGNAL_DELIVER, on_death_signal},
	{EVENT_OOM_VICTIM, on_death_oom},
};

static void signals_close(struct machine *machine, nsec_t end)
{
	(void)end;
	death_close(machine);
}

const struct tracker signal_tracker = {
	.name = "signal",
	.handlers = signal_handlers,
	.handler_count = ARRAY_SIZE(signal_handlers),
	.own_bytes = sizeof(struct signals),
	.task_bytes = sizeof(struct begun_stop),
	.cpu_bytes = sizeof(struct cpu_signal),
	.stop = signal_stop,
	.explain_stop = signal_explain_stop,
	.begin = signals_begin,
	.close = signals_close,
	.forget_cpu = signals_forget_cpu,
	.forget = signals_forget,
	.end = signals_end,
	.explain = signal_explain,
	.explains = IN_TASK,
	.explains_marked = true,
	.refine = signal_refine,
	.refines_kept = true,
	.refines_unwoken = true,
};
