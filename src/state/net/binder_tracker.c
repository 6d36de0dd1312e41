/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Calls between processes by Android's binder. A call with an answer has these events, and the two
 * threads sleep at these places:
 *
 *	caller   binder_transaction reply=0       sleeps: for the answer
 *	server   [woken]  binder_transaction_received    ... binder_transaction reply=1
 *	caller   [woken by the server]
 *
 * A server thread that serves no call sleeps until one arrives. If all threads are busy, a call
 * is queued. A call was queued if the thread that takes it has not been woken since it was sent.
 *
 * A one-way call has no answer, so no event shows its end: the thread that took it counts as idle
 * from its next sleep on.
 */
#include "state/core/tracker.h"
#include "words/cause/purpose.h"

#define FLAG_ONE_WAY 0x01u /* TF_ONE_WAY of the kernel's include/uapi/linux/android/binder.h */

struct task_binder {
	uint16_t calls;    /* calls that it made and that have no answer yet */
	uint16_t answers;  /* answers sent to it since its last sleep */
	uint16_t serves;   /* calls that it took and has not answered yet */
	bool is_server;    /* it has taken a call */
	bool is_queued;    /* no server thread was free for its last call */
	nsec_t woken;      /* last wake-up, or when it took its first call; 0: not known */
};

/* A call that no thread has taken yet. */
struct sent_call {
	uint32_t caller; /* its track */
	bool is_one_way;
	nsec_t sent;
};

/* struct sent_call, by id */
OWN_DATA(binder_sent, struct object_pool, BINDER)
TASK_DATA(task_binder_of, struct task_binder, BINDER)

/* Subtracts the answers that arrived since the last sleep from the open calls. */
static void task_settle(struct task_binder *task)
{
	task->calls = task->answers < task->calls ? (uint16_t)(task->calls - task->answers) : 0;
	task->answers = 0;
}

static void answer_send(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	struct task_binder *server = tracker_keep_task(machine, TRACKER_BINDER, cpu->current);
	uint32_t track = machine_find_track(machine, cpu, event->binder.thread);
	struct task_binder *caller = track == TRACK_NONE || event->binder.thread == 0
	                                     ? NULL
	                                     : task_binder_of(machine, track);

	ASSUME(event->binder.is_reply);
	if (server->serves > 0)
		server->serves--;
	if (caller && caller->answers < UINT16_MAX)
		caller->answers++;
}

static void on_send(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	bool is_one_way = event->binder.flags & FLAG_ONE_WAY;
	struct task_binder *caller;
	struct sent_call *call;

	if (cpu_doer(cpu) == TRACK_NONE)
		return;
	if (event->binder.is_reply) {
		answer_send(machine, cpu, event);
		return;
	}
	caller = tracker_keep_task(machine, TRACKER_BINDER, cpu->current);
	task_settle(caller);
	if (!is_one_way && caller->calls < UINT16_MAX) {
		caller->calls++;
		caller->is_queued = false;
	}
	ASSUME(caller->answers == 0);
	call = object_pool_put(binder_sent(machine), event->binder.id);
	*call = (struct sent_call){cpu->current, is_one_way, machine->now};
}

/* Answers are taken, too, but were not sent as calls. */
static void on_take(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	const struct sent_call *call;
	struct task_binder *server, *caller;

	if (cpu_doer(cpu) == TRACK_NONE)
		return;
	call = object_pool_take(binder_sent(machine), event->binder.id);
	if (!call)
		return;
	server = tracker_keep_task(machine, TRACKER_BINDER, cpu->current);
	caller = task_binder_of(machine, call->caller);
	ASSUME(call->sent <= machine->now && server->woken <= machine->now);
	server->is_server = true;
	if (!call->is_one_way) {
		if (server->serves < UINT16_MAX)
			server->serves++;
		if (caller && server->woken && server->woken < call->sent)
			caller->is_queued = true;
	}
	if (!server->woken)
		server->woken = machine->now;
}

static void binder_wake(struct machine *machine, const struct cpu *cpu, uint32_t track)
{
	(void)cpu;
	task_binder_of(machine, track)->woken = machine->now;
}

static void binder_sleep(struct machine *machine, uint32_t track, uint8_t letter)
{
	struct task_binder *task = task_binder_of(machine, track);

	task_settle(task);
	if (letter == 'S' && task->is_server && task->calls == 0 && task->serves == 0)
		machine->task[track].detail |= WAIT_FOR_WORK;
}

static void binder_refine(const struct machine *machine, const struct wake *wake,
                          struct cause_note *cause)
{
	const struct task_binder *task = task_binder_of(machine, wake->wakee);

	if (task->calls == 0 || (cause->kind != CAUSE_TASK && cause->kind != CAUSE_UNKNOWN) ||
	    (cause->purpose != PURPOSE_NONE && cause->purpose != PURPOSE_BINDER))
		return;
	cause->purpose = task->is_queued ? PURPOSE_BINDER_QUEUE : PURPOSE_BINDER_ANSWER;
}

const struct tracker binder_tracker = {
	.handlers = HANDLERS(
		{EVENT_BINDER_SEND, on_send},
		{EVENT_BINDER_TAKE, on_take}),
	.own_bytes = sizeof(struct object_pool),
	.stores = STORES(POOL_AT(0, struct sent_call, OBJECTS_MAX, "binder calls", NULL)),
	.task_bytes = sizeof(struct task_binder),
	.refine = {binder_refine, 0, ONLY_KEPT | AND_UNWOKEN},
	.wake = binder_wake,
	.wakes_kept = true,
	.sleep = binder_sleep,
	.forgets_tasks = true,
};
