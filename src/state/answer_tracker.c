/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Servers sleep in poll and its like while they have nothing to do; clients, shells and build tools
 * sleep there until comes what they have asked for. The place is the same, so what ends the sleep
 * decides:
 *
 *	the task's own child, or a child of that              asked for
 *	a disk, a lock, memory, a peer that did not answer    asked for
 *	what a timer of TCP's let go of                       asked for, or half of it had come
 *	a connection that this end has opened                 asked for
 *	anything while an answer is due that it has asked for  asked for: request_tracker.c
 *	a connection that the other end has opened            work
 *	another thread of the process                         work: threads hand it on
 *	anything else from outside                            asked for by a program of which
 *	                                                      all was recorded, and that accepts
 *	                                                      no connections
 *
 * All else, as timers and what nobody is known to have sent, is taken for having had nothing to do.
 */
#include "answer_tracker.h"

#include "request_tracker.h"

#define ANCESTORS_MAX 64 /* of a task that are asked for; a bound for what is damaged */

static const struct line *line_of(const struct machine *machine, uint32_t line)
{
	return &machine->timeline->line[line];
}

/* A thread of the same process counts only for the thread that has made it. */
static bool is_descendant(const struct machine *machine, uint32_t line, uint32_t of)
{
	bool is_thread = timeline_is_one_process(machine->timeline, line, of);

	for (unsigned steps = 0; line != LINE_NONE && steps < ANCESTORS_MAX; steps++) {
		line = line_of(machine, line)->parent;
		if (line == of ||
		    (!is_thread && timeline_is_one_process(machine->timeline, line, of)))
			return true;
	}
	return false;
}

/* Of a client, as far as that is known. */
static bool is_client(const struct machine *machine, uint32_t line)
{
	const struct line *self = line_of(machine, line);
	const struct line *leader = line_of(machine, machine_leader(machine, line));

	return (self->is_program_seen || leader->is_program_seen) && !self->accepts &&
	       !leader->accepts;
}

/* By whom, where it is known. */
static bool task_is_awaited(const struct machine *machine, uint32_t line, uint32_t by)
{
	if (by == LINE_NONE || by == line)
		return false;
	if (is_descendant(machine, by, line))
		return true;
	return !timeline_is_one_process(machine->timeline, line, by) && is_client(machine, line);
}

static bool packet_is_awaited(const struct machine *machine, uint32_t line,
                              const struct cause_note *cause)
{
	if (cause->as.net.is_unanswered || cause->as.net.end == NET_END_ACTIVE)
		return true;
	if (cause->as.net.end == NET_END_PASSIVE)
		return false;
	return cause->originator == LINE_NONE ? is_client(machine, line)
	                                      : task_is_awaited(machine, line, cause->originator);
}

bool answer_is_awaited(const struct machine *machine, uint32_t line,
                       const struct cause_note *cause)
{
	/* a thread of the kernel says itself what it sleeps for */
	if (line_of(machine, line)->is_kernel)
		return false;
	if (request_is_awaited(machine, line))
		return true;
	switch (cause->kind) {
	case CAUSE_TASK:
		return task_is_awaited(machine, line, cause->waker);
	case CAUSE_NET:
		return packet_is_awaited(machine, line, cause);
	case CAUSE_TIMER:
		return cause->as.timer.stall != STALL_NONE;
	case CAUSE_DISK:
	case CAUSE_LOCK:
	case CAUSE_MEMORY:
		return true;
	default:
		return false;
	}
}

void answer_note_accept(struct machine *machine, uint32_t line)
{
	machine->timeline->line[line].accepts = true;
	machine->timeline->line[machine_leader(machine, line)].accepts = true;
}

static void answer_conclude(struct machine *machine, uint32_t line, struct cause_note *cause)
{
	struct task_state *task = &machine->task[line];

	if (task->detail & WAIT_FOR_WORK && answer_is_awaited(machine, line, cause))
		task->detail &= (uint8_t)~WAIT_FOR_WORK;
}

const struct tracker answer_tracker = {
	.name = "answer",
	.also_with = TRACKER_BIT(SYSCALL) | TRACKER_BIT(PLACE),
	.conclude = answer_conclude,
	.concludes = 1u << CAUSE_TASK | 1u << CAUSE_NET | 1u << CAUSE_DISK | 1u << CAUSE_LOCK |
	             1u << CAUSE_MEMORY | 1u << CAUSE_TIMER,
};
