/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "service_tracker.h"

#include "task_role.h"

/* The most pairs of processes that are remembered; more are not known. */
#define CONTACTS_MAX (1u << 16)

struct task_service {
	/* kept with the first thread, of the whole process: whether any thread serves, and when one
	   last woke a task of another process */
	bool serves;
	nsec_t acted;
	nsec_t beat; /* begin of the sleep on its own timer that led to its present run; 0: none */
};

/*
 * Which of two processes woke the other first. A client wakes its server before the server answers.
 * Later the two wake each other by turns, and the wake-ups no longer show which of them asks. The
 * order is known only if one of the two processes began within the trace. Only pairs that contain
 * a service are kept.
 */
struct contacts {
	struct map first; /* track of the process that woke first, by the tracks of both */
	uint32_t count;
	nsec_t since; /* events before were lost: processes that began before may have met */
};

static uint64_t pair_key(uint32_t a, uint32_t b)
{
	return a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
}

static bool process_began_since(const struct contacts *contacts, const struct machine *machine,
                                uint32_t leader)
{
	nsec_t born = machine->timeline->track[leader].born;

	return born != NSEC_NEVER && born >= contacts->since;
}

/* The waker has ended a sleep of the track. O(1). */
static void contacts_note(struct contacts *contacts, const struct machine *machine, uint32_t track,
                          uint32_t waker)
{
	uint32_t process = machine_leader(machine, track), other = machine_leader(machine, waker);
	uint64_t key = pair_key(process, other);

	if (process == other || contacts->count >= CONTACTS_MAX ||
	    (!process_began_since(contacts, machine, process) &&
	     !process_began_since(contacts, machine, other)) ||
	    map_get(&contacts->first, key) != MAP_NONE)
		return;
	map_put(&contacts->first, key, other);
	contacts->count++;
}

/* Whether the process of `caller` is known to have woken that of `track` first. */
static bool contacts_is_caller(const struct contacts *contacts, const struct machine *machine,
                               uint32_t caller, uint32_t track)
{
	uint32_t process = machine_leader(machine, caller);
	uint32_t other = machine_leader(machine, track);

	return map_get(&contacts->first, pair_key(process, other)) == process;
}

static struct contacts *contacts_of(const struct machine *machine)
{
	return machine->own[TRACKER_SERVICE];
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

void service_note_serves(struct machine *machine, uint32_t track)
{
	struct task_service *service =
		tracker_keep_task(machine, TRACKER_SERVICE, machine_leader(machine, track));

	service->serves = true;
}

/* Whether what the process has done since t is known to be nothing that another process waits
   for. */
static bool process_is_idle(const struct machine *machine, uint32_t track, nsec_t t)
{
	const struct task_service *service =
		tracker_task(machine, TRACKER_SERVICE, machine_leader(machine, track));

	return !service || service->serves || service->acted <= t;
}

/* Workers of a service, which wait for each other, have its name. Which process started them is not
   known, as they were there before the trace. */
static bool may_be_related(const struct machine *machine, uint32_t track, uint32_t other)
{
	return timeline_descends(machine->timeline, other, track) ||
	       timeline_descends(machine->timeline, track, other) ||
	       leader_of(machine, track)->last_name ==
	               leader_of(machine, other)->last_name;
}

bool service_is_called(const struct machine *machine, uint32_t track, uint32_t waker)
{
	return track_is_of_service(machine, track) &&
	       contacts_is_caller(contacts_of(machine), machine, waker, track) &&
	       !may_be_related(machine, track, waker);
}

bool service_is_woken_by_beat(const struct machine *machine, uint32_t track, uint32_t waker)
{
	const struct task_service *service = tracker_task(machine, TRACKER_SERVICE, waker);

	const struct task_state *task = &machine->task[track];

	/* before the trace it may have asked for something, or another thread had what it wants */
	return service && service->beat && task->since <= service->beat &&
	       task->since > machine->begin && task->may_be_again &&
	       timeline_is_one_process(machine->timeline, track, waker) &&
	       process_is_idle(machine, track, task->since);
}

/* The waker has woken a task of another process, unless that is one of the kernel. */
static void note_act(struct machine *machine, uint32_t track, uint32_t waker)
{
	struct task_service *service;

	if (machine->timeline->track[track].is_kernel || !track_is_of_daemon(machine, waker) ||
	    timeline_is_one_process(machine->timeline, track, waker))
		return;
	service = tracker_keep_task(machine, TRACKER_SERVICE, machine_leader(machine, waker));
	service->acted = machine->now;
}

static void note_wake(struct machine *machine, uint32_t track, uint32_t waker)
{
	note_act(machine, track, waker);
	if (track_is_of_service(machine, track) || track_is_of_service(machine, waker))
		contacts_note(contacts_of(machine), machine, track, waker);
	if (service_is_called(machine, track, waker))
		answer_note_bringer(machine, waker);
}

static void note_beat(struct machine *machine, uint32_t track)
{
	struct task_service *service = tracker_keep_task(machine, TRACKER_SERVICE, track);

	service->beat = machine->task[track].since;
	answer_note_bringer(machine, track);
}

static void service_conclude(struct machine *machine, uint32_t track, struct cause_note *cause)
{
	if (cause->kind == CAUSE_TASK && cause->waker != TRACK_NONE)
		note_wake(machine, track, cause->waker);
	else if (cause_note_is_own_timer(cause) && track_is_of_daemon(machine, track))
		note_beat(machine, track);
}

static void service_sleep(struct machine *machine, uint32_t track, uint8_t letter)
{
	struct task_service *service = tracker_task(machine, TRACKER_SERVICE, track);

	(void)letter;
	service->beat = 0;
}

static void services_begin(struct machine *machine)
{
	map_init(&contacts_of(machine)->first);
}

static void services_forget(struct machine *machine)
{
	struct contacts *contacts = contacts_of(machine);

	map_clear(&contacts->first);
	contacts->count = 0;
	contacts->since = machine->now;
	tracker_drop_tasks(machine, TRACKER_SERVICE);
}

static void services_end(struct machine *machine)
{
	map_release(&contacts_of(machine)->first);
}

const struct tracker service_tracker = {
	.name = "service",
	.is_for_daemons = true,
	.own_bytes = sizeof(struct contacts),
	.task_bytes = sizeof(struct task_service),
	.conclude = service_conclude,
	.concludes = 1u << CAUSE_TASK | 1u << CAUSE_TIMER,
	.sleep = service_sleep,
	.begin = services_begin,
	.forget = services_forget,
	.end = services_end,
};
