/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Waits for a child that have not ended, or that a signal has ended: in vfork(), until the child
 * executes a program or ends; in wait4(), and in sigsuspend(), in which shells and timeout(1) wait
 * for SIGCHLD, if there is one child only, or one for which all others wait. If the child ends, it
 * wakes its parent, and label_tracker.c names it.
 *
 * sched_process_wait comes from do_wait() of the kernel's kernel/exit.c, just before the task
 * sleeps there; so it does from a call that only looks, after which the task may sleep in another
 * call. Only system calls distinguish the two.
 *
 * A parent that looks whether a child has ended, finds that it has not, and sleeps waits for that
 * child; its system calls show that (retries.h).
 */

#include "base/assume.h"
#include "ftwait/aim.h"
#include "graph/timeline/timeline_tasks.h"
#include "open_wait_tracker.h"
#include "state/core/held_wait.h"
#include "state/core/machine.h"
#include "state/net/retries.h"
#include "state/trackers.h"
#include "task_call.h"
#include "words/cause/purpose.h"

/* The most tasks that look for a child; the oldest are forgotten. */
#define LOOKS_MAX 4096

/* Looks of one thread for one child that lives. */
struct child_looks {
	struct retry retry;
	uint32_t child; /* track */
};

/* struct child_looks, by retry_key() */
OWN_DATA(child_looks_of, struct object_pool, CHILD)

/* Between sched_process_wait and the sleep; some microseconds are usual. */
#define ASK_NS 200000u

/* What a task asked the kernel to wait for. */
struct child_ask {
	nsec_t at;
	uint64_t call; /* in which it did, see syscall_count(); 0: no calls are recorded */
	int32_t pid;   /* <= 0: any child, or any of a group */
};

/* Whether `track` is a process that a thread of `parent`'s process has forked, and lives. */
static bool is_child(const struct machine *machine, uint32_t track, uint32_t parent)
{
	const struct track *child = &machine->timeline->track[track];

	return child->parent != TRACK_NONE && child->tgid == child->tid &&
	       !task_is_over(&machine->task[track]) &&
	       timeline_is_one_process(machine->timeline, child->parent, parent) &&
	       !timeline_is_one_process(machine->timeline, track, parent);
}

/* Whether the recorder saw the child wait for another child of the same task: the commands of a
   pipeline wait for each other. */
static bool is_behind_sibling(const struct machine *machine, uint32_t track, uint32_t parent)
{
	const struct noted_wait *wait = open_wait_noted(machine, track);

	for (size_t i = 0; wait && i < wait->wait.holder_count; i++) {
		uint32_t holder = machine_task_of(machine, wait->wait.holder[i]);

		if (holder != TRACK_NONE && holder != track && is_child(machine, holder, parent))
			return true;
	}
	return false;
}

uint32_t child_only(const struct machine *machine, uint32_t parent)
{
	const struct track *of = &machine->timeline->track[parent];
	uint32_t only = TRACK_NONE;

	if (of->born == NSEC_NEVER && !of->is_command)
		return TRACK_NONE;
	MACHINE_TRACK_EACH(machine, track) {
		if (!is_child(machine, track, parent) ||
		    is_behind_sibling(machine, track, parent))
			continue;
		if (only != TRACK_NONE)
			return TRACK_NONE;
		only = track;
	}
	return only;
}

/* The child for which the task waits in its sleep since that time, as it asked for it right before;
   TRACK_NONE: it did not, or there are several. */
static uint32_t child_asked(const struct machine *machine, uint32_t parent, nsec_t since)
{
	const struct child_ask *ask = tracker_task(machine, TRACKER_CHILD, parent);
	uint32_t child;

	if (!ask || since < ask->at || ask->call != syscall_count(machine, parent) ||
	    (!ask->call && since - ask->at > ASK_NS))
		return TRACK_NONE;
	if (ask->pid <= 0)
		return child_only(machine, parent);
	child = machine_task_of(machine, ask->pid);
	return child != TRACK_NONE && is_child(machine, child, parent) ? child : TRACK_NONE;
}

void child_note_wait(struct machine *machine, uint32_t track, int32_t pid)
{
	struct child_ask *ask = tracker_keep_task(machine, TRACKER_CHILD, track);

	*ask = (struct child_ask){machine->now, syscall_count(machine, track), pid};
}

/* A signal has ended the track's wait since `begin`. */
static void child_note_signal(struct machine *machine, uint32_t track, nsec_t begin)
{
	uint32_t child = child_asked(machine, track, begin);
	struct cause_note cause;

	if (child == TRACK_NONE)
		return;
	cause_note_by_task(&cause, CONFIDENCE_MEDIUM, child);
	cause.purpose = PURPOSE_CHILD;
	timeline_add_aim(machine->timeline, track,
	                 &(struct aim_note){begin, machine->now, CAUSE_NONE, AIM_CHILD, AIM_SIGNAL},
	                 &cause);
}

static void child_cut(struct machine *machine, uint32_t track)
{
	child_note_signal(machine, track, machine->task[track].held->span.begin);
}

static void on_process_wait(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	if (cpu_is_in_task(cpu))
		child_note_wait(machine, cpu->current, (int32_t)event->process.tid);
}

/* The child for which the task sleeps in vfork(); TRACK_NONE: it does not, as far as known. */
static uint32_t child_vforked(const struct machine *machine, uint32_t parent)
{
	MACHINE_TRACK_EACH(machine, track)
		if (machine->task[track].is_vforked && !task_is_over(&machine->task[track]) &&
		    machine->timeline->track[track].parent == parent &&
		    machine->timeline->track[track].born <= machine->task[parent].since)
			return track;
	return TRACK_NONE;
}

/* The looks after which the track sleeps; who polls files meanwhile has other things to do. NULL:
   none. */
static const struct child_looks *looks_before_sleep(const struct machine *machine, uint32_t track)
{
	const struct object_pool *all = child_looks_of(machine);
	uint8_t call = object_pool_count(all) ? syscall_sleep(machine, track) : CALL_NONE;
	const struct child_looks *looks =
		call == CALL_NANOSLEEP || call == CALL_SELECT
			? retry_of_sleep(machine, all, track, machine->task[track].since)
			: NULL;

	return looks && !looks->retry.has_paused ? looks : NULL;
}

static void looks_describe(const struct child_looks *looks, struct cause_note *ret)
{
	cause_note_by_task(ret, CONFIDENCE_MEDIUM, looks->child);
	ret->purpose = PURPOSE_CHILD;
	ret->origin = looks->retry.begin;
}

static void child_refine(const struct machine *machine, const struct wake *wake,
                         struct cause_note *cause)
{
	uint8_t letter = machine->task[wake->wakee].detail, purpose = cause->purpose;
	uint32_t child = TRACK_NONE;
	bool is_vfork = purpose == PURPOSE_VFORK || (purpose == PURPOSE_NONE && letter == 'D');
	const struct child_looks *looks =
		wake->event ? NULL : looks_before_sleep(machine, wake->wakee);

	if (looks) {
		looks_describe(looks, cause);
		return;
	}
	if (wake->event || cause->kind != CAUSE_UNKNOWN || cause->name ||
	    machine->timeline->track[wake->wakee].is_kernel)
		return;
	if (is_vfork)
		child = child_vforked(machine, wake->wakee);
	else if (purpose == PURPOSE_CHILD || purpose == PURPOSE_CHILD_SIGNAL)
		child = child_only(machine, wake->wakee);
	else if (purpose == PURPOSE_NONE)
		child = child_asked(machine, wake->wakee, machine->task[wake->wakee].since);
	if (child == TRACK_NONE)
		return;
	cause_note_become(cause, CAUSE_TASK);
	if (is_vfork)
		cause->name = intern_adds(&machine->timeline->names, "vfork");
	else
		machine_label_exit(machine, wake->wakee, cause);
	cause->waker = child;
	cause->is_walked = true;
	if (purpose == PURPOSE_NONE && !is_vfork)
		cause->purpose = PURPOSE_CHILD;
	cause->confidence = is_vfork || purpose == PURPOSE_CHILD ? CONFIDENCE_HIGH
	                                                         : CONFIDENCE_MEDIUM;
}

/* The child of that number of the track's process, also one that is older than the trace;
   TRACK_NONE: there is none. */
static uint32_t child_of_pid(struct machine *machine, uint32_t track, int32_t pid)
{
	const struct recording_notes *notes = &machine->setup.source->notes;
	int32_t tgid = machine->timeline->track[machine_leader(machine, track)].tid;
	uint32_t child = pid > 0 ? machine_task_of(machine, pid) : TRACK_NONE;

	if (pid <= 0 || (child != TRACK_NONE && is_child(machine, child, track)))
		return child;
	for (size_t i = 0; i < notes->processes.count; i++)
		if (notes->processes.item[i].tgid == pid && notes->processes.item[i].parent == tgid)
			return machine_track(machine, NULL, pid);
	return TRACK_NONE;
}

/* The thread looked again, in vain. */
static void looks_take(struct machine *machine, uint32_t track, struct child_looks *looks,
                       uint64_t key, int32_t pid)
{
	uint32_t child;

	if (!looks || machine->timeline->track[looks->child].tid != pid) {
		child = child_of_pid(machine, track, pid);
		if (child == TRACK_NONE)
			return;
		looks = object_pool_put(child_looks_of(machine), key);
		*looks = (struct child_looks){.retry.begin = machine->now, .child = child};
	}
	looks->retry.last = machine->now;
	looks->retry.by = track;
	looks->retry.has_paused = false;
}

void child_note_look(struct machine *machine, uint32_t track, int32_t pid, int64_t result)
{
	uint64_t key = retry_key(track, /* of_children= */ false);
	struct child_looks *looks = object_pool_find(child_looks_of(machine), key);
	uint32_t index;

	if (result == 0) {
		looks_take(machine, track, looks, key, pid);
		return;
	}
	/* a handler of SIGCHLD asks for any child, and learns which one has ended */
	if (!looks || machine->timeline->track[looks->child].tid != (result > 0 ? result : pid))
		return;
	index = timeline_linked_index(machine->timeline, looks->retry.note);
	/* The child has ended: all that time the thread has waited for it. That of a parent that
	   ignores SIGCHLD leaves no result. */
	if (index != CAUSE_NONE && (result > 0 || task_is_over(&machine->task[looks->child])))
		timeline_add_aim(machine->timeline, track,
		                 &(struct aim_note){looks->retry.begin, machine->now, index,
		                                    AIM_CHILD, AIM_HAD},
		                 /* cause= */ NULL);
	(void)object_pool_take(child_looks_of(machine), key);
}

static void child_conclude(struct machine *machine, uint32_t track, struct cause_note *cause)
{
	struct child_looks *looks;
	struct cause_note note;

	if (cause->kind == CAUSE_SIGNAL) {
		child_note_signal(machine, track, machine->task[track].since);
		return;
	}
	ASSUME(cause->kind == CAUSE_TIMER);
	if (!looks_before_sleep(machine, track))
		return;
	looks = retry_pause(machine, child_looks_of(machine), track, cause);
	if (!looks)
		return;
	looks_describe(looks, &note);
	cause->as.timer.request = link_share(machine, &looks->retry.note, &note);
}

const struct tracker child_tracker = {
	.handlers = HANDLERS({EVENT_PROCESS_WAIT, on_process_wait}),
	.is_always = true,
	.own_bytes = sizeof(struct object_pool),
	.task_bytes = sizeof(struct child_ask),
	.stores = STORES(POOL_AT(0, struct child_looks, LOOKS_MAX, NULL, NULL)),
	.conclude = {child_conclude, 1u << CAUSE_TIMER | 1u << CAUSE_SIGNAL, 0},
	.cut = child_cut,
	.refine = {child_refine, 1u << CAUSE_UNKNOWN | 1u << CAUSE_TIMER, AND_UNWOKEN},
};
