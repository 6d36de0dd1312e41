/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Requests: a task that has sent on a connection that it opened, or first on a connectionless
 * socket, and has received nothing since, waits for the answer. Many do so in slices, with a time
 * limit for each sleep: each sleep ends by a timer of its own, and the cause of each names the
 * request.
 *
 *	send  poll      poll      poll      data
 *	|-----|---------|---------|---------|
 *	      timer     timer     packet
 *
 * A process may have several; the one that it began last counts, as a request to a peer that never
 * answers, such as a log, began long before. A task that waits and sends again many times, and
 * never receives anything, does not make requests.
 *
 * Which sleeps are for an answer: those of any thread of a client in poll and its like and in recv,
 * if calls or stacks show that. Otherwise the time limit decides (enum sleep_timeout): a long one
 * with little slack is not that of a poll. Without either, only a sleep of a thread that has sent
 * or received there itself counts.
 *
 * The threads of a client may sleep for its sockets by turns, as those of Go do, whichever of them
 * has sent. Sleeps that nothing else distinguishes are assumed to be such turns
 *
 *	- if their time limits are of whole milliseconds (limit_is_whole() of timer_tracker.c);
 *	- if no two threads slept so at the same time, or hardly ever, as a watchdog would;
 *	- if the thread that the answer woke, or that received it awake, had slept so.
 *
 * The last condition is known only when the answer has come. So the notes of such sleeps refer to
 * the request, whose note then shows whether they were turns.
 *
 * A process whose threads sleep so without a request sleeps for what comes in next: on a connection
 * with several streams, as those of HTTP/2, the answer comes long after an acknowledgement; on one
 * that the other end opened it is work. These sleeps share a note, too (process_next()), until
 * data end one of them, or the process sends or receives something else. They count if the process
 * then sends, closes a connection or ends before it sleeps so again: others may only have gone on.
 *
 * The opening of a connection is a request, too: the peer is asked from the first SYN until it
 * accepts or refuses, or the task gives up. A sleep for it that a limit of the task or TCP's timer
 * ends has the peer that did not answer as its cause. If a process opens connections to several
 * peers at once, as for several addresses of one name, it waits for any of them.
 *
 * A wait that a signal ends, or the end of the trace, has no time limit that shows what kind of
 * sleep it was. It was for the request if its call, its stack or a limit that was armed shows that,
 * if TCP sent again meanwhile, or if it was the task's first sleep since it asked, and it has no
 * other threads. For a signal that is noted as the task's aim.
 */
#include "state/trackers.h"

#include <string.h>

#include "base/assume.h"
#include "connection.h"
#include "ftwait/aim.h"
#include "graph/timeline/timeline_tasks.h"
#include "net_trackers.h"
#include "retries.h"
#include "state/core/held_wait.h"
#include "state/core/machine.h"
#include "state/tasks/open_wait_tracker.h"
#include "state/tasks/task_call.h"

/* The most open requests of one process; older ones are not seen. */
#define OPEN_MAX 8

/* The most sockets that are remembered: no event records the closing of connectionless ones. */
#define REQUESTS_MAX (1u << 14)

/* A socket that was sent on; by its address. */
struct socket_request {
	bool is_set, is_open;
	bool is_opening; /* the request is the opening of the connection */
	bool is_first;  /* the process has sent before it received, ever */
	bool has_taken; /* there were answers, or data that may be one */
	bool is_waited; /* the process has slept for the answer since it sent last */
	uint8_t protocol, tries;
	uint32_t process; /* track of its first thread */
	uint32_t sender, taker; /* last tracks; TRACK_NONE */
	uint32_t note; /* index in the timeline's causes + 1; 0: none was made */
	nsec_t begin;  /* first send since the last answer */
	uint64_t key;  /* of the connection */
};

struct task_requests {
	/* of a process, kept with its first thread: addresses of the sockets, by the begin of the
	   requests */
	uint64_t open[OPEN_MAX];
	uint32_t open_count;
	/* of a process, too: end and track of the last sleep with a time limit */
	nsec_t limited;
	uint32_t limiter;
	/* since the request: by_turns: time in sleeps that may be turns; at_once: time in which two
	   threads slept with such limits */
	nsec_t by_turns, at_once;
	/* link: of a process, what its threads sleep for by turns until data come in for it; 0 */
	uint32_t next;
	/* the same of sleeps that data have ended by turns, until the process does something
	   about that */
	uint32_t came;
	nsec_t closed; /* when this thread's last request was answered */
	nsec_t turn;   /* end of this thread's last sleep that may be a turn */
	/* this thread has asked: since its last sleep; between its last sleep and the one before */
	bool has_asked, asked_before_sleep;
	uint32_t track_count; /* in the timeline, when it asked last */
};

struct socket_requests {
	struct object_pool by_socket; /* struct socket_request */
	uint32_t open_count;
	/* answered: link to the last answered request, until a thread receives the answer, else 0;
	   answered_process: track of the first thread of its process */
	uint32_t answered, answered_process;
};

/* If sleeps are turns, two threads have such time limits at once for at most 1 / AT_ONCE_PART of
   the time. */
#define AT_ONCE_PART 8

/* Whether a sleep is for an answer. */
enum sight {
	SIGHT_NO,
	SIGHT_MAYBE,
	SIGHT_RECEIVE, /* if at all, for an answer on a socket of that thread */
	SIGHT_CONNECT, /* for a connection that the thread opens */
	SIGHT_YES,
	SIGHT_SEEN, /* the recorder saw at which connection */
};

OWN_DATA(requests_of, struct socket_requests, REQUEST)
TASK_DATA(task_requests, struct task_requests, REQUEST)

/* Requests of the track's process; NULL: it has made none. */
static struct task_requests *process_requests(const struct machine *machine, uint32_t track)
{
	return task_requests(machine, machine_leader(machine, track));
}

static struct socket_request *request_of_socket(const struct machine *machine, uint64_t socket)
{
	return object_pool_find(&requests_of(machine)->by_socket, socket);
}

static void process_take(struct machine *machine, uint32_t process, uint64_t socket)
{
	struct task_requests *of = task_requests(machine, process);
	uint32_t kept = 0;

	if (!of) /* it has ended */
		return;
	ASSUME(of->open_count <= OPEN_MAX);
	for (uint32_t i = 0; i < of->open_count; i++)
		if (of->open[i] != socket)
			of->open[kept++] = of->open[i];
	of->open_count = kept;
}

static void thread_note_closed(struct machine *machine, uint32_t track)
{
	struct task_requests *own;

	if (track == TRACK_NONE || machine->task[track].kind == SEGMENT_DEAD)
		return;
	own = tracker_keep_task(machine, TRACKER_REQUEST, track);
	ASSUME(own->closed <= machine->now);
	own->closed = machine->now;
}

static void request_close(struct machine *machine, struct socket_request *request,
                          bool is_answered)
{
	struct cause_note *note = timeline_amend_linked(machine->timeline, request->note);

	if (!request->is_open)
		return;
	ASSUME(requests_of(machine)->open_count > 0 && request->begin <= machine->now);
	if (note && is_answered)
		note->as.net.is_unanswered = false;
	process_take(machine, request->process, object_pool_key(request));
	thread_note_closed(machine, request->sender);
	if (request->taker != request->sender)
		thread_note_closed(machine, request->taker);
	request->is_open = request->is_opening = false;
	requests_of(machine)->open_count--;
}

static void request_open(struct machine *machine, struct socket_request *request)
{
	struct task_requests *of = tracker_keep_task(machine, TRACKER_REQUEST, request->process);

	ASSUME(!request->is_open);
	request->is_open = true;
	request->is_waited = false;
	request->begin = machine->now;
	request->note = 0;
	request->tries = 0;
	machine->timeline->track[request->process].has_asked = true;
	if (of->open_count == 0)
		of->limited = of->by_turns = of->at_once = 0;
	if (of->open_count == OPEN_MAX)
		process_take(machine, request->process, of->open[0]);
	of->open[of->open_count++] = object_pool_key(request);
	requests_of(machine)->open_count++;
}

static void request_drop(struct machine *machine, struct socket_request *request)
{
	request_close(machine, request, /* is_answered= */ false);
	ASSUME(!request->is_open);
	(void)object_pool_take(&requests_of(machine)->by_socket, object_pool_key(request));
}

/* The request of the socket, unless that may be another one at the same address than when it was
   last seen. The close of a connection would have been recorded, so for a connection it is enough
   that both may belong to one process. */
static struct socket_request *request_keep(struct machine *machine, uint32_t track,
                                           uint64_t socket, uint16_t protocol)
{
	struct object_pool *pool = &requests_of(machine)->by_socket;
	struct socket_request *request = object_pool_find(pool, socket);
	uint32_t process = machine_leader(machine, track);
	const struct track *tracks = machine->timeline->track;

	if (request && request->protocol == protocol &&
	    (request->process == process ||
	     (protocol == PROTOCOL_TCP &&
	      (tracks[request->process].tgid <= 0 || tracks[process].tgid <= 0))))
		return request;
	if (request)
		request_drop(machine, request);
	if (object_pool_count(pool) == REQUESTS_MAX)
		request_drop(machine, object_pool_at(pool, pool->oldest));
	request = object_pool_put(pool, socket);
	ASSUME(!request->is_set && !request->is_open);
	request->protocol = (uint8_t)protocol;
	request->process = process;
	request->sender = request->taker = TRACK_NONE;
	return request;
}

/* Whether the socket may make requests: a connectionless one that received first is a server's. */
static bool request_asks(const struct socket_request *request)
{
	return request->protocol == PROTOCOL_TCP || request->is_first;
}

static bool is_served_connection(const struct machine *machine,
                                 const struct transfer_event *transfer, uint64_t key)
{
	return transfer->protocol == PROTOCOL_TCP && socket_end(machine, key) == NET_END_PASSIVE;
}

bool request_socket_serves(const struct machine *machine, uint64_t socket)
{
	const struct socket_request *request = request_of_socket(machine, socket);

	return request && !request_asks(request);
}

static void thread_note_asked(struct machine *machine, uint32_t track)
{
	struct task_requests *own = tracker_keep_task(machine, TRACKER_REQUEST, track);

	own->has_asked = true;
	own->track_count = (uint32_t)machine->timeline->track_count;
}

void request_note_opening(struct machine *machine, uint32_t track, uint64_t socket)
{
	struct socket_request *request = request_keep(machine, track, socket, PROTOCOL_TCP);

	request_close(machine, request, /* is_answered= */ false);
	request->is_set = request->is_first = request->is_opening = true;
	request->sender = track;
	request->key = socket;
	thread_note_asked(machine, track);
	request_open(machine, request);
}

/* The request is answered: what the process received last decides whether its threads slept by
   turns. */
static void requests_note_answered(struct machine *machine, const struct socket_request *request)
{
	requests_of(machine)->answered = request->note;
	requests_of(machine)->answered_process = request->process;
}

void request_note_opened(struct machine *machine, uint64_t socket)
{
	struct socket_request *request = request_of_socket(machine, socket);

	if (!request || !request->is_opening)
		return;
	ASSUME(request->is_open);
	requests_note_answered(machine, request);
	request_close(machine, request, /* is_answered= */ true);
}

/* The process sends, closes a connection or ends: it has slept for what came in last. */
static void process_note_act(const struct machine *machine, uint32_t track)
{
	struct task_requests *of = process_requests(machine, track);
	struct cause_note *note = of ? timeline_amend_linked(machine->timeline, of->came) : NULL;

	ASSUME(!note || note->kind == CAUSE_NET);
	if (note)
		note->as.net.has_turns = true;
	if (of)
		of->came = of->next = 0;
}

void request_note_sent(struct machine *machine, const struct cpu *cpu,
                       const struct transfer_event *transfer, uint64_t key)
{
	struct socket_request *request;
	struct cause_note *note;

	if (cpu_doer(cpu) == TRACK_NONE)
		return;
	process_note_act(machine, cpu->current);
	if (is_served_connection(machine, transfer, key)) {
		answer_note_answer(machine, cpu->current);
		return;
	}
	request = request_keep(machine, cpu->current, transfer->socket,
	                       (uint16_t)transfer->protocol);
	if (request->is_opening) /* what was sent went with the SYN */
		request_close(machine, request, /* is_answered= */ false);
	if (!request->is_set)
		request->is_first = socket_end(machine, key) != NET_END_PASSIVE;
	request->is_set = true;
	if (!request_asks(request)) {
		answer_note_answer(machine, cpu->current);
		return;
	}
	request->sender = cpu->current;
	request->key = key;
	thread_note_asked(machine, cpu->current);
	if (!request->is_open) {
		request_open(machine, request);
	} else if (request->is_waited) {
		request->is_waited = false;
		if (request->tries <= REQUEST_TRIES_MAX)
			request->tries++;
		note = timeline_amend_linked(machine->timeline, request->note);
		if (note)
			note->as.net.retransmits = request->tries;
	}
}

/* The track's sleep, with a limit that may be of a turn, has ended. */
static void process_note_limited(struct machine *machine, uint32_t track)
{
	struct task_requests *of = process_requests(machine, track);
	nsec_t begin = machine->task[track].since;

	if (!of)
		return;
	ASSUME(begin <= machine->now && of->limited <= machine->now);
	if (of->limited > begin && of->limiter != track)
		of->at_once += of->limited - begin;
	of->limited = machine->now;
	of->limiter = track;
	of = tracker_keep_task(machine, TRACKER_REQUEST, track);
	of->turn = machine->now;
}

/* Whether the threads of the process have slept by turns since then; the track has received. */
static bool process_has_turns(const struct machine *machine, uint32_t track, nsec_t since)
{
	const struct task_requests *of = process_requests(machine, track);
	const struct task_requests *own = task_requests(machine, track);

	return own && own->turn > since && of && of->by_turns &&
	       of->at_once <= of->by_turns / AT_ONCE_PART;
}

/* The track has received data. If that is the last answer to its process, notes in the request
   whether the threads slept for it by turns. */
static void requests_settle_turns(struct machine *machine, uint32_t track)
{
	struct socket_requests *requests = requests_of(machine);
	struct cause_note *note = timeline_amend_linked(machine->timeline, requests->answered);

	if (!note || machine_leader(machine, track) != requests->answered_process)
		return;
	ASSUME(note->kind == CAUSE_NET && note->origin <= machine->now);
	requests->answered = 0;
	note->as.net.has_turns = process_has_turns(machine, track, note->origin);
}

/* What threads of the process sleep for by turns while it has asked for nothing, as a link. A
   single thread takes no turns. */
static uint32_t process_next(struct machine *machine, uint32_t track)
{
	uint32_t process = machine_leader(machine, track);
	struct task_requests *of;
	struct cause_note note;

	if (!machine->task[process].is_threaded)
		return 0;
	of = tracker_keep_task(machine, TRACKER_REQUEST, process);
	of->came = 0;
	if (timeline_linked_cause(machine->timeline, of->next))
		return of->next;
	cause_note_init(&note, CAUSE_NET, CONFIDENCE_MEDIUM);
	note.origin = machine->task[track].since;
	note.as.net.is_request = true;
	of->limited = of->by_turns = of->at_once = 0;
	of->next = timeline_note_cause(machine->timeline, &note) + 1;
	return of->next;
}

/* Data have come in, which ended the track's sleep. */
static void process_settle_next(struct machine *machine, uint32_t track,
                                const struct cause_note *cause)
{
	struct task_requests *of = process_requests(machine, track);
	struct cause_note *note = of ? timeline_amend_linked(machine->timeline, of->next) : NULL;

	if (!note)
		return;
	ASSUME(note->kind == CAUSE_NET && note->as.net.is_request);
	note->originator = cause->originator;
	note->as.net.is_by_own =
		timeline_is_one_process(machine->timeline, cause->originator, track);
	note->as.net.bytes = cause->as.net.bytes;
	note->as.net.peer = cause->as.net.peer;
	note->as.net.local_port = cause->as.net.local_port;
	note->as.net.end = cause->as.net.end;
	of->came = process_has_turns(machine, track, note->origin) ? of->next : 0;
	of->next = 0;
}

void request_note_taken(struct machine *machine, const struct cpu *cpu,
                        const struct transfer_event *transfer, uint64_t key)
{
	struct socket_request *request;
	struct task_requests *of;

	if (cpu_doer(cpu) == TRACK_NONE)
		return;
	of = process_requests(machine, cpu->current);
	if (of) /* what the process sleeps for from now on is something else */
		of->next = 0;
	if (is_served_connection(machine, transfer, key)) {
		answer_note_request(machine, cpu->current);
		return;
	}
	request = request_keep(machine, cpu->current, transfer->socket,
	                       (uint16_t)transfer->protocol);
	if (!request_asks(request)) {
		if (!request->is_set)
			answer_note_first(machine, cpu->current);
		answer_note_request(machine, cpu->current);
	}
	request->is_set = request->has_taken = true;
	request->taker = cpu->current;
	request->key = key;
	request_close(machine, request, /* is_answered= */ true);
	ASSUME(!request->is_open && request->is_set);
	requests_settle_turns(machine, cpu->current);
}

void request_note_ready(struct machine *machine, const struct cpu *cpu, uint64_t socket)
{
	struct socket_request *request =
		requests_of(machine)->open_count ? request_of_socket(machine, socket) : NULL;
	struct cause_note *note;

	if (!request)
		return;
	request->has_taken = true;
	if (!request->is_open)
		return;
	requests_note_answered(machine, request);
	note = timeline_amend_linked(machine->timeline, request->note);
	if (note) {
		note->originator = net_sender(machine, cpu);
		if (note->originator == TRACK_NONE)
			note->originator = socket_writer(machine, request->key);
		note->as.net.is_by_own = timeline_is_one_process(
			machine->timeline, note->originator, request->process);
	}
	request_close(machine, request, /* is_answered= */ true);
}

struct request_left request_left(const struct machine *machine, uint64_t socket)
{
	const struct socket_request *request = request_of_socket(machine, socket);

	return request ? (struct request_left){request->begin,
		                               request->is_open && request->is_waited,
		                               request->tries > REQUEST_TRIES_MAX}
	               : (struct request_left){0};
}

void request_note_closed(struct machine *machine, uint64_t socket)
{
	struct socket_request *request = request_of_socket(machine, socket);

	if (!request)
		return;
	process_note_act(machine, request->process);
	request_drop(machine, request);
}

/* TCP's own timer, after the last try. */
static bool is_of_tcp(const struct machine *machine, const struct cause_note *cause)
{
	return cause->kind == CAUSE_TIMER &&
	       strcmp(intern_text(&machine->timeline->names, cause->name), "tcp_write_timer") == 0;
}

/* Judges by the timer that ended the sleep, or that was armed for it. */
static enum sight timeout_sight(const struct machine *machine, const struct task_state *task,
                                const struct cause_note *cause)
{
	if (is_of_tcp(machine, cause))
		return SIGHT_YES;
	switch (task->timeout) {
	case TIMEOUT_RELATIVE:
		return SIGHT_NO;
	case TIMEOUT_POLL:
		return SIGHT_YES;
	case TIMEOUT_OTHER:
	case TIMEOUT_AGAIN:
		if (cause->kind != CAUSE_TIMER)
			return SIGHT_MAYBE;
		/* of the timer wheel */
		if (strcmp(intern_text(&machine->timeline->names, cause->name),
		           "process_timeout") == 0)
			return SIGHT_RECEIVE;
		/* real-time tasks have no slack */
		if (task->priority < PRIORITY_FAIR_MIN)
			return SIGHT_MAYBE;
		return machine->now - task->since > POLL_SLACK_MIN ? SIGHT_NO : SIGHT_MAYBE;
	default:
		return SIGHT_MAYBE;
	}
}

static enum sight sleep_sight(const struct machine *machine, uint32_t track,
                              const struct cause_note *cause)
{
	uint8_t call = syscall_sleep(machine, track);

	if (call == CALL_NONE)
		return timeout_sight(machine, &machine->task[track], cause);
	return call_is_poll(call)       ? SIGHT_YES
	       : call == CALL_RECEIVE ? SIGHT_RECEIVE
	       : call == CALL_CONNECT ? SIGHT_CONNECT
	                              : SIGHT_NO;
}

/* Whether the process opens connections to other peers, too. */
static bool opens_others(const struct machine *machine, const struct socket_request *request,
                         uint32_t peer)
{
	const struct task_requests *of = task_requests(machine, request->process);
	const struct socket_request *other;
	const struct connection *opening;

	ASSUME(request->is_open && request->is_opening);
	for (uint32_t i = 0; of && i < of->open_count; i++) {
		other = request_of_socket(machine, of->open[i]);
		opening = other && other->is_opening ? socket_find(machine, other->key) : NULL;
		if (opening && opening->shown.peer != peer)
			return true;
	}
	return false;
}

/* Fills in the cause, as far as known; false: what was sent on the socket is no request. */
static bool request_describe(const struct machine *machine, const struct socket_request *request,
                             struct cause_note *ret)
{
	bool is_known = socket_describe(machine, request->key, ret);
	const struct connection *connection, *other;

	ASSUME(ret->kind == CAUSE_NET);
	ret->origin = request->begin;
	ret->as.net.is_unanswered = true;
	ret->as.net.is_request = !request->is_opening;
	ret->as.net.retransmits = request->tries;
	if (request->tries > REQUEST_TRIES_MAX)
		return false;
	if (request->is_opening) {
		connection = socket_find(machine, request->key);
		if (!connection)
			return false;
		ret->as.net.retransmits = connection->shown.retransmits;
		if (opens_others(machine, request, connection->shown.peer))
			ret->as.net.peer = ret->as.net.local_port = 0;
		return true;
	}
	if (request->protocol == PROTOCOL_TCP) {
		if (socket_find_ends(machine, request->key, &connection, &other))
			ret->originator = other->end.reader;
		return is_known && ret->as.net.end == NET_END_ACTIVE;
	}
	ret->as.net.end = NET_END_ACTIVE;
	if (!is_known)
		ret->as.net.peer = intern_adds(&machine->timeline->names, "udp");
	return true;
}

/* Whether the track may sleep for the request: it is the thread's own, or that of another thread of
   a process that is only a client; or the recorder saw it at that connection. */
static bool request_may_be_for(const struct machine *machine, const struct socket_request *request,
                               uint32_t track, enum sight sight)
{
	const struct track *tracks = machine->timeline->track;
	bool is_datagram = request->protocol != PROTOCOL_TCP;

	ASSUME(request->is_open && sight != SIGHT_NO);
	if (sight == SIGHT_SEEN)
		return true;
	if (sight == SIGHT_CONNECT)
		return request->is_opening && request->sender == track;
	if (request->sender == track || request->taker == track)
		return !is_datagram || sight != SIGHT_MAYBE || request->has_taken;
	return sight == SIGHT_YES && !tracks[track].accepts && !tracks[request->process].accepts;
}

/* Finds the request that a sleep of the track may be for, as far as `sight` shows, with its cause;
   NULL: none. */
static struct socket_request *request_find(const struct machine *machine, uint32_t track,
                                           enum sight sight, struct cause_note *ret)
{
	const struct task_requests *of =
		sight == SIGHT_NO ? NULL : process_requests(machine, track);
	uint32_t peer = sight == SIGHT_SEEN ? open_wait_noted(machine, track)->path : 0;
	struct socket_request *request;

	for (uint32_t i = of ? of->open_count : 0; i-- > 0;) {
		request = request_of_socket(machine, of->open[i]);
		if (!request || !request_may_be_for(machine, request, track, sight))
			continue;
		cause_note_init(ret, CAUSE_NET, CONFIDENCE_MEDIUM);
		if (request_describe(machine, request, ret) && (!peer || ret->as.net.peer == peer))
			return request;
	}
	return NULL;
}

/* When the task's last sleep began; the task may have been woken since. */
static nsec_t last_sleep_begin(const struct task_state *task)
{
	return task->kind == SEGMENT_RUNNABLE && task->held && task->held->after_count == 0
	               ? task->held->span.begin
	               : task->since;
}

bool request_is_awaited(const struct machine *machine, uint32_t track)
{
	const struct task_requests *own = task_requests(machine, track);
	struct cause_note note;

	if (own && own->closed && own->closed >= last_sleep_begin(&machine->task[track]))
		return true;
	return requests_of(machine)->open_count &&
	       request_find(machine, track, SIGHT_RECEIVE, &note);
}

/* The timer does not identify the sleep: later events decide whether it is a turn. */
static void request_conclude_turn(struct machine *machine, uint32_t track,
                                  struct cause_note *cause)
{
	struct cause_note note;
	struct socket_request *request = request_find(machine, track, SIGHT_YES, &note);
	uint32_t link = request ? link_share(machine, &request->note, &note)
	                        : process_next(machine, track);

	ASSUME(cause->kind == CAUSE_TIMER);
	if (!link)
		return;
	process_requests(machine, track)->by_turns += machine->now - machine->task[track].since;
	cause->as.timer.request = link;
	cause->as.timer.is_turn = true;
}

/* The track's own time limit has ended its sleep. */
static void request_conclude_slice(struct machine *machine, uint32_t track,
                                   struct cause_note *cause)
{
	struct task_state *task = &machine->task[track];
	enum sight sight = sleep_sight(machine, track, cause);
	struct socket_request *request;
	struct cause_note note;
	bool is_of_turn;

	ASSUME(cause->kind == CAUSE_TIMER);
	if (sight == SIGHT_NO)
		return;
	is_of_turn = limit_may_be_of_poll(task);
	request = request_find(machine, track, sight, &note);
	if (!request && is_of_turn && sight != SIGHT_RECEIVE)
		request_conclude_turn(machine, track, cause);
	if (is_of_turn)
		process_note_limited(machine, track);
	if (!request)
		return;
	connection_emit_unanswered(machine, track, task->since, machine->now, &note);
	cause->as.timer.request = link_share(machine, &request->note, &note);
	request->is_waited = true;
	task->detail &= (uint8_t)~WAIT_FOR_WORK;
}

static bool sleep_may_be_for_answer(uint8_t detail)
{
	return (detail & (uint8_t)~WAIT_FOR_WORK) == 'S';
}

/* The request that the sleep was for, with its cause, though no time limit shows that: more than
   the thread's role does; NULL: none. */
static struct socket_request *request_evident(const struct machine *machine, uint32_t track,
                                              const struct cause_note *cause,
                                              struct cause_note *ret)
{
	const struct task_requests *own = task_requests(machine, track);
	enum sight sight = sleep_sight(machine, track, cause);
	struct socket_request *request = request_find(machine, track, sight, ret);
	const struct connection *opening;

	if (!request)
		return NULL;
	ASSUME(request->is_open && sight != SIGHT_NO);
	if (sight != SIGHT_MAYBE || (own && own->asked_before_sleep &&
	                             !machine->task[request->process].is_threaded))
		return request;
	opening = request->is_opening ? socket_find(machine, request->key) : NULL;
	return opening && opening->shown.retransmits &&
	                       opening->retransmitted >= last_sleep_begin(&machine->task[track])
	               ? request : NULL;
}

/* The task still sleeps when the trace ends, and the recorder has not seen what for, or at which
   connection. */
static void open_wait_explain(const struct machine *machine, uint32_t track,
                              struct cause_note *cause)
{
	const struct noted_wait *noted = open_wait_noted(machine, track);
	bool is_seen = noted && noted->has_peer && noted->aim != AIM_FOR_WORK;
	const struct socket_request *request;
	struct cause_note note;

	ASSUME(cause->kind == CAUSE_UNKNOWN);
	if (noted && noted->aim != AIM_NONE && !is_seen)
		return;
	request = is_seen ? request_find(machine, track, SIGHT_SEEN, &note)
	                  : request_evident(machine, track, cause, &note);
	/* another thread of the process may take the answer while this one sleeps on: then it is
	   not known before the sleep ends what it was for */
	if (!request || (!is_seen && machine->task[request->process].is_threaded &&
	                 request->taker != track && syscall_sleep(machine, track) != CALL_RECEIVE &&
	                 !(request->is_opening && request->sender == track)))
		return;
	if (!is_seen)
		note.confidence = CONFIDENCE_LOW;
	else if (note.originator == TRACK_NONE)
		note.originator = machine_task_of(machine, noted->wait.owner);
	if (is_seen && !noted->purpose)
		note.purpose = cause->purpose;
	*cause = note;
}

/* The time is over in which the task waited for the peer of a connection that it opens. */
static void opening_explain(const struct machine *machine, uint32_t track,
                            struct cause_note *cause)
{
	enum sight sight = sleep_sight(machine, track, cause);
	struct cause_note note;
	const struct socket_request *request = request_find(machine, track, sight, &note);

	if (!request || !request->is_opening)
		return;
	*cause = note;
	if (sight == SIGHT_CONNECT)
		cause->confidence = CONFIDENCE_HIGH;
}

static void request_refine(const struct machine *machine, const struct wake *wake,
                           struct cause_note *cause)
{
	if (requests_of(machine)->open_count == 0 ||
	    !sleep_may_be_for_answer(machine->task[wake->wakee].detail))
		return;
	if (!wake->event && cause->kind == CAUSE_UNKNOWN)
		open_wait_explain(machine, wake->wakee, cause);
	else if (is_of_tcp(machine, cause) || cause_note_is_timeout(cause))
		opening_explain(machine, wake->wakee, cause);
}

void request_note_exit(const struct machine *machine, uint32_t track)
{
	if (machine->hooks.awake & TRACKER_BIT(REQUEST))
		process_note_act(machine, track);
}

static void request_cut(struct machine *machine, uint32_t track)
{
	const struct span *span = &machine->task[track].held->span;
	const struct cause_note signal = {.kind = CAUSE_SIGNAL};
	struct socket_request *request;
	struct cause_note note;

	if (!(machine->hooks.awake & TRACKER_BIT(REQUEST)) ||
	    requests_of(machine)->open_count == 0 || span->kind != SEGMENT_WAIT ||
	    !sleep_may_be_for_answer(span->detail))
		return;
	request = request_evident(machine, track, &signal, &note);
	if (!request)
		return;
	ASSUME(span->begin <= span->end && note.kind == CAUSE_NET);
	request->is_waited = true;
	timeline_add_aim(machine->timeline, track,
	                 &(struct aim_note){span->begin, span->end, CAUSE_NONE, AIM_ANSWER,
	                                    AIM_SIGNAL},
	                 &note);
	connection_emit_unanswered(machine, track, span->begin, span->end, &note);
}

/* A client's request has ended the sleep of a server that has asked, too. If the answer comes,
   the sleep was for it. */
static void request_conclude_asked(struct machine *machine, uint32_t track)
{
	struct cause_note note;
	struct socket_request *request = request_find(machine, track, SIGHT_YES, &note);
	uint32_t link;

	if (!request || request->sender != track || request->protocol != PROTOCOL_TCP ||
	    !machine->timeline->keep_segments)
		return;
	link = link_share(machine, &request->note, &note);
	timeline_add_aim(machine->timeline, track,
	                 &(struct aim_note){
				 .begin = machine->task[track].since,
				 .end = machine->now,
				 .cause = timeline_linked_index(machine->timeline, link),
				 .kind = AIM_ANSWER,
				 .how = AIM_HAD,
			 },
	                 /* cause= */ NULL);
}

static void request_conclude(struct machine *machine, uint32_t track, struct cause_note *cause)
{
	/* a task in state D is held back by something else */
	if ((machine->task[track].detail & (uint8_t)~WAIT_FOR_WORK) == 'D')
		return;
	if (cause->kind == CAUSE_TIMER && cause_note_is_timeout(cause) &&
	    (requests_of(machine)->open_count || machine->task[track].is_threaded))
		request_conclude_slice(machine, track, cause);
	if (cause->kind != CAUSE_NET || cause->as.net.is_unanswered)
		return;
	if (cause->as.net.end == NET_END_PASSIVE)
		request_conclude_asked(machine, track);
	if (limit_may_be_of_poll(&machine->task[track]))
		process_note_limited(machine, track);
	requests_settle_turns(machine, track);
	if (cause->as.net.is_ready)
		process_settle_next(machine, track, cause);
}

static void request_sleep(struct machine *machine, uint32_t track, uint8_t letter)
{
	struct task_requests *own = task_requests(machine, track);
	const struct timeline *timeline = machine->timeline;

	(void)letter;
	ASSUME(own->track_count <= timeline->track_count);
	own->asked_before_sleep = own->has_asked;
	/* it may wait for a task that it has begun since it asked */
	for (size_t i = own->track_count; own->has_asked && i < timeline->track_count; i++)
		own->asked_before_sleep &= timeline->track[i].parent != track;
	own->has_asked = false;
}

static void requests_forget(struct machine *machine)
{
	requests_of(machine)->open_count = 0;
	requests_of(machine)->answered = 0;
}

const struct tracker request_tracker = {
	.also_with = TRACKER_BIT(SOCKET),
	.own_bytes = sizeof(struct socket_requests),
	.stores = STORES(POOL_AT(offsetof(struct socket_requests, by_socket),
	                         struct socket_request, REQUESTS_MAX, NULL, NULL)),
	.task_bytes = sizeof(struct task_requests),
	.refine = {request_refine, 1u << CAUSE_TIMER | 1u << CAUSE_UNKNOWN, AND_UNWOKEN},
	.sleep = request_sleep,
	.conclude = {request_conclude, 1u << CAUSE_TIMER | 1u << CAUSE_NET, 0},
	.cut = request_cut,
	.forgets_tasks = true,
	.forget = requests_forget,
};
