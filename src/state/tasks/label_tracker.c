/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Labels for meaningful wake-ups by tasks: a child's exit or its exec after vfork, and the end of
 * an RCU grace period that one of RCU's threads or work items reports.
 */
#include <string.h>

#include "base/data/array.h"
#include "state/net/net_trackers.h"
#include "state/trackers.h"

static void on_process_exit(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	uint32_t track = machine_find_track(machine, cpu, event->process.tid);

	if (track == TRACK_NONE || event->process.tid == 0)
		return;
	death_note_gone(machine, track);
	request_note_exit(machine, track);
	machine->task[track].is_exiting = true;
}

/*
 * The work functions that end waits for a grace period, or call a function that does
 * (wakeme_after_rcu). Functions that only free what a grace period kept, such as kfree_rcu_work,
 * end none.
 */
static const char *const grace_period_functions[] = {
	"rcu_sr_normal_gp_cleanup_work", /* synchronize_rcu(), many at once, since 6.10 */
	"srcu_invoke_callbacks",         /* synchronize_srcu() */
	"srcu_drive_gp",                 /* synchronize_srcu() with TINY_SRCU */
	"wait_rcu_exp_gp",               /* synchronize_rcu_expedited() */
	"rcu_tasks_invoke_cbs_wq",       /* synchronize_rcu_tasks() and its kin */
};

static bool is_grace_period(const struct machine *machine, const struct cause_note *work)
{
	const char *function = intern_text(&machine->timeline->names, work->name);

	for (size_t i = 0; i < ARRAY_SIZE(grace_period_functions); i++)
		if (strcmp(function, grace_period_functions[i]) == 0)
			return true;
	return false;
}

void machine_label_exit(const struct machine *machine, uint32_t wakee, struct cause_note *cause)
{
	struct track *track = &machine->timeline->track[wakee];

	cause->name = intern_adds(&machine->timeline->names, "exit");
	track->exits_since = nsec_min(track->exits_since, machine->task[wakee].since);
}

/* Slow path: the waker qualifies for a label. */
static __attribute__((noinline)) void cause_label(const struct machine *machine, uint32_t wakee,
                                                  struct cause_note *cause)
{
	const struct task_state *waker = &machine->task[cause->waker];
	const struct track *child = &machine->timeline->track[cause->waker];

	if (waker->role == KERNEL_THREAD_RCU)
		cause_note_become(cause, CAUSE_RCU);
	else if (waker->is_exiting)
		machine_label_exit(machine, wakee, cause);
	else if (machine->task[wakee].detail == 'D' && child->parent == wakee &&
	         child->born <= machine->task[wakee].since)
		cause->name = intern_adds(&machine->timeline->names, "vfork");
}

static void label_refine(const struct machine *machine, const struct wake *wake,
                         struct cause_note *cause)
{
	const struct task_state *waker;

	if (cause->kind == CAUSE_WORK && is_grace_period(machine, cause))
		cause->kind = CAUSE_RCU; /* that item still reported it */
	if (cause->kind != CAUSE_TASK || cause->waker == TRACK_NONE || cause->name)
		return;
	waker = &machine->task[cause->waker];
	if (waker->role == KERNEL_THREAD_RCU || waker->is_exiting || waker->is_vforked)
		cause_label(machine, wake->wakee, cause);
}

const struct tracker label_tracker = {
	.handlers = HANDLERS({EVENT_PROCESS_EXIT, on_process_exit}),
	.is_always = true,
	.refine = {label_refine, 1u << CAUSE_TASK | 1u << CAUSE_WORK, 0},
};
