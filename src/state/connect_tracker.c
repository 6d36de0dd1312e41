/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Connections that tasks open and nobody answers. The wait for one ends with a timer: that of the
 * call that gave up, or that of TCP after its last try. What was waited for is the peer, which the
 * connection names; that it did not answer is told by the retransmits, or by where the task slept.
 *
 * A task that opens several at once may wait for any of them: then nothing is said.
 */
#include "tracker.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

/* include/net/tcp_states.h of the kernel */
#define STATE_SYN_SENT 2

/* Being opened at one time; of more nothing is said until these are through. */
#define OPENINGS_MAX 256

struct opening {
	uint64_t socket;
	uint32_t line;
	uint32_t peer; /* id in names */
	uint16_t local_port;
	uint32_t retransmits;
	nsec_t retransmitted; /* last */
};

struct openings {
	struct opening opening[OPENINGS_MAX];
	size_t count;
	bool is_crowded; /* some are not here */
};

static struct opening *openings_find(struct openings *openings, uint64_t socket)
{
	for (size_t i = 0; i < openings->count; i++)
		if (openings->opening[i].socket == socket)
			return &openings->opening[i];
	return NULL;
}

static void openings_remove(struct openings *openings, struct opening *opening)
{
	*opening = openings->opening[--openings->count];
	if (openings->count == 0)
		openings->is_crowded = false;
}

void connect_follow(struct machine *machine, const struct cpu *cpu, const struct event *event,
                    uint32_t peer)
{
	struct openings *openings = machine->openings;
	struct opening *opening = openings_find(openings, event->socket.socket);

	if (opening)
		openings_remove(openings, opening);
	if (event->socket.state != STATE_SYN_SENT || cpu->level != LEVEL_TASK ||
	    cpu->current == LINE_NONE || cpu->current == cpu->idle || peer == 0)
		return;
	if (openings->count == OPENINGS_MAX) {
		openings->is_crowded = true;
		return;
	}
	openings->opening[openings->count++] = (struct opening){
		.socket = event->socket.socket,
		.line = cpu->current,
		.peer = peer,
		.local_port = (uint16_t)event->socket.local_port,
	};
}

static void on_socket_retransmit(struct machine *machine, struct cpu *cpu,
                                 const struct event *event)
{
	struct opening *opening = openings_find(machine->openings, event->socket.socket);

	(void)cpu;
	socket_note_retransmit(machine, event);
	if (!opening)
		return;
	opening->retransmits++;
	opening->retransmitted = machine->now;
	/* it had none yet when it was begun */
	opening->local_port = (uint16_t)event->socket.local_port;
}

/* The only one that the task opens; NULL: none, or several. */
static const struct opening *opening_of_line(const struct openings *openings, uint32_t line)
{
	const struct opening *only = NULL;

	for (size_t i = 0; i < openings->count; i++) {
		if (openings->opening[i].line != line)
			continue;
		if (only)
			return NULL;
		only = &openings->opening[i];
	}
	return openings->is_crowded ? NULL : only;
}

/* Whether the timer that ended the wait is one that such waits end with. */
static bool is_giving_up(const struct machine *machine, const struct cause_note *cause)
{
	const char *function = intern_text(&machine->timeline->names, cause->name);

	if (strcmp(function, "tcp_write_timer") == 0)
		return true;
	return cause_note_is_own_timer(cause) && (strcmp(function, "process_timeout") == 0 ||
	                                          strcmp(function, "hrtimer_wakeup") == 0);
}

/* What the task is known to sleep in is for the connection: sure, possibly, or by no means. */
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
	const struct openings *openings = machine->openings;
	bool is_unwoken = !wake->event && cause->kind == CAUSE_UNKNOWN;
	const struct opening *opening;
	const struct task_state *task;
	uint8_t call;

	if (openings->count == 0 || wake->wakee == LINE_NONE ||
	    (cause->kind != CAUSE_TIMER && !is_unwoken))
		return;
	task = &machine->task[wake->wakee];
	opening = opening_of_line(openings, wake->wakee);
	call = task_call(task);
	if (!opening || !call_may_connect(call) ||
	    (!is_unwoken && !is_giving_up(machine, cause)))
		return;
	/* else the peer may have had no time to answer, or the sleep is for something else */
	if (call != CALL_CONNECT &&
	    (opening->retransmits == 0 || opening->retransmitted < task->since))
		return;
	cause_become_unanswered(cause, opening,
	                        is_unwoken             ? CONFIDENCE_LOW
	                        : call == CALL_CONNECT ? CONFIDENCE_HIGH
	                                               : CONFIDENCE_MEDIUM);
}

static void connects_begin(struct machine *machine)
{
	machine->openings = xcalloc(1, sizeof(*machine->openings));
}

static void connects_forget(struct machine *machine)
{
	machine->openings->count = 0;
	machine->openings->is_crowded = false;
}

static void connects_end(struct machine *machine)
{
	free(machine->openings);
}

static const struct handler_row connect_handlers[] = {
	{EVENT_SOCKET_RETRANSMIT, on_socket_retransmit},
};

const struct tracker connect_tracker = {
	.name = "connect",
	.handlers = connect_handlers,
	.handler_count = ARRAY_SIZE(connect_handlers),
	.refine = connect_refine,
	.refines_unwoken = true,
	.begin = connects_begin,
	.forget = connects_forget,
	.end = connects_end,
};
