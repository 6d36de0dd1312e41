/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whether a sleep in poll() and similar calls was a wait for work. Servers sleep there while they
 * have nothing to do; clients, shells and build tools sleep there until what they have asked for
 * arrives. Both sleep in the same function, so what ends the sleep decides:
 *
 *	the task's own child, or a child of that              asked for
 *	a work item                                           as if its queuer had woken the task
 *	a disk, a lock, memory, a peer that did not answer    asked for
 *	a timer of TCP, after a retransmission                asked for, or a part of it had come
 *	a connection that this end has opened, see            asked for
 *	connection_judge_ports() for one older than the trace
 *	anything, while the task awaits an answer             asked for: request_tracker.c
 *	a signal, if the task had set an alarm for the sleep  asked for
 *	a connection that a descendant of the task has opened asked for
 *	a connection that the other end has opened            work
 *	another thread of the process                         work: threads hand it on
 *	anything else from outside                            asked for, if the program was recorded
 *	                                                      from its exec on and accepts no
 *	                                                      connections, nor listens for any
 *	                                                      before it asks for something
 *
 * After anything else, such as a timer or a packet without a known sender, the task is assumed to
 * have had nothing to do.
 *
 * If neither the call nor the stack shows the place of the sleep, the task's role decides. These
 * are work: what comes in on a connection that the other end has opened, or on a connectionless
 * socket that received before it sent; and what a thread that got such a request hands to another
 * thread of its process in the same run, unless that one has a request of its own. A poll that
 * reaches its time limit is a wait for work if all requests were answered.
 *
 * service_tracker.c has two more rules, for processes that were recorded by their number.
 */

#include "base/assume.h"
#include "net_trackers.h"
#include "state/core/held_wait.h"
#include "state/tasks/task_call.h"
#include "state/trackers.h"

TASK_DATA(role_of, struct task_role, ANSWER)

static const struct track *track_of(const struct machine *machine, uint32_t track)
{
	return &machine->timeline->track[track];
}

/* Whether the track is of a client, as far as is known: who has a listening socket, but has asked
   for nothing yet, is none. */
static bool is_client(const struct machine *machine, uint32_t track)
{
	const struct track *self = track_of(machine, track);
	const struct track *leader = track_of(machine, machine_leader(machine, track));
	bool serves = self->accepts || leader->accepts ||
	              ((self->listens || leader->listens) && !leader->has_asked);

	return (self->is_program_seen || leader->is_program_seen) && !serves;
}

/* Whether the track had asked the task `by`, which ended its sleep, for something. */
static bool task_is_awaited(const struct machine *machine, uint32_t track, uint32_t by)
{
	if (by == TRACK_NONE || by == track)
		return false;
	ASSUME(by < machine->timeline->track_count);
	if (timeline_descends(machine->timeline, by, track))
		return true;
	return !timeline_is_one_process(machine->timeline, track, by) && is_client(machine, track);
}

/* Whether a descendant of the process has sent the packet. */
static bool packet_is_of_own(const struct machine *machine, uint32_t track,
                             const struct cause_note *cause)
{
	ASSUME(cause->kind == CAUSE_NET);
	return cause->originator != TRACK_NONE &&
	       timeline_descends(machine->timeline, cause->originator, track);
}

static bool packet_is_awaited(const struct machine *machine, uint32_t track,
                              const struct cause_note *cause)
{
	uint32_t sender = cause->originator;

	ASSUME(cause->kind == CAUSE_NET);
	if (cause->as.net.is_unanswered || cause->as.net.end == NET_END_ACTIVE)
		return true;
	if (cause->as.net.end == NET_END_PASSIVE)
		return packet_is_of_own(machine, track, cause);
	return sender == TRACK_NONE ? is_client(machine, track)
	                                      : task_is_awaited(machine, track, sender);
}

/* Whether the task had set an alarm for its sleep, which may have gone off since. */
static bool timeout_is_alarm(uint8_t timeout)
{
	return timeout == TIMEOUT_ALARM || timeout == TIMEOUT_SPENT;
}

bool answer_is_awaited(const struct machine *machine, uint32_t track,
                       const struct cause_note *cause)
{
	/* a kernel thread shows by its task state whether it waits for work */
	if (track_of(machine, track)->is_kernel)
		return false;
	if (request_is_awaited(machine, track) || syscall_is_for_answer(machine, track))
		return true;
	switch (cause->kind) {
	case CAUSE_TASK:
		return task_is_awaited(machine, track, cause->waker);
	case CAUSE_WORK:
		return task_is_awaited(machine, track, cause->originator);
	case CAUSE_NET:
		return packet_is_awaited(machine, track, cause);
	case CAUSE_TIMER:
		return cause->as.timer.stall != STALL_NONE;
	case CAUSE_SIGNAL:
		return timeout_is_alarm(machine->task[track].timeout);
	case CAUSE_DISK:
	case CAUSE_LOCK:
	case CAUSE_MEMORY:
		return true;
	default:
		return false;
	}
}

static bool is_kept_from_work(const struct machine *machine, uint32_t track)
{
	const struct task_role *role = role_of(machine, track);

	return role && role->owes;
}

/* Whether the waker passes on a request that it has received, or periodic work. */
static bool task_brings_work(const struct machine *machine, uint32_t track, uint32_t waker)
{
	const struct task_role *role = role_of(machine, waker);

	return role && timeline_is_one_process(machine->timeline, track, waker) &&
	       !is_kept_from_work(machine, track) &&
	       ((role->has_request && !role->is_asked_by_own) ||
	        service_is_woken_by_beat(machine, track, waker));
}

/* Whether the track is a server that has answered all that it was asked for, as far as is known. */
static bool is_idle_server(const struct machine *machine, uint32_t track)
{
	const struct task_role *role = role_of(machine, track);

	return role && role->serves && !role->owes;
}

/* Whether the sleep was ended by work, if neither its call nor its stack shows that. */
static bool cause_is_work(const struct machine *machine, uint32_t track,
                          const struct cause_note *cause)
{
	switch (cause->kind) {
	case CAUSE_NET:
		return cause->as.net.end == NET_END_PASSIVE && cause->as.net.is_ready &&
		       !packet_is_awaited(machine, track, cause);
	case CAUSE_TASK:
		return cause->waker != TRACK_NONE &&
		       (task_brings_work(machine, track, cause->waker) ||
		        (service_is_called(machine, track, cause->waker) &&
		         !is_kept_from_work(machine, track)));
	case CAUSE_TIMER:
		return cause_note_is_own_timer(cause) &&
		       machine->task[track].timeout == TIMEOUT_POLL &&
		       is_idle_server(machine, track);
	default:
		return false;
	}
}

static bool sleeps_for_work(const struct machine *machine, uint32_t track,
                            const struct cause_note *cause)
{
	uint8_t detail = machine->task[track].detail;

	/* a kernel worker shows it by its state, even if the task is not known to be one */
	if (detail == ('I' | WAIT_FOR_WORK))
		return true;
	if (detail & WAIT_FOR_WORK)
		return !answer_is_awaited(machine, track, cause);
	return detail == 'S' && cause_is_work(machine, track, cause) &&
	       !track_of(machine, track)->is_kernel && !request_is_awaited(machine, track);
}

static __attribute__((noinline)) void answer_judge(struct machine *machine, uint32_t track,
                                                   const struct cause_note *cause)
{
	struct task_state *task = &machine->task[track];
	struct task_role *role;
	bool is_of_own;

	ASSUME(task->kind == SEGMENT_WAIT && task->since <= machine->now);
	if (cause->kind == CAUSE_NET) {
		is_of_own = packet_is_of_own(machine, track, cause);
		role = is_of_own ? tracker_keep_task(machine, TRACKER_ANSWER, track)
		                 : role_of(machine, track);
		if (role)
			role->is_asked_by_own = is_of_own;
	}
	if (!sleeps_for_work(machine, track, cause)) {
		task->detail &= (uint8_t)~WAIT_FOR_WORK;
		return;
	}
	task->detail |= WAIT_FOR_WORK;
	if (cause->kind == CAUSE_TASK && cause->waker != TRACK_NONE)
		service_note_beat(machine, track, cause->waker);
	if (cause->kind == CAUSE_NET || track_is_of_service(machine, track)) {
		role = tracker_keep_task(machine, TRACKER_ANSWER, track);
		role->has_request = true;
		role->serves |= cause->kind == CAUSE_NET ||
		                (cause->kind == CAUSE_TASK &&
		                 !timeline_is_one_process(machine->timeline, track, cause->waker));
		if (role->serves)
			service_note_serves(machine, track);
	}
}

static void answer_conclude(struct machine *machine, uint32_t track, struct cause_note *cause)
{
	uint8_t detail = machine->task[track].detail;

	/* most sleeps are clearly not waits for work */
	if (detail & WAIT_FOR_WORK ||
	    (detail == 'S' &&
	     (cause->kind != CAUSE_TASK ||
	      (cause->waker != TRACK_NONE &&
	       machine->task[cause->waker].has & TRACKER_BIT(ANSWER)))))
		answer_judge(machine, track, cause);
}

void answer_note_signal(struct machine *machine, uint32_t track)
{
	struct span *span = &machine->task[track].held->span;

	ASSUME(span->kind == SEGMENT_WAIT || span->kind == SEGMENT_STOPPED);
	if (timeout_is_alarm(span->timeout))
		span->detail &= (uint8_t)~WAIT_FOR_WORK;
}

/* A task that goes to sleep no longer has the request at hand, whether it has answered or not. */
static void answer_sleep(struct machine *machine, uint32_t track, uint8_t letter)
{
	(void)letter;
	role_of(machine, track)->has_request = false;
}

/* Idle servers that still sleep when the trace ends wait for work. */
static void answers_close(struct machine *machine, nsec_t end)
{
	(void)end;
	TRACKER_TASK_EACH(machine, TRACKER_ANSWER, track, const struct task_role, role)
		if (machine->task[track].kind == SEGMENT_WAIT &&
		    machine->task[track].detail == 'S' && is_idle_server(machine, track) &&
		    !request_is_awaited(machine, track))
			machine->task[track].detail |= WAIT_FOR_WORK;
}

/* What ends the sleep of a client shows what it was for: until then nothing does. */
static bool answer_asks(const struct machine *machine, uint32_t track)
{
	return !track_of(machine, track)->is_kernel &&
	       (is_client(machine, track) || request_is_awaited(machine, track) ||
	        syscall_is_for_answer(machine, track));
}

const struct tracker answer_tracker = {
	.also_with = TRACKER_BIT(SYSCALL) | TRACKER_BIT(PLACE) | TRACKER_BIT(SOCKET) |
	             TRACKER_BIT(SERVICE),
	.task_bytes = sizeof(struct task_role),
	.conclude = {answer_conclude,
	             1u << CAUSE_TASK | 1u << CAUSE_NET | 1u << CAUSE_DISK | 1u << CAUSE_LOCK |
	                     1u << CAUSE_MEMORY | 1u << CAUSE_TIMER | 1u << CAUSE_SIGNAL |
	                     1u << CAUSE_WORK,
	             ONLY_KEPT},
	.sleep = answer_sleep,
	.asks = answer_asks,
	.close = answers_close,
	.forgets_tasks = true,
};
