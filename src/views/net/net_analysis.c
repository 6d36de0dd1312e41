/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Connections: the tasks that opened them, how long that took, how long tasks waited for them,
 * retransmissions and aborts. A wait belongs to a connection if a packet of the connection ended
 * it. A connection with waits has a row even if its begin and end were not seen. A window contains
 * the connections that existed in it.
 */
#include <netinet/in.h>
#include <string.h>

#include "analysis/analysis.h"
#include "analysis/tables/aim_sums.h"
#include "analysis/tables/cells.h"
#include "analysis/tables/distribution.h"
#include "analysis/tables/interval_gate.h"
#include "analysis/tables/relation.h"
#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/data/map.h"
#include "base/text/format.h"
#include "drop_list.h"
#include "exchange_list.h"
#include "sentences/say.h"

/* About 150 bytes each; further connections are only counted. */
#define CONNECTIONS_MAX (1u << 18)
/* So many tasks that a new connection wakes, as they all listen, are distinguished. */
#define LISTENERS_MAX 3
#define WAITERS_MAX   8

struct connection_row {
	uint32_t task;        /* track; TRACK_NONE: not known */
	uint32_t machine;
	uint32_t peer, local; /* name ids; local 0: only its port is known */
	uint16_t local_port;
	bool has_interval; /* an interval has reported its life; false: only its waits are known */
	bool is_open, is_passive;
	nsec_t begin, opened, established, end; /* NSEC_NEVER: not known */
	uint32_t retransmits, resets;
	uint64_t waits;
	nsec_t waiting, last_wait; /* last_wait: when the last wait ended */
	nsec_t longest, longest_at; /* the longest wait, when it began, and whose it was */
	uint32_t longest_of;
	nsec_t asked;              /* of the last request without an answer; 0: none */
	uint64_t asked_waits;      /* what of the sums is for that */
	nsec_t asked_waiting;
	struct {
		nsec_t begin, end;
	} early[LISTENERS_MAX]; /* the first waits, which may have been for any connection */
	unsigned early_count;
	uint32_t waiter[WAITERS_MAX]; /* tracks: the first tasks that waited */
	uint32_t waiters;
	uint64_t socket, sent, received; /* only of connections with a reported life */
	uint16_t protocol; /* 0: not seen, as for all but TCP */
	bool is_partial;   /* some bytes of it are not known */
	bool is_in_vain;   /* tasks have waited for its answer, or still do, and none has come */
};

struct net_view {
	GATED_VIEW; /* for all intervals except connections */
	struct tally rows; /* a list of struct connection_row */
	struct map by_key;    /* the row in which waits of that key are counted now */
	struct tally drops, exchanges; /* see drop_list.h, exchange_list.h */
	struct tally slowest; /* see exchange_list.h */
	uint64_t stray_resets, stray_retransmits; /* events of unknown connections */
	struct aim_sums aims;
};

static void net_take(void *state, const struct interval *interval);

static void net_begin(void *state)
{
	struct net_view *view = state;
	const struct question *question = view->question;

	tally_init(&view->rows, sizeof(struct connection_row), 0, CONNECTIONS_MAX);
	map_init(&view->by_key);
	drop_list_init(&view->drops);
	exchange_list_init(&view->exchanges);
	slowest_requests_init(&view->slowest);
	view->gate.take = net_take;
	if (question->asked->shows_data)
		aim_sums_init(&view->aims, question, 1u << AIM_ANSWER, /* is_filtered= */ false);
}

static void net_end(void *state)
{
	struct net_view *view = state;

	tally_release(&view->rows);
	map_release(&view->by_key);
	drop_list_release(&view->drops);
	exchange_list_release(&view->exchanges);
	slowest_requests_release(&view->slowest);
	interval_gate_release(&view->gate);
	aim_sums_release(&view->aims);
}

/* A key of a connection of that machine: both ends of one may be in the trace. */
static uint64_t key_of(uint32_t machine, uint32_t peer, uint16_t local_port)
{
	return (uint64_t)machine << 48 | (uint64_t)peer << 16 | local_port;
}

/* The key of what a process opens to that peer: no port of its own is known yet. */
static uint64_t opening_key(const struct net_view *view, uint32_t peer, uint32_t track)
{
	const struct track *of = &view->question->timeline->track[track];
	int32_t process = of->tgid > 0 ? of->tgid : of->tid;

	return hash_mix(key_of(of->host, peer, 0), (uint64_t)process);
}

/* Makes a new row of that key, which counts later waits; NULL beyond the limit. Peer 0: no
   connection. */
static struct connection_row *net_new_row(struct net_view *view, uint32_t machine, uint32_t peer,
                                          uint16_t local_port)
{
	struct connection_row *row = tally_add(&view->rows);

	if (!row)
		return NULL;
	if (peer)
		map_put(&view->by_key, key_of(machine, peer, local_port),
		        (uint32_t)view->rows.count - 1);
	*row = (struct connection_row){
		.task = TRACK_NONE,
		.machine = machine,
		.peer = peer,
		.local_port = local_port,
		.is_open = true,
		.begin = NSEC_NEVER,
		.opened = NSEC_NEVER,
		.established = NSEC_NEVER,
		.end = NSEC_NEVER,
	};
	return row;
}

static struct connection_row *net_find_key(const struct net_view *view, uint64_t key)
{
	uint32_t index = map_get(&view->by_key, key);

	return index == MAP_NONE ? NULL : tally_at(&view->rows, index);
}

static struct connection_row *net_find(const struct net_view *view, uint32_t machine,
                                       uint32_t peer, uint16_t local_port)
{
	return net_find_key(view, key_of(machine, peer, local_port));
}

/* The row in which waits for what the track's process opens to that peer are counted; NULL: beyond
   the limit. */
static struct connection_row *net_keep_opening(struct net_view *view, uint32_t peer,
                                               uint32_t track)
{
	uint64_t key = opening_key(view, peer, track);
	struct connection_row *row = net_find_key(view, key);

	if (row)
		return row;
	row = net_new_row(view, view->question->timeline->track[track].host, /* peer= */ 0,
	                  /* local_port= */ 0);
	if (!row)
		return NULL;
	row->peer = peer;
	map_put(&view->by_key, key, (uint32_t)view->rows.count - 1);
	return row;
}

static uint32_t interval_machine(const struct net_view *view, const struct interval *interval)
{
	return hosts_of_cpu(&view->question->timeline->hosts, interval->cpu);
}

static void net_take(void *state, const struct interval *interval)
{
	struct net_view *view = state;

	if (interval->kind == INTERVAL_DROP) {
		drop_list_add(&view->drops, interval_machine(view, interval), interval);
	} else if (interval->kind == INTERVAL_EXCHANGE) {
		exchange_list_add(&view->exchanges, interval);
		slowest_requests_add(&view->slowest, interval);
	} else {
		view->stray_resets += interval->connection.resets;
		view->stray_retransmits += interval->connection.retransmits;
	}
}

/* Of a wait that began before the connection, as that of a listener, only the rest was for it. */
static nsec_t wait_length(const struct connection_row *row, nsec_t begin, nsec_t end)
{
	if (row->has_interval && row->is_passive)
		begin = nsec_min(nsec_max(begin, row->begin), end);
	return end - begin;
}

static void row_add_waiter(struct connection_row *row, uint32_t track)
{
	for (uint32_t i = 0; i < row->waiters; i++)
		if (row->waiter[i] == track)
			return;
	if (row->waiters < WAITERS_MAX)
		row->waiter[row->waiters++] = track;
}

static void row_add_wait(struct connection_row *row, nsec_t begin, nsec_t end)
{
	if (!row->has_interval && row->early_count < LISTENERS_MAX &&
	    (row->early_count == 0 || begin < row->early[0].end)) {
		row->early[row->early_count].begin = begin;
		row->early[row->early_count++].end = end;
	}
	row->waits++;
	row->waiting += wait_length(row, begin, end);
	row->last_wait = end;
}

static void row_set_longest(struct connection_row *row, nsec_t length, nsec_t at, uint32_t track)
{
	row->longest = length;
	row->longest_at = at;
	row->longest_of = track;
}

static void row_take_wait(struct connection_row *row, uint32_t track, nsec_t begin, nsec_t end)
{
	if (row->task == TRACK_NONE)
		row->task = track;
	row_add_waiter(row, track);
	row_add_wait(row, begin, end);
	if (end - begin > row->longest)
		row_set_longest(row, end - begin, begin, track);
	if (!row->has_interval && begin < row->begin)
		row->begin = begin;
}

/* Call when the row's connection gets known, after waits for it. */
static void row_cut_early(struct connection_row *row)
{
	for (unsigned i = 0; i < row->early_count; i++) {
		nsec_t begin = row->early[i].begin, end = row->early[i].end;

		row->waiting -= end - begin - wait_length(row, begin, end);
	}
	row->early_count = 0;
}

/* While a connection is being opened its own port is not known yet, so waits for that are counted
   in a row of its process and peer. They become those of the connection that was opened
   meanwhile. */
static void row_take_opening(struct connection_row *row, const struct interval *interval,
                             struct connection_row *opening)
{
	nsec_t until = nsec_min(interval->phase[PHASE_ESTABLISHED], interval->end);

	if (!opening || opening == row || opening->has_interval ||
	    opening->begin < interval->begin || opening->last_wait > until)
		return;
	row->waits += opening->waits;
	row->waiting += opening->waiting;
	row->last_wait = nsec_max(row->last_wait, opening->last_wait);
	if (opening->longest > row->longest)
		row_set_longest(row, opening->longest, opening->longest_at, opening->longest_of);
	for (uint32_t i = 0; i < opening->waiters; i++)
		row_add_waiter(row, opening->waiter[i]);
	opening->waits = opening->waiters = 0;
	opening->waiting = 0;
	opening->begin = NSEC_NEVER;
}

/* Waits for the connection may have been reported before it: then they already have a row, which
   becomes the connection's. Waits that are reported a little later find the row by its key. */
static void net_add_connection(struct net_view *view, const struct interval *interval)
{
	const struct connection_interval *connection = &interval->connection;
	uint32_t machine = interval_machine(view, interval);
	struct connection_row *row =
		connection->peer ? net_find(view, machine, connection->peer,
	                                    connection->local_port)
	                         : NULL;

	if (!row || row->has_interval || row->last_wait < interval->begin)
		row = net_new_row(view, machine, connection->peer, connection->local_port);
	if (!row)
		return;
	row->has_interval = true;
	row->is_open = interval->is_open;
	row->is_passive = connection->is_passive;
	if (interval->task != TRACK_NONE)
		row->task = interval->task;
	row->local = connection->local;
	row->begin = interval->begin;
	row->opened = interval->phase[PHASE_OPENED];
	row->established = interval->phase[PHASE_ESTABLISHED];
	row->end = interval->end;
	row->retransmits = connection->retransmits;
	row->resets = connection->resets;
	row->socket = connection->socket;
	row->sent = connection->sent;
	row->received = connection->received;
	row->protocol = connection->protocol;
	row->is_partial = connection->is_partial;
	row->is_in_vain |= connection->left.is_in_vain;
	row_cut_early(row);
	if (connection->left.is_none && connection->left.asked == row->asked) {
		row->waits -= row->asked_waits;
		row->waiting -= row->asked_waiting;
		row->asked_waits = row->asked_waiting = 0;
	}
	if (connection->peer && interval->task != TRACK_NONE && row->opened != NSEC_NEVER)
		row_take_opening(row, interval,
		                 net_find_key(view, opening_key(view, connection->peer,
		                                                interval->task)));
}

static void net_add_afterword(struct net_view *view, const struct interval *interval)
{
	const struct connection_interval *added = &interval->connection;
	struct connection_row *row = net_find(view, interval_machine(view, interval), added->peer,
	                                      added->local_port);

	if (!row || row->socket != added->socket)
		return;
	row->sent += added->sent;
	row->received += added->received;
	row->resets += added->resets;
}

/* The task waited for the peer, and something else ended that. A pause between attempts to connect
   comes after the connection. */
static void net_add_unanswered(struct net_view *view, const struct interval *interval)
{
	const struct connection_interval *of = &interval->connection;
	uint32_t machine = interval_machine(view, interval);
	struct connection_row *row =
		of->local_port ? net_find(view, machine, of->peer, of->local_port)
			       : net_keep_opening(view, of->peer, interval->task);

	if (!row)
		row = net_new_row(view, machine, of->peer, of->local_port);
	if (!row)
		return;
	row_take_wait(row, interval->task, interval->begin, interval->end);
	if (row->asked != of->left.asked)
		row->asked_waits = row->asked_waiting = 0;
	row->asked = of->left.asked;
	row->asked_waits++;
	row->asked_waiting += wait_length(row, interval->begin, interval->end);
}

static void net_on_interval(void *state, const struct interval *interval)
{
	struct net_view *view = state;

	if (interval->kind == INTERVAL_CONNECTION)
		net_add_connection(view, interval);
	else if (interval->kind == INTERVAL_UNANSWERED)
		net_add_unanswered(view, interval);
	else if (interval->kind == INTERVAL_AFTERWORD && interval->connection.peer)
		net_add_afterword(view, interval);
	else
		interval_gate_pass(view, interval);
}

static void net_fold(void *state)
{
	aim_sums_fold(&((struct net_view *)state)->aims);
}

static void net_resolve(void *state)
{
	struct net_view *view = state;

	interval_gate_resolve(view);
	aim_sums_finish(&view->aims);
}

/* The row that a wait with that cause counts in; NULL: beyond the limit. */
static struct connection_row *net_row_of_wait(struct net_view *view, const struct span *span)
{
	const struct cause_note *cause = span->cause;
	uint32_t machine = view->question->timeline->track[span->track].host;
	uint32_t peer = cause->as.net.peer;
	uint16_t port = cause->as.net.local_port;
	bool is_opening = cause->as.net.is_unanswered && !cause->as.net.is_request;
	struct connection_row *row = net_find(view, machine, peer, port);

	/* a wait that a close ended began before the close; a later wait is for a new connection */
	if (row && (!row->has_interval || row->is_open || row->end >= span->begin))
		return row;
	return is_opening ? net_keep_opening(view, peer, span->track)
	                  : net_new_row(view, machine, peer, port);
}

static void net_on_span(void *state, const struct span *span)
{
	struct net_view *view = state;
	const struct cause_note *cause = span->cause;
	struct connection_row *row;

	if (span->kind != SEGMENT_WAIT || !cause || cause->kind != CAUSE_NET ||
	    cause->as.net.peer == 0)
		return;
	row = net_row_of_wait(view, span);
	if (!row)
		return;
	row_take_wait(row, span->track, span->begin, span->end);
	row->is_in_vain |= span->is_open && cause->as.net.is_unanswered;
}

static bool row_has_failed(const struct connection_row *row)
{
	return row->has_interval && !row->is_open && row->opened != NSEC_NEVER &&
	       row->established == NSEC_NEVER;
}

/* The row of sockets without connections. */
static bool row_is_other(const struct connection_row *row)
{
	return row->protocol != 0 && row->protocol != IPPROTO_TCP;
}

static const char *row_state(const struct connection_row *row)
{
	if (row_has_failed(row))
		return "failed";
	if (row->is_in_vain || (row->has_interval && row->opened != NSEC_NEVER &&
	                        row->established == NSEC_NEVER))
		return "not answered";
	return row->is_open ? "open" : "closed";
}

static nsec_t row_connect(const struct connection_row *row)
{
	return row->opened == NSEC_NEVER || row->established == NSEC_NEVER
	               ? NSEC_NEVER
	               : row->established - row->opened;
}

static bool connection_is_asked(const void *state, const void *of)
{
	const struct question *question = ((const struct net_view *)state)->question;
	const struct connection_row *row = of;
	nsec_t end = row->has_interval ? row->end : row->last_wait;

	if (!row->has_interval && row->waits == 0) /* see row_take_opening() */
		return false;
	if (row->begin > question->resolved->end || end < question->resolved->begin)
		return false;
	if (row->task == TRACK_NONE)
		return !question_has_filter(question) &&
		       !question->resolved->is_targeted;
	return question->resolved->is_asked[row->task];
}

static const char *const sort_keys[] = {"waiting",     "waits",  "connect",
                                        "retransmits", "resets", NULL};

static uint64_t row_connect_known(const void *row)
{
	nsec_t connect = row_connect(row);

	return connect == NSEC_NEVER ? 0 : connect;
}

#define AT(member) RELATION_AT(struct connection_row, member)

static const struct measure by_key[] = {
	{AT(waiting)},     {AT(waits)},  {.of = row_connect_known},
	{AT(retransmits)}, {AT(resets)},
};
_Static_assert(ARRAY_SIZE(by_key) + 1 == ARRAY_SIZE(sort_keys), "a figure for each key");

enum {
	COLUMN_PROTOCOL = 2,
	COLUMN_LOCAL,
	COLUMN_REMOTE,
	COLUMN_STATE,
	COLUMN_END = 7,
	COLUMN_LIVED,
	COLUMN_CONNECT,
	COLUMN_FAILED,
	COLUMN_WAITS,
	COLUMN_WAITING,
	COLUMN_WAITERS,
	COLUMN_SENT,
	COLUMN_RECEIVED,
	COLUMN_SENT_SIZE,
	COLUMN_RECEIVED_SIZE,
};

static const struct field fields[] = {
	{MACHINE_COLUMN, AT(machine)},
	{"task", "TASK", CELL_TASK, 0, AT(task)},
	[COLUMN_PROTOCOL] = {"protocol", "PROTO", CELL_TEXT, COLUMN_SPARE(6), FILLED},
	[COLUMN_LOCAL] = {"local", "LOCAL", CELL_TEXT, COLUMN_SPARE(7) | COLUMN_TAILED, FILLED},
	[COLUMN_REMOTE] = {"remote", "REMOTE", CELL_TEXT, COLUMN_TAILED, FILLED},
	[COLUMN_STATE] = {"state", "STATE", CELL_TEXT, COLUMN_USEFUL(2), FILLED},
	{"begin_ns", "BEGIN", CELL_INSTANT, COLUMN_SPARE(3), AT(opened)},
	[COLUMN_END] = {"end_ns", NULL, CELL_INSTANT, 0, FILLED},
	[COLUMN_LIVED] = {NULL, "LIVED", CELL_DURATION, COLUMN_SPARE(4), FILLED},
	[COLUMN_CONNECT] = {"connect_ns", "CONNECT", CELL_DURATION, COLUMN_USEFUL(1), FILLED},
	[COLUMN_FAILED] = {"failed", NULL, CELL_BOOL, 0, FILLED},
	[COLUMN_WAITS] = {"waits", "WAITS", CELL_COUNT, COLUMN_SPARE(2), AT(waits)},
	[COLUMN_WAITING] = {"waiting_ns", "WAITING", CELL_DURATION, 0, AT(waiting)},
	[COLUMN_WAITERS] = {"waiting_tasks", "TASKS", CELL_COUNT, COLUMN_USEFUL(1), AT(waiters)},
	[COLUMN_SENT] = {"sent_bytes", NULL, CELL_COUNT, 0, AT(sent)},
	[COLUMN_RECEIVED] = {"received_bytes", NULL, CELL_COUNT, 0, AT(received)},
	[COLUMN_SENT_SIZE] = {NULL, "SENT", CELL_TEXT, COLUMN_SPARE(5), FILLED},
	[COLUMN_RECEIVED_SIZE] = {NULL, "RECEIVED", CELL_TEXT, COLUMN_SPARE(5), FILLED},
	{"retransmits", "RETRANSMITS", CELL_COUNT, COLUMN_USEFUL(3), AT(retransmits)},
	{"resets", "RESETS", CELL_COUNT, COLUMN_SPARE(1), AT(resets)},
};

static void protocol_append(struct buffer *to, const struct connection_row *row)
{
	static const struct {
		uint16_t number;
		const char *name;
	} names[] = {{0, "tcp"}, {1, "icmp"}, {6, "tcp"}, {17, "udp"}, {58, "icmpv6"},
	             {132, "sctp"}, {136, "udplite"}, {255, "raw"}, {262, "mptcp"}};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (names[i].number == row->protocol) {
			buffer_puts(to, names[i].name);
			return;
		}
	buffer_printf(to, "%u", row->protocol);
}

/* Whether reads, or writes, of sockets were recorded. */
static enum events_recorded transfer_recorded(const struct question *question,
                                              enum event_kind kind)
{
	const char *event = kind == EVENT_SOCKET_SEND ? "sock:sock_send_length"
	                                              : "sock:sock_recv_length";
	const struct resolved *resolved = question->resolved;

	return resolved->seen.has[kind] ? EVENTS_SEEN
	                                : recorded_events(&resolved->recorded, "net", event,
	                                                  resolved->described.has[kind]);
}

/* Bytes are known only if all of them were reported. */
static bool bytes_are_known(const struct net_view *view, const struct connection_row *row,
                            enum event_kind kind)
{
	return row->has_interval && !row->is_partial &&
	       transfer_recorded(view->question, kind) <= EVENTS_NONE;
}

static void size_append(struct buffer *to, uint64_t bytes)
{
	buffer_puts(to, SIZE_TEXT(bytes));
}

/* "10.0.0.1:443"; ":443" if its address was not seen, "*" if nothing is known. */
static void local_append(struct buffer *to, const struct net_view *view,
                         const struct connection_row *row)
{
	if (row->local)
		buffer_puts(to, intern_text(&view->question->timeline->names, row->local));
	else if (row->local_port == 0)
		buffer_putc(to, '*');
	else
		buffer_printf(to, ":%u", row->local_port);
}

static void connection_fill(const void *state, const void *of, struct cell *cell,
                            struct buffer *text)
{
	const struct net_view *view = state;
	const struct connection_row *row = of;
	nsec_t end = row->has_interval && !row->is_open ? row->end : NSEC_NEVER;

	protocol_append(&text[COLUMN_PROTOCOL], row);
	local_append(&text[COLUMN_LOCAL], view, row);
	cell[COLUMN_REMOTE].text =
		row->peer ? intern_text(&view->question->timeline->names, row->peer) : "*";
	cell[COLUMN_STATE].text = row_state(row);
	cell[COLUMN_END].time = end;
	cell[COLUMN_LIVED].time =
		end == NSEC_NEVER || row->opened == NSEC_NEVER ? NSEC_NEVER : end - row->opened;
	cell[COLUMN_CONNECT].time = row_connect(row);
	cell[COLUMN_FAILED].boolean = row_has_failed(row);
	/* waits are matched by the peer's address, which may be unknown or differ from that of the
	   answer */
	if (row->waits == 0 && row_is_other(row))
		cell[COLUMN_WAITS].type = cell[COLUMN_WAITING].type =
			cell[COLUMN_WAITERS].type = CELL_EMPTY;
	size_append(&text[COLUMN_SENT_SIZE], row->sent);
	size_append(&text[COLUMN_RECEIVED_SIZE], row->received);
	if (!bytes_are_known(view, row, EVENT_SOCKET_SEND))
		cell[COLUMN_SENT].type = cell[COLUMN_SENT_SIZE].type = CELL_EMPTY;
	if (!bytes_are_known(view, row, EVENT_SOCKET_TAKE))
		cell[COLUMN_RECEIVED].type = cell[COLUMN_RECEIVED_SIZE].type = CELL_EMPTY;
}

static struct evidence_claim connection_claim(const void *state, const void *of)
{
	const struct connection_row *row = of;

	(void)state;
	return evidence_claim_of(row->longest ? row->longest_of : TRACK_NONE,
	                               row->longest_at, false);
}

/* How many tasks waited is shown if there are several anywhere: their times add up. */
static void columns_adapt(const void *view, const struct relation_rows *rows,
                          struct column *shown)
{
	bool are_several = false;

	(void)view;
	for (size_t i = 0; i < rows->count; i++)
		are_several |= ((const struct connection_row *)rows->row[i])->waiters > 1;
	if (!are_several)
		shown[COLUMN_WAITERS].flags |= COLUMN_DATA_ONLY;
}

static const struct relation_form form = {
	"connections",
	"Connections, by the time that tasks waited for them",
	FIELDS(fields),
	.next = "--net --waits --sort wait --kind net --tid {task}",
	.sort_keys = sort_keys,
	.by_key = by_key,
	.is_shown = connection_is_asked,
	.fill = connection_fill,
	.claim = connection_claim,
	.adapt = columns_adapt,
	.rows_named = "connections",
	.lost_named = "lives and waits",
};

static void net_print(const struct net_view *view, const struct relation_rows *rows,
                      const struct output *to)
{
	uint64_t failed = 0, unanswered = 0, retransmits = 0, resets = 0, others = 0;
	const struct connection_row *most = NULL;

	for (size_t i = 0; i < rows->count; i++) {
		const struct connection_row *row = rows->row[i];

		if (row->waiting > (most ? most->waiting : 0))
			most = row;
		others += row_is_other(row);
		failed += row_has_failed(row);
		unanswered += strcmp(row_state(row), "not answered") == 0;
		retransmits += row->retransmits;
		resets += row->resets;
	}
	say_to(to, view->question->timeline,
	       "{count} connection{|s}: {count} failed, {count} not answered, {count} "
	       "retransmit{|s}[ ({count} more of connections being accepted)], {count} reset{|s}[, "
	       "{count} more of unknown connections][; {count} datagram socket{|s}].[{if} Most "
	       "waited for: {name}, {time}[ by [{if}at least ]{number} tasks, such as {task}| by "
	       "{task}].]",
	       COUNT(rows->count - others), COUNT(failed), COUNT(unanswered), COUNT(retransmits),
	       WHEN(view->stray_retransmits, COUNT(view->stray_retransmits)), COUNT(resets),
	       WHEN(view->stray_resets, COUNT(view->stray_resets)), WHEN(others, COUNT(others)),
	       IF(most), WHEN(most, NAME(most->peer)), WHEN(most, TIME(most->waiting)),
	       IF(most && most->waiters == WAITERS_MAX),
	       WHEN(most && most->waiters > 1, NUMBER(most->waiters)),
	       WHEN(most && most->waiters > 1, TASK(most->waiter[0])),
	       WHEN(most, TASK(most->task)));
}

/* How the events of figures were recorded. */
struct net_figures {
	enum events_recorded drops, bytes;
};

/* Appends the figures of which the events were recorded to that extent. */
static void net_figures_append(struct buffer *to, const struct net_figures *figures,
                               enum events_recorded how)
{
	say(to, NULL,
	    "[{if}dropped packets][{if}{,}bytes, requests, datagrams (Linux 6.3 and later report "
	    "them)]", IF(figures->drops == how), IF(figures->bytes == how));
}

/* Prints which figures are missing as the trace has no events for them, and why. */
static void net_print_unknown(const struct net_view *view, const struct output *to)
{
	const struct question *question = view->question;
	enum events_recorded sends = transfer_recorded(question, EVENT_SOCKET_SEND);
	enum events_recorded takes = transfer_recorded(question, EVENT_SOCKET_TAKE);
	const struct net_figures figures = {drop_list_recorded(question),
	                                    sends < takes ? sends : takes};
	_cleanup_(buffer_release) struct buffer line = {0}, missing = {0}, unsure = {0},
					       left_out = {0}, hint = {0};

	net_figures_append(&missing, &figures, EVENTS_MISSING);
	net_figures_append(&unsure, &figures, EVENTS_UNSURE);
	net_figures_append(&left_out, &figures, EVENTS_LEFT_OUT);
	if (question->resolved->recorded.notes.recorded)
		(void)record_hint_append(&hint, "", &question->resolved->recorded, "net",
		                         /* stacks= */ false, "");
	say(&line, NULL,
	    "[{if} Nothing was read from a socket, or written to one.][ This kernel does not "
	    "report: {text}.][ None occurred, or they were not recorded: {text}.][ Not recorded: "
	    "{text}[; {text} records them].]",
	    IF(figures.bytes == EVENTS_NONE), TEXT(missing.text), TEXT(unsure.text),
	    TEXT(left_out.text), TEXT(hint.text));
	if (line.length)
		prose_put(to, line.text + 1);
}

static void net_show_connects(const struct relation_rows *rows, const struct output *to)
{
	struct distribution connects = {0};

	for (size_t i = 0; i < rows->count; i++) {
		const struct connection_row *row = rows->row[i];

		if (row_connect(row) != NSEC_NEVER && !row->is_passive)
			distribution_add(&connects, row_connect(row), row->opened);
	}
	histogram_show_of(&connects, "How long it took to connect", to);
	distribution_release(&connects);
}

/* Whether a recorded connection was accepted at that address. */
static bool net_has_end(const void *state, uint32_t address)
{
	const struct net_view *view = state;

	for (size_t i = 0; address && i < view->rows.count; i++) {
		const struct connection_row *row = tally_at(&view->rows, i);

		if (row->is_passive && row->local == address)
			return true;
	}
	return false;
}

static void net_report(const void *state, const struct output *to)
{
	const struct net_view *view = state;
	const struct question *question = view->question;
	struct relation_rows rows = relation_choose(&view->rows, &form, view, question);
	const struct connection_ends ends = {view, net_has_end};

	output_section_begin(to, "net", "Connections", /* is_list= */ false);
	aim_sums_report(&view->aims, 1u << AIM_ANSWER, to);
	if (!analysis_print_lack(&net_analysis, question, to)) {
		net_print(view, &rows, to);
		exchange_list_print(&view->exchanges, question, &ends, to);
		drop_list_print(&view->drops, question, to);
		net_print_unknown(view, to);
	}
	relation_show(&form, &rows, view, question, to);
	exchange_list_put(&view->exchanges, question, to);
	slowest_requests_put(&view->slowest, question, to);
	drop_list_put(&view->drops, question, to);
	net_show_connects(&rows, to);
	output_section_end(to);
	relation_rows_release(&rows);
}

const struct analysis net_analysis = {
	.name = "net",
	.about = "connections: time to connect, waits, retransmissions; drops",
	.sort_keys = sort_keys,
	.heeds = HEEDS_TASKS,
	.needs = EVENT_LIST(EVENT_SOCKET_STATE, EVENT_SOCKET_RECEIVE, EVENT_NET_DROP,
	                    EVENT_SOCKET_SEND, EVENT_SOCKET_TAKE),
	.groups = "net",
	.fold = net_fold,
	.folds_data = true,
	.state_bytes = sizeof(struct net_view),
	.begin = net_begin,
	.on_span = net_on_span,
	.span_kinds = 1u << SEGMENT_WAIT,
	.on_interval = net_on_interval,
	.interval_kinds = INTERVAL_MASK(INTERVAL_CONNECTION) | INTERVAL_MASK(INTERVAL_AFTERWORD) |
	                  INTERVAL_MASK(INTERVAL_EXCHANGE) | INTERVAL_MASK(INTERVAL_DROP) |
	                  INTERVAL_MASK(INTERVAL_UNANSWERED),
	.resolve = net_resolve,
	.report = net_report,
	.end = net_end,
};
