/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Connections that tasks open and no peer answers. The wait for such a connection ends with a
 * timer: the timer of the call that gave up, or TCP's timer after the last try. The task waited for
 * the peer, which the connection names. Retransmits, or the place of the sleep, show that the peer
 * did not answer.
 *
 * A task that opens several connections at once may wait for any of them: then no cause is given.
 */
#include <string.h>

#include "sockets.h"
#include "task_call.h"
#include "task_openings.h"

/* Whether such a wait can end by this timer. */
static bool is_giving_up(const struct machine *machine, const struct cause_note *cause)
{
	const char *function = intern_text(&machine->timeline->names, cause->name);

	return strcmp(function, "tcp_write_timer") == 0 ||
	       cause_note_is_timeout(machine->timeline, cause);
}

/* Whether a task in that call may sleep for a connection. CALL_NONE: the call is not known. */
static bool call_may_connect(uint8_t call)
{
	return call == CALL_NONE || call == CALL_CONNECT || call == CALL_POLL ||
	       call == CALL_SELECT || call == CALL_EPOLL;
}

static void cause_become_unanswered(struct cause_note *cause, const struct opening *opening,
                                    enum confidence confidence)
{
	cause_note_init(cause, CAUSE_NET, confidence);
	cause->as.net.peer = opening->peer;
	cause->as.net.local_port = opening->local_port;
	cause->as.net.retransmits = opening->retransmits;
	cause->as.net.is_unanswered = true;
}

static void connect_refine(const struct machine *machine, const struct wake *wake,
                           struct cause_note *cause)
{
	const struct task_openings *openings = tracker_task(machine, TRACKER_CONNECT, wake->wakee);
	bool is_unwoken = !wake->event && cause->kind == CAUSE_UNKNOWN;
	uint8_t call = syscall_sleep(machine, wake->wakee);
	struct opening opening;

	if ((cause->kind != CAUSE_TIMER && !is_unwoken) || openings->count > 1 ||
	    !call_may_connect(call) || (!is_unwoken && !is_giving_up(machine, cause)) ||
	    !socket_opening(machine, openings->sockets, &opening))
		return;
	/* otherwise the peer may have had no time to answer, or the sleep is for something else */
	if (call != CALL_CONNECT &&
	    (opening.retransmits == 0 ||
	     opening.retransmitted < machine->task[wake->wakee].since))
		return;
	cause_become_unanswered(cause, &opening,
	                        is_unwoken             ? CONFIDENCE_LOW
	                        : call == CALL_CONNECT ? CONFIDENCE_HIGH
	                                               : CONFIDENCE_MEDIUM);
}

static void connects_forget(struct machine *machine)
{
	tracker_drop_tasks(machine, TRACKER_CONNECT);
}

const struct tracker connect_tracker = {
	.name = "connect",
	.also_with = TRACKER_BIT(SOCKET),
	.task_bytes = sizeof(struct task_openings),
	.refine = connect_refine,
	.refines_causes = 1u << CAUSE_TIMER | 1u << CAUSE_UNKNOWN,
	.refines_kept = true,
	.refines_unwoken = true,
	.forget = connects_forget,
};
