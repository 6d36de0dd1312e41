/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Waits that have not ended when the trace ends, or so far, as the recorder saw them in /proc: no
 * event says what they are for. Which task has the lock, or which task is waited for, was true when
 * the recorder looked, as the sleeper has not moved since.
 */
#include "open_wait_tracker.h"

#include "base/cleanup.h"
#include "base/text/buffer.h"
#include "graph/aims/sleep_series.h"
#include "graph/timeline/open_wait.h"
#include "state/core/machine.h"
#include "state/core/tracker.h"
#include "state/locks/futex_waits.h"

const struct noted_wait *open_wait_noted(const struct machine *machine, uint32_t track)
{
	const struct noted_wait *own = tracker_task(machine, TRACKER_OPEN_WAIT, track);

	return own && !own->is_over ? own : NULL;
}

static void open_wait_seen(struct machine *machine, uint32_t track, const struct open_wait *wait)
{
	_cleanup_(buffer_release) struct buffer object = {0};
	struct intern *names = &machine->timeline->names;
	struct noted_wait *own;

	if (wait->is_tried && !open_wait_is_retried(machine->timeline, track, wait))
		return;
	machine_wake_tracker(machine, TRACKER_OPEN_WAIT);
	own = tracker_keep_task(machine, TRACKER_OPEN_WAIT, track);
	buffer_init(&object, BUFFER_LIMIT_DEFAULT);
	open_wait_append_object(wait, &object);
	*own = (struct noted_wait){
		.wait = *wait,
		.path = wait->path ? intern_adds(names, wait->path) : 0,
		.object = object.length ? intern_adds(names, object.text) : 0,
		.purpose = (uint8_t)open_wait_purpose(wait),
		.has_peer = open_wait_peer(wait) != NULL,
		.aim = (uint8_t)open_wait_aim(wait),
	};
	own->wait.dev = machine_device(machine, wait->dev);
	own->wait.call = own->wait.place = own->wait.path = own->wait.type = NULL;
	/* who polls is idle, unless there is a request */
	if (open_wait_is_poll(wait))
		machine->task[track].detail &= (uint8_t)~WAIT_FOR_WORK;
	if (wait->kind == OPEN_WAIT_FUTEX || wait->kind == OPEN_WAIT_LEFT)
		(void)variable_of_track(machine, track, NSEC_NEVER, wait->address);
}

static void open_wait_change(struct machine *machine, uint32_t track, nsec_t t)
{
	struct noted_wait *own = tracker_task(machine, TRACKER_OPEN_WAIT, track);

	if (own->is_over) {
		own->changes[0] = own->changes[1];
		own->changes[1] = t;
	} else {
		tracker_drop_task(machine, TRACKER_OPEN_WAIT, track);
	}
}

static void open_wait_conclude(struct machine *machine, uint32_t track, struct cause_note *cause)
{
	struct noted_wait *own = tracker_task(machine, TRACKER_OPEN_WAIT, track);
	const struct task_state *task = &machine->task[track];

	if (!own || !cause_note_is_timeout(cause))
		return;
	own->is_over = true;
	own->timeout = sleep_limit_kind(task->timeout);
	own->most = series_run_most(machine->now - task->since);
}

/* The task looked around, and waits again. */
static void open_wait_sleep(struct machine *machine, uint32_t track, uint8_t letter)
{
	struct noted_wait *own = tracker_task(machine, TRACKER_OPEN_WAIT, track);
	const struct task_state *task = &machine->task[track];

	if (!own->is_over)
		return;
	if (letter == 'S' && task->may_be_again && own->timeout != TIMEOUT_NONE &&
	    sleep_limit_kind(task->armed) == own->timeout &&
	    own->changes[1] - own->changes[0] <= own->most)
		own->is_over = false;
	else
		tracker_drop_task(machine, TRACKER_OPEN_WAIT, track);
}

static void noted_refine(const struct machine *machine, const struct noted_wait *own,
                         uint32_t sleeper, struct cause_note *cause)
{
	struct timeline *timeline = machine->timeline;
	struct open_wait wait = {
		.kind = own->wait.kind,
		.address = own->wait.address,
		.dev = own->wait.dev,
		.path = own->path ? intern_text(&timeline->names, own->path) : NULL,
	};

	open_wait_refine_cause(timeline, &wait, sleeper, machine_task_of(machine, own->wait.owner),
	                       cause);
	if (own->purpose)
		cause->purpose = own->purpose;
}

static void open_wait_refine(const struct machine *machine, const struct wake *wake,
                             struct cause_note *cause)
{
	const struct noted_wait *own = open_wait_noted(machine, wake->wakee);

	/* who sleeps between two tries waits for more than its timer; a request has the thread of
	   the owner that reads it */
	if (own && own->aim != AIM_FOR_WORK && !wake->event && cause->kind != CAUSE_NET &&
	    (cause->kind != CAUSE_TIMER || own->wait.is_tried))
		noted_refine(machine, own, wake->wakee, cause);
}

bool open_wait_of_limit(const struct machine *machine, uint32_t track, struct cause_note *ret)
{
	const struct noted_wait *own = tracker_task(machine, TRACKER_OPEN_WAIT, track);

	if (!own || !own->is_over || own->aim == AIM_FOR_WORK || own->aim == AIM_NONE ||
	    own->aim == AIM_TIME)
		return false;
	cause_note_init(ret, CAUSE_UNKNOWN, CONFIDENCE_LOW);
	noted_refine(machine, own, track, ret);
	return true;
}

const struct tracker open_wait_tracker = {
	.task_bytes = sizeof(struct noted_wait),
	.change = open_wait_change,
	.sleep = open_wait_sleep,
	.conclude = {open_wait_conclude, 1u << CAUSE_TIMER, 0},
	.refine = {open_wait_refine, 1u << CAUSE_UNKNOWN | 1u << CAUSE_LOCK | 1u << CAUSE_TIMER,
	           ONLY_KEPT | AND_UNWOKEN},
	.seen = open_wait_seen,
};
