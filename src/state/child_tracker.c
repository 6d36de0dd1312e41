/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Waits for a child that have not ended: in vfork(), until the child executes a program or ends; in
 * wait4(), and in sigsuspend(), in which shells and timeout(1) wait for SIGCHLD, if there is one
 * child only. No event says so before the child ends, and then label_tracker.c names it.
 */
#include "child_tracker.h"

static bool task_lives(const struct machine *machine, uint32_t track)
{
	const struct task_state *task = &machine->task[track];

	return task->kind != SEGMENT_DEAD && !task->is_exiting;
}

/* Whether `track` is a process that a thread of `parent`'s process has forked, and lives. */
static bool is_child(const struct machine *machine, uint32_t track, uint32_t parent)
{
	const struct track *child = &machine->timeline->track[track];

	return child->parent != TRACK_NONE && child->tgid == child->tid &&
	       task_lives(machine, track) &&
	       timeline_is_one_process(machine->timeline, child->parent, parent) &&
	       !timeline_is_one_process(machine->timeline, track, parent);
}

uint32_t child_only(const struct machine *machine, uint32_t parent)
{
	const struct track *of = &machine->timeline->track[parent];
	uint32_t only = TRACK_NONE, track;

	if (of->born == NSEC_NEVER && !of->is_command)
		return TRACK_NONE;
	MACHINE_TRACK_EACH(machine, track) {
		if (!is_child(machine, track, parent))
			continue;
		if (only != TRACK_NONE)
			return TRACK_NONE;
		only = track;
	}
	return only;
}

/* The child for which the task sleeps in vfork(); TRACK_NONE: it does not, as far as known. */
static uint32_t child_vforked(const struct machine *machine, uint32_t parent)
{
	uint32_t track;

	MACHINE_TRACK_EACH(machine, track)
		if (machine->task[track].is_vforked && task_lives(machine, track) &&
		    machine->timeline->track[track].parent == parent &&
		    machine->timeline->track[track].born <= machine->task[parent].since)
			return track;
	return TRACK_NONE;
}

static void child_refine(const struct machine *machine, const struct wake *wake,
                         struct cause_note *cause)
{
	uint8_t letter = machine->task[wake->wakee].detail, purpose = cause->purpose;
	uint32_t child = TRACK_NONE;
	bool is_vfork = purpose == PURPOSE_VFORK || (purpose == PURPOSE_NONE && letter == 'D');

	if (wake->event || cause->kind != CAUSE_UNKNOWN || cause->name ||
	    machine->timeline->track[wake->wakee].is_kernel)
		return;
	if (is_vfork)
		child = child_vforked(machine, wake->wakee);
	else if (purpose == PURPOSE_CHILD || purpose == PURPOSE_CHILD_SIGNAL)
		child = child_only(machine, wake->wakee);
	if (child == TRACK_NONE)
		return;
	cause_note_become(cause, CAUSE_TASK);
	cause->name = intern_adds(&machine->timeline->names, is_vfork ? "vfork" : "exit");
	cause->waker = child;
	cause->is_walked = true;
	cause->confidence = purpose == PURPOSE_CHILD_SIGNAL ? CONFIDENCE_MEDIUM : CONFIDENCE_HIGH;
}

const struct tracker child_tracker = {
	.name = "child",
	.is_always = true,
	.refine = child_refine,
	.refines_causes = 1u << CAUSE_UNKNOWN,
	.refines_unwoken = true,
};
