/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A daemon is a process that existed before the trace; a service is one that was recorded by its
 * number (-p). If clients reach a service by a pipe or a unix socket, often no event shows where it
 * sleeps, nor what it was asked for. Two kinds of wake-ups are work:
 *
 * - For a service: the waker is a client, an unrelated process that began within the trace, and
 *   that woke the service before the service woke it.
 * - For a daemon: a beat. The waker is another thread of the daemon, and its own timer woke this
 *   thread, or one that woke this thread by a beat. The sleeper was asleep before this thread went
 *   to sleep, or that was in a poll, so the sleeper does not wait for a lock that this thread held
 *   while it slept. The daemon serves clients, or it woke no task of another process during the
 *   sleep: then nobody waits for what the sleeper does.
 *
 * Asked by answer_tracker.c.
 */
#include "base/assume.h"
#include "graph/timeline/timeline_tasks.h"
#include "state/tasks/task_call.h"
#include "state/trackers.h"

/* The most pairs of processes that are remembered; more are not known. */
#define CONTACTS_MAX (1u << 16)

struct task_service {
	/* kept with the first thread, of the whole process: whether any thread serves, and when one
	   last woke a task of another process */
	bool serves;
	nsec_t acted;
	/* begin of the sleep on its own timer that led to its present run, or to that of the thread
	   which woke it for work; 0: none */
	nsec_t beat;
	bool is_of_poll; /* that sleep was in a poll */
	bool has_polled; /* such a sleep of this thread has ended, ever */
	/* until then its waits ended as if by beats, of which none is proven yet: the first one
	   began before the trace; 0: none */
	nsec_t unproven;
};

/*
 * Which of two processes woke the other first. A client wakes its server before the server answers.
 * Later the two wake each other by turns, and the wake-ups no longer show which of them asks. The
 * order is known only if one of the two processes began within the trace. Only pairs that contain
 * a service are kept.
 */
struct contacts {
	struct map first; /* track of the process that woke first, by the tracks of both */
	nsec_t since; /* events before were lost: processes that began before may have met */
};

static uint64_t pair_key(uint32_t a, uint32_t b)
{
	return a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
}

OWN_DATA(contacts_of, struct contacts, SERVICE)
TASK_DATA(service_of, struct task_service, SERVICE)

static bool process_is_new(const struct machine *machine, uint32_t leader)
{
	nsec_t born = machine->timeline->track[leader].born;

	ASSUME(born == NSEC_NEVER || born <= machine->now);
	return born != NSEC_NEVER && born >= contacts_of(machine)->since;
}

/* The waker has ended a sleep of the track. O(1). */
static void contacts_note(const struct machine *machine, uint32_t track, uint32_t waker)
{
	struct map *first = &contacts_of(machine)->first;
	uint32_t process = machine_leader(machine, track), other = machine_leader(machine, waker);
	uint64_t key = pair_key(process, other);

	ASSUME(first->count <= CONTACTS_MAX);
	if (process != other && first->count < CONTACTS_MAX &&
	    (process_is_new(machine, process) || process_is_new(machine, other)) &&
	    map_get(first, key) == MAP_NONE)
		map_put(first, key, other);
}

static const struct track *leader_of(const struct machine *machine, uint32_t track)
{
	return &machine->timeline->track[machine_leader(machine, track)];
}

/* Whether the process was there before the trace, and goes on with what it did then. */
static bool track_is_of_daemon(const struct machine *machine, uint32_t track)
{
	const struct track *leader = leader_of(machine, track);

	return leader->born == NSEC_NEVER && !leader->is_program_seen && !leader->is_kernel;
}

bool track_is_of_service(const struct machine *machine, uint32_t track)
{
	return leader_of(machine, track)->is_target && track_is_of_daemon(machine, track);
}

static struct task_service *keep_service(struct machine *machine, uint32_t track)
{
	return tracker_keep_task(machine, TRACKER_SERVICE, track);
}

void service_note_serves(struct machine *machine, uint32_t track)
{
	keep_service(machine, machine_leader(machine, track))->serves = true;
}

bool service_is_called(const struct machine *machine, uint32_t track, uint32_t waker)
{
	const struct timeline *timeline = machine->timeline;
	uint32_t caller = machine_leader(machine, waker);

	/* workers of a service, which wait for each other, have its name; which process started
	   them is not known, as they were there before the trace */
	return track_is_of_service(machine, track) &&
	       map_get(&contacts_of(machine)->first,
	               pair_key(caller, machine_leader(machine, track))) == caller &&
	       !timeline_descends(timeline, waker, track) &&
	       !timeline_descends(timeline, track, waker) &&
	       leader_of(machine, track)->last_name != timeline->track[caller].last_name;
}

/* Whether a thread of the track's process wakes it by its own timer, and nothing else shows what it
   wants. */
static bool may_be_beat(const struct machine *machine, uint32_t track, uint32_t waker)
{
	const struct task_service *service = service_of(machine, waker), *process;

	if (!service || !service->beat ||
	    !timeline_is_one_process(machine->timeline, track, waker))
		return false;
	process = service_of(machine, machine_leader(machine, track));
	return !process || process->serves || process->acted <= machine->task[track].since;
}

bool service_is_woken_by_beat(const struct machine *machine, uint32_t track, uint32_t waker)
{
	const struct task_service *service = service_of(machine, waker);
	const struct task_service *own = service_of(machine, track);
	const struct task_state *task = &machine->task[track];

	/*
	 * Before the trace it may have asked for something, or another thread had what it wants.
	 * Threads that poll by turns, as those of Go do: the one that has slept for the process
	 * since the other went to sleep wakes that one. No thread does so with a lock that others
	 * want.
	 */
	return may_be_beat(machine, track, waker) && task->since > machine->begin &&
	       ((task->since <= service->beat && task->may_be_again) ||
	        (service->is_of_poll && own && own->has_polled));
}

static void note_wake(struct machine *machine, uint32_t track, uint32_t waker)
{
	struct task_service *service;

	ASSUME(waker < machine->timeline->track_count);
	if (!machine->timeline->track[track].is_kernel && track_is_of_daemon(machine, waker) &&
	    !timeline_is_one_process(machine->timeline, track, waker))
		keep_service(machine, machine_leader(machine, waker))->acted = machine->now;
	if (may_be_beat(machine, track, waker)) {
		service = keep_service(machine, track);
		if (service->unproven || machine->task[track].since == machine->begin)
			service->unproven = machine->now;
	}
	if (track_is_of_service(machine, track) || track_is_of_service(machine, waker))
		contacts_note(machine, track, waker);
	if (service_is_called(machine, track, waker))
		answer_note_bringer(machine, waker);
}

/* Whether the task sleeps in a poll, as far as its call or its time limit shows. */
static bool sleeps_in_poll(const struct machine *machine, uint32_t track)
{
	const struct task_state *task = &machine->task[track];
	uint8_t call = syscall_sleep(machine, track);

	ASSUME(task->kind == SEGMENT_WAIT && task->since <= machine->now);
	if (call != CALL_NONE)
		return call_is_poll(call);
	return task->timeout == TIMEOUT_POLL ||
	       (limit_may_be_of_poll(task) && machine->now - task->since < POLL_SLACK_MIN);
}

static struct task_service *note_beat(struct machine *machine, uint32_t track, nsec_t begin,
                                      bool is_of_poll)
{
	struct task_service *service = keep_service(machine, track);

	ASSUME(begin <= machine->now);
	service->beat = begin;
	service->is_of_poll = is_of_poll;
	answer_note_bringer(machine, track);
	return service;
}

void service_note_beat(struct machine *machine, uint32_t track, uint32_t waker)
{
	struct task_service *service = service_of(machine, waker);

	if (!service || !service->beat)
		return;
	service = note_beat(machine, track, service->beat, service->is_of_poll);
	timeline_begin_idle(machine->timeline, track, service->unproven);
	service->unproven = 0;
}

static void service_conclude(struct machine *machine, uint32_t track, struct cause_note *cause)
{
	bool is_of_poll;

	if (cause->kind == CAUSE_TASK && cause->waker != TRACK_NONE) {
		note_wake(machine, track, cause->waker);
	} else if (cause_note_is_own_timer(cause) && track_is_of_daemon(machine, track)) {
		is_of_poll = sleeps_in_poll(machine, track);
		note_beat(machine, track, machine->task[track].since, is_of_poll)->has_polled |=
			is_of_poll;
	}
}

static void service_sleep(struct machine *machine, uint32_t track, uint8_t letter)
{
	(void)letter;
	service_of(machine, track)->beat = 0;
}

static void services_forget(struct machine *machine)
{
	ASSUME(contacts_of(machine)->since <= machine->now);
	contacts_of(machine)->since = machine->now;
}

const struct tracker service_tracker = {
	.is_for_daemons = true,
	.own_bytes = sizeof(struct contacts),
	.stores = STORES(MAP_AT(offsetof(struct contacts, first))),
	.task_bytes = sizeof(struct task_service),
	.conclude = {service_conclude, 1u << CAUSE_TASK | 1u << CAUSE_TIMER, 0},
	.sleep = service_sleep,
	.forgets_tasks = true,
	.forget = services_forget,
};
