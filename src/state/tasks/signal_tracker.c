/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Signals: a wake-up by the same task directly before or after the generation of one is the
 * signal's. Kernels differ in which of the two they record first; once a kernel was seen to record
 * the wake-up first, a generation explains no later one. The woken thread may be another thread of
 * the process than the one that the signal was meant for. SIGCONT continues a stopped task even
 * where the signal itself is ignored or blocked.
 *
 * A signal that ends a wait and is not delivered was taken by the task itself, as in sigwait(): the
 * wait was for it. Where calls or stacks were recorded they show that.
 *
 * The task that stopped another is reported beside what continued it. A stop signal is recorded
 * once, for one thread, and stops all of the process until SIGCONT. A tracer causes its own stops
 * ('t'), but SIGSTOP leads there, too, once: it is how a debugger attaches.
 */
#include <limits.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>

#include "base/data/array.h"
#include "ftwait/aim.h"
#include "graph/timeline/timeline_tasks.h"
#include "state/core/held_wait.h"
#include "state/locks/futex_waits.h"
#include "state/trackers.h"
#include "task_call.h"
#include "words/cause/purpose.h"
#include "words/kernel/kernel_numbers.h"

/*
 * Why each process ended: track_death of the timeline's tracks. sched_process_exit carries no
 * reason, so it is derived: SIGKILL ends its target. Any other signal that is not caught is
 * delivered with its default action or, if that dumps no core, makes the kernel send SIGKILL to all
 * threads without a signal_generate. The OOM killer marks its victim right after it has sent
 * SIGKILL. The exit status comes from exit_group(), that of COMMAND from the recorder. A signal to
 * a zombie ends nothing.
 *
 * And which waits that ended. exit_group(), execve() and a core dump make the kernel send SIGKILL
 * to the other threads, too. When a thread has taken it, and has run nothing since its last wait
 * but its way there, and its waker was the task that ended the process or executes a program, then
 * that ended the wait, and the waker had nothing that the thread waited for.
 */

/* The numbers of signals are those of the recorded machine, which the recording names. SIGKILL has
   the same on all. */

/* "SIGKILL"; NULL: the number has no name. */
static const char *signal_text(const struct machine *machine, int64_t number)
{
	return number > 0 && number < INT_MAX
	               ? signal_name(machine->signals, (int)number)
	               : NULL;
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

/* What some signals do. All others end a process, also real-time ones, which have no name. */
enum signal_trait {
	SIGNAL_SPARES = 1 << 0, /* it ends no process */
	SIGNAL_STOPS = 1 << 1,
	SIGNAL_ENDS_STOP = 1 << 2,
	SIGNAL_ASKS = 1 << 3, /* a program to end, which may handle it and take its time */
};

static unsigned signal_traits(const struct machine *machine, int64_t number)
{
	static const struct {
		const char *name;
		unsigned traits;
	} rows[] = {
		{"SIGKILL", SIGNAL_ENDS_STOP},
		{"SIGTERM", SIGNAL_ASKS},
		{"SIGINT", SIGNAL_ASKS},
		{"SIGQUIT", SIGNAL_ASKS},
		{"SIGHUP", SIGNAL_ASKS},
		{"SIGCHLD", SIGNAL_SPARES},
		{"SIGCONT", SIGNAL_SPARES | SIGNAL_ENDS_STOP},
		{"SIGURG", SIGNAL_SPARES},
		{"SIGWINCH", SIGNAL_SPARES},
		{"SIGSTOP", SIGNAL_SPARES | SIGNAL_STOPS},
		{"SIGTSTP", SIGNAL_SPARES | SIGNAL_STOPS},
		{"SIGTTIN", SIGNAL_SPARES | SIGNAL_STOPS},
		{"SIGTTOU", SIGNAL_SPARES | SIGNAL_STOPS},
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (signal_is(machine, number, rows[i].name))
			return rows[i].traits;
	return 0;
}

/* A signal that ends a process kills it at once: what comes later has another reason, such as
   exit_group() of another thread. */
#define AT_ONCE_NS 100000000u
/* The kernel wakes all threads of a process that a signal ends, and then records the signal. */
#define WAKES_NS 10000000u
/* A thread that is woken to end runs so long at most until it finds the SIGKILL. */
#define LAST_RUN_NS 500000u
#define HANDLER_DEFAULT 0

static struct track_death *process_death(struct machine *machine, uint32_t track)
{
	return &machine->timeline->track[machine_leader(machine, track)].death;
}

/* Whether all known threads of the process have ended, so that no signal can kill it any more.
   Costs nothing while the first thread lives; after that the search succeeds once and is
   remembered. */
static bool process_is_over(struct machine *machine, uint32_t track)
{
	uint32_t leader = machine_leader(machine, track);
	struct track_death *death = &machine->timeline->track[leader].death;

	if (death->is_over || !task_is_over(&machine->task[leader]))
		return death->is_over;
	for (uint32_t other = 0; other < machine->track_end; other++)
		if (timeline_is_one_process(machine->timeline, leader, other) &&
		    !task_is_over(&machine->task[other]))
			return false;
	return death->is_over = true;
}

static void death_set(struct machine *machine, struct track_death *death, enum death_kind kind,
                      int64_t number, uint32_t by)
{
	*death = (struct track_death){
		.at = machine->now,
		.by = by,
		.name = kind == DEATH_STATUS ? 0 : signal_name_id(machine, number),
		.number = (int32_t)number,
		.kind = (uint8_t)kind,
	};
}

/* Whether the cause of the end is recorded already: later events did not cause it. */
static bool death_is_known(const struct track_death *death)
{
	return death->kind == DEATH_STATUS || death->kind == DEATH_SIGNAL;
}

/* The task `by` has sent the track a signal, which was not ignored. */
static void death_note_signal(struct machine *machine, uint32_t track, uint32_t by, int64_t number)
{
	unsigned traits = signal_traits(machine, number);
	struct track *leader;

	if (traits & SIGNAL_SPARES || process_is_over(machine, track))
		return;
	leader = &machine->timeline->track[machine_leader(machine, track)];
	if (traits & SIGNAL_ASKS && leader->ask.by == TRACK_NONE && by != TRACK_NONE &&
	    leader->parent != TRACK_NONE &&
	    timeline_is_one_process(machine->timeline, leader->parent, by))
		leader->ask = (struct track_ask){machine->now, by};
	if (!death_is_known(&leader->death))
		death_set(machine, &leader->death,
		          number == SIGKILL ? DEATH_SIGNAL : DEATH_ASKED, number, by);
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
		return death->at <= woken && death->number != SIGKILL;
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
	/* in state D most sleeps end by what they were for, and the signal is found later; a child
	   that ends sends SIGCHLD */
	if ((held->span.detail & 0x7f) == 'S' && syscall_is_cut(machine, track) &&
	    !cause_note_is_labelled(machine->timeline, cause, "exit"))
		return true;
	if ((death->kind == DEATH_ASKED || death->kind == DEATH_SIGNAL) &&
	    death->by == cause->waker && death->at + WAKES_NS >= woken &&
	    woken + WAKES_NS >= death->at)
		return true;
	return timeline_is_one_process(machine->timeline, track, cause->waker) &&
	       waker_ends_siblings(machine, death, cause->waker, woken);
}

static nsec_t run_since(const struct machine *machine, const struct task_state *task)
{
	nsec_t time = machine->now - task->since;

	for (size_t i = 0; i < task->held->after_count; i++)
		if (task->held->after[i].kind == SEGMENT_RUN)
			time += task->held->after[i].end - task->held->after[i].begin;
	return time;
}

/* A first thread that sleeps until its process ends sleeps for the only one that it has begun, and
   not for the one that ends all, as the launcher of a Java VM does. */
static void death_note_awaited(struct machine *machine, uint32_t track)
{
	const struct held_wait *held = machine->task[track].held;
	const struct span *span = &held->span;
	uint32_t thread = machine->timeline->track[track].thread;
	const struct track *begun;
	struct cause_note cause;

	/* the end of a thread is slept for without a limit, and at a futex */
	if (machine_leader(machine, track) != track || thread == TRACK_NONE || thread == track ||
	    span->timeout != TIMEOUT_NONE ||
	    (held->cause.purpose != PURPOSE_NONE && held->cause.purpose != PURPOSE_FUTEX))
		return;
	begun = &machine->timeline->track[thread];
	if (begun->born > span->begin ||
	    (machine->task[thread].kind == SEGMENT_DEAD && begun->end < span->end))
		return;
	cause_note_by_task(&cause, CONFIDENCE_MEDIUM, thread);
	timeline_add_aim(machine->timeline, track,
	                 &(struct aim_note){span->begin, span->end, CAUSE_NONE, AIM_NONE,
	                                    AIM_DEATH},
	                 &cause);
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
		death_note_awaited(machine, track);
	}
	held->cause.as.signal.number = (int32_t)number;
	held->cause.as.signal.is_end = true;
	machine->timeline->track[track].ends_with_another = true;
	held->cause.name = signal_name_id(machine, number);
}

void death_note_gone(struct machine *machine, uint32_t track)
{
	if (!(machine->hooks.awake & TRACKER_BIT(SIGNAL)) && syscall_count(machine, track))
		death_end_wait(machine, track, SIGKILL);
}

static void on_signal_deliver(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	int64_t number = event->signal.number;
	bool is_kill = number == SIGKILL, is_it;
	struct track_death *death;

	if (!cpu_is_in_task(cpu))
		return;
	sleep_note_not_taken(machine, cpu->current);
	death = process_death(machine, cpu->current);
	if (is_kill) {
		death->is_found = machine->timeline->track[cpu->current].is_killed = true;
		death_end_wait(machine, cpu->current, number);
	}
	is_it = death->kind == DEATH_ASKED && death->number == number;
	if (event->signal.handler != HANDLER_DEFAULT && !is_kill) {
		if (is_it)
			death->kind = DEATH_UNKNOWN;
		return;
	}
	if (death_is_known(death) || signal_traits(machine, number) & SIGNAL_SPARES)
		return;
	if (!is_kill)
		death_set(machine, death, DEATH_SIGNAL, number, is_it ? death->by : TRACK_NONE);
	else if (death->kind == DEATH_ASKED && machine->now - death->at <= AT_ONCE_NS)
		death->kind = DEATH_SIGNAL;
}

static void on_death_oom(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	uint32_t track = machine_find_track(machine, cpu, event->process.tid);
	struct track_death *death;

	if (track == TRACK_NONE || event->process.tid <= 0)
		return;
	death = process_death(machine, track);
	if (death->kind != DEATH_SIGNAL)
		death_set(machine, death, DEATH_SIGNAL, SIGKILL, cpu_doer(cpu));
	death->is_oom = true;
}

/* A task that was sent SIGKILL before does not get so far. */
void death_note_exit(struct machine *machine, uint32_t track, int64_t status)
{
	struct track_death *death = process_death(machine, track);

	if (!death_is_known(death))
		death_set(machine, death, DEATH_STATUS, status & 0xff, TRACK_NONE);
}

static void death_close(struct machine *machine, nsec_t end)
{
	const struct recording_notes *notes = &machine->setup.source->notes;
	int status = notes->command.status;

	(void)end;
	if (!notes->command.has_status)
		return;
	MACHINE_TRACK_EACH(machine, i) {
		struct track *track = &machine->timeline->track[i];
		struct track_death *death = &track->death;

		if (!track->is_command || track->tid != notes->command.pid)
			continue;
		/* its call may have said the same, when it ended */
		if (WIFEXITED(status) && death->kind != DEATH_STATUS)
			death_set(machine, death, DEATH_STATUS, WEXITSTATUS(status), TRACK_NONE);
		else if (WIFSIGNALED(status) && death->kind != DEATH_UNKNOWN &&
		         death->number == WTERMSIG(status))
			death->kind = DEATH_SIGNAL;
		else if (WIFSIGNALED(status))
			death_set(machine, death, DEATH_SIGNAL, WTERMSIG(status), TRACK_NONE);
	}
}

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

/* Per CPU: the last signal_generate. */
struct cpu_signal {
	int32_t number;
	int64_t tid;
	uint64_t at; /* event_count then; 0: none */
};

OWN_DATA(signals_of, struct signals, SIGNAL)

/* The signal that began the task's present or last stop, as in `sent`; NULL: none is known. */
TASK_DATA(task_begun_stop, uint32_t, SIGNAL)

/* Remembers a stop signal, until one that ends all stops. */
static void stops_note_signal(struct machine *machine, uint32_t track, uint32_t sender,
                              const struct event *event)
{
	unsigned traits = signal_traits(machine, event->signal.number);
	uint32_t process = machine_leader(machine, track);

	if (traits & SIGNAL_ENDS_STOP)
		(void)map_take(&signals_of(machine)->sent, process);
	else if (event->signal.result == 0 && sender != TRACK_NONE && traits & SIGNAL_STOPS)
		map_put(&signals_of(machine)->sent, process,
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
	*(uint32_t *)tracker_keep_task(machine, TRACKER_SIGNAL, track) = sent;
	if (is_traced)
		(void)map_take(&signals->sent, process);
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

/* A signal ended the track's wait, or its stop, as `kind` says, at that place if any is known.
   Until it is delivered the task is taken to wait for it; but a stopped task waits for nothing. Who
   asks a task to end, if it is no child, is no reason for the time before. */
static void cause_become_signal(const struct machine *machine, uint32_t track, int64_t number,
                                enum segment_kind kind, uint32_t frames,
                                struct cause_note *cause)
{
	cause_note_become(cause, CAUSE_SIGNAL);
	cause->as.signal.number = (int32_t)number;
	cause->name = signal_name_id(machine, number);
	if (signal_traits(machine, number) & SIGNAL_ASKS && cause->is_walked &&
	    !timeline_is_one_process(machine->timeline, track, cause->waker) &&
	    !timeline_descends(machine->timeline, cause->waker, track))
		cause->is_walked = false;
	if (machine->setup.has_deaths && kind != SEGMENT_STOPPED &&
	    !syscall_count(machine, track) && !frames && number != SIGKILL)
		cause->purpose = PURPOSE_SIGWAIT;
}

/* The wait that was ended just before, if this signal may have ended it; else NULL. */
static struct cause_note *signal_find_wait(const struct machine *machine, const struct cpu *cpu,
                                           const struct event *event)
{
	struct held_wait *held;
	struct cause_note *cause;
	bool may_be_signal;

	if (cpu->woken == TRACK_NONE || cpu->woken_at + SIGNAL_EVENTS_MAX < cpu->event_count ||
	    !signal_is_for(machine, cpu, cpu->woken, event->signal.tid))
		return NULL;
	held = machine->task[cpu->woken].held;
	if (!held || held->after_count)
		return NULL;
	cause = &held->cause;
	may_be_signal = cpu_is_in_task(cpu)
	                        ? cause->kind == CAUSE_TASK && cause->waker == cpu->current
	                        : cpu->level != LEVEL_TASK && sleep_is_by_call(cause);
	if (may_be_signal && held->span.kind == SEGMENT_STOPPED)
		may_be_signal = signal_traits(machine, event->signal.number) & SIGNAL_ENDS_STOP;
	else if (event->signal.result != 0)
		/* an ignored one, such as SIGCHLD, wakes no task: what follows has another cause */
		may_be_signal = false;
	return may_be_signal ? cause : NULL;
}

/* `woken`: what it woke was in that state; SEGMENT_DEAD: nothing. */
static void signal_emit(struct machine *machine, struct cpu *cpu, const struct event *event,
                        enum segment_kind woken)
{
	struct interval interval = interval_of(INTERVAL_SIGNAL, event->cpu, cpu_doer(cpu),
	                                       machine->now, machine->now);

	if (event->signal.tid > 0)
		interval.other = machine_track(machine, cpu, event->signal.tid);
	interval.signal = (struct signal_interval){
		.number = (int32_t)event->signal.number,
		.name = signal_name_id(machine, event->signal.number),
		.result = event->signal.result,
		.has_woken = woken != SEGMENT_DEAD,
		.has_ended_stop = woken == SEGMENT_STOPPED,
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
	const struct held_wait *held = cause ? machine->task[cpu->woken].held : NULL;
	uint32_t track = TRACK_NONE;

	if (cpu->level != LEVEL_TASK)
		timer_note_signal(machine, cpu);
	ipi_note_signal(machine, cpu, event->signal.tid);
	if (machine_wants(machine, INTERVAL_SIGNAL))
		signal_emit(machine, cpu, event,
		            held ? held->span.kind : SEGMENT_DEAD);
	if (event->signal.tid > 0)
		track = machine_find_track(machine, cpu, event->signal.tid);
	if (track != TRACK_NONE)
		stops_note_signal(machine, track, cpu_doer(cpu), event);
	if (track != TRACK_NONE && event->signal.result == 0)
		death_note_signal(machine, track, cpu_doer(cpu), event->signal.number);
	if (cause) {
		cause_become_signal(machine, cpu->woken, event->signal.number, held->span.kind,
		                    held->span.place ? held->place.frames : 0, cause);
		answer_note_signal(machine, cpu->woken);
		wait_note_cut(machine, cpu->woken);
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
	     !(signal_traits(machine, last->number) & SIGNAL_ENDS_STOP)))
		return false;
	cause_note_init(ret, CAUSE_SIGNAL, CONFIDENCE_HIGH);
	ret->waker = cpu->current;
	ret->is_walked = true;
	cause_become_signal(machine, wake->wakee, last->number, machine->task[wake->wakee].kind,
	                    task_place(machine, wake->wakee).frames, ret);
	return true;
}

/* Adds the task that had stopped the sleeper to the cause of its continuation. */
static void signal_refine(const struct machine *machine, const struct wake *wake,
                          struct cause_note *cause)
{
	const uint32_t *stop = task_begun_stop(machine, wake->wakee);

	if (machine->task[wake->wakee].kind == SEGMENT_STOPPED && stop &&
	    cause->originator == TRACK_NONE)
		cause->originator = *stop & ((1u << SENDER_BITS) - 1);
}

static bool signal_explain_stop(const struct machine *machine, uint32_t track,
                                struct cause_note *ret)
{
	const uint32_t *stop = task_begun_stop(machine, track);

	if (!stop)
		return false;
	cause_note_init(ret, CAUSE_SIGNAL, CONFIDENCE_HIGH);
	ret->as.signal.number = (int32_t)(*stop >> SENDER_BITS);
	ret->name = signal_name_id(machine, ret->as.signal.number);
	ret->waker = *stop & ((1u << SENDER_BITS) - 1);
	return true;
}

const struct tracker signal_tracker = {
	.handlers = HANDLERS(
		{EVENT_SIGNAL_GENERATE, on_signal_generate},
		{EVENT_SIGNAL_DELIVER, on_signal_deliver},
		{EVENT_OOM_VICTIM, on_death_oom}),
	.own_bytes = sizeof(struct signals),
	.stores = STORES(MAP_AT(offsetof(struct signals, sent))),
	.task_bytes = sizeof(uint32_t),
	.cpu_bytes = sizeof(struct cpu_signal),
	.stop = signal_stop,
	.explain_stop = signal_explain_stop,
	.close = death_close,
	.forgets_cpu = true,
	.forgets_tasks = true, /* a stop may have ended, and another begun, meanwhile */
	.explain = {signal_explain, IN_TASK, ONLY_MARKED},
	.refine = {signal_refine, 0, ONLY_KEPT | AND_UNWOKEN},
};
