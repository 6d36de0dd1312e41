/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "exchange_list.h"

#include <inttypes.h>
#include <netinet/in.h>

#include "analysis/evidence/fact_evidence.h"
#include "analysis/tables/distribution.h"
#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/data/heap.h"
#include "base/text/format.h"
#include "graph/timeline/interval.h"
#include "sentences/say.h"

#define TASKS_MAX   (1u << 13)
#define SLOWEST_MAX 50

struct task_slowest {
	uint32_t track;
	uint32_t count;
	struct request_time request[SLOWEST_MAX]; /* a heap, with the least slow on top */
};

void slowest_requests_init(struct tally *slowest)
{
	tally_init(slowest, sizeof(struct task_slowest), sizeof(uint32_t), TASKS_MAX);
}

void slowest_requests_release(struct tally *slowest)
{
	tally_release(slowest);
}

/* Of equally slow ones the first is the slowest. */
static bool request_is_less(const struct request_time *a, const struct request_time *b)
{
	return a->length != b->length ? a->length < b->length : a->begin > b->begin;
}

void slowest_requests_add(struct tally *slowest, const struct interval *interval)
{
	struct request_time request;
	struct task_slowest *of;

	if (!request_time(interval, &request))
		return;
	of = tally_row(slowest, &interval->task);
	if (!of)
		return;
	if (of->count == SLOWEST_MAX) {
		if (!request_is_less(&of->request[0], &request))
			return;
		of->request[0] = request;
		HEAP_SIFT_DOWN(of->request, of->count, 0, request_is_less);
		return;
	}
	of->request[of->count++] = request;
	HEAP_SIFT_UP(of->request, of->count - 1, request_is_less);
}

#define REQUEST_AT(member) RELATION_AT(struct request_time, member)

enum {
	REQUEST_ROLE = 2,
	COLUMN_PATH = 5,
};

static const struct field request_fields[] = {
	{"begin_ns", "BEGIN", CELL_INSTANT, COLUMN_SPARE(1), REQUEST_AT(begin)},
	{"task", "TASK", CELL_TASK, 0, REQUEST_AT(task)},
	[REQUEST_ROLE] = {"role", "ROLE", CELL_TEXT, COLUMN_SPARE(3), FILLED},
	{"address", "AT", CELL_TEXT, COLUMN_TAILED | COLUMN_SPARE(2), REQUEST_AT(address)},
	{"time_ns", "TIME", CELL_DURATION, 0, REQUEST_AT(length)},
	[COLUMN_PATH] = {NULL, "ITS PATH", CELL_TEXT, COLUMN_NUMBER | COLUMN_USEFUL(7), FILLED},
};

static void request_fill(const void *view, const void *of, struct cell *cell, struct buffer *text)
{
	const struct question *question = view;
	const struct request_time *request = of;

	cell[REQUEST_ROLE].text = request->is_client ? "client" : "server";
	say(&text[COLUMN_PATH], question->timeline, "{path}",
	    PATH(request->task, request->begin, request->end));
}

static uint64_t begin_reversed(const void *request)
{
	return ~((const struct request_time *)request)->begin;
}

static struct evidence_claim request_claim(const void *view, const void *of)
{
	const struct question *question = view;
	const struct request_time *request = of;

	return evidence_longest(question->timeline, request->task, request->begin, request->end);
}

static const struct relation_form request_form = {
	"slowest_requests",
	"Slowest single requests: work of servers, waits of clients",
	FIELDS(request_fields),
	.next = LINK_PATH("task", "begin_ns", "begin_ns+time_ns"),
	.order = {{REQUEST_AT(length)}, {.of = begin_reversed}},
	.fill = request_fill,
	.claim = request_claim,
	.is_hidden_if_empty = true,
};

void slowest_requests_put(const struct tally *slowest, const struct question *question,
                          const struct output *to)
{
	struct tally requests;
	struct relation_rows rows;

	tally_init(&requests, sizeof(struct request_time), 0, TALLY_NO_LIMIT);
	TALLY_ROWS(slowest, const struct task_slowest, of) {
		if (!question->resolved->is_asked[of->track])
			continue;
		for (uint32_t at = 0; at < of->count; at++)
			*(struct request_time *)tally_add(&requests) = of->request[at];
	}
	rows = relation_choose(&requests, &request_form, question, question);
	if (rows.count > SLOWEST_MAX)
		rows.count = SLOWEST_MAX;
	relation_show(&request_form, &rows, question, question, to);
	relation_rows_release(&rows);
	tally_release(&requests);
	if (slowest->left_out)
		health_doubt(question->health,
		             "requests of more than %u tasks: %" PRIu64 " of others are missing "
		             "among the slowest",
		             TASKS_MAX, slowest->left_out);
}

#define ROWS_MAX (1u << 13)

enum exchange_role {
	ROLE_UNKNOWN, /* the connection is older than the trace */
	ROLE_SERVER,
	ROLE_CLIENT,
};

struct exchange_key {
	uint32_t task;    /* track; TRACK_NONE */
	uint32_t role;    /* enum exchange_role */
	uint32_t address; /* name id; 0: not known */
};

struct exchange_row {
	struct exchange_key key;
	bool is_guess; /* the role in some connection was guessed from its ports */
	struct distribution wait, receive, work, send;
	/* for a client: the parts of its waits, if both ends are in the trace; else only the whole
	   waits */
	struct distribution way_out, answering, way_back;
	nsec_t undivided;
};

static const char *const role_names[] = {
	[ROLE_UNKNOWN] = NULL,
	[ROLE_SERVER] = "server",
	[ROLE_CLIENT] = "client",
};

/* Guessed roles, in text. */
static const char *const guess_names[] = {
	[ROLE_UNKNOWN] = NULL,
	[ROLE_SERVER] = "server?",
	[ROLE_CLIENT] = "client?",
};

static void phase_add(struct distribution *to, nsec_t length, nsec_t at)
{
	if (length != NSEC_NEVER)
		distribution_add(to, length, at);
}

void exchange_list_add(struct tally *exchanges, const struct interval *interval)
{
	const struct exchange_interval *exchange = &interval->exchange;
	const struct connection_interval *of = &exchange->of;
	bool is_client = exchange->is_active;
	struct exchange_row *row;

	/* for other protocols the address is not known */
	if (of->protocol != IPPROTO_TCP)
		return;
	row = tally_row(exchanges, &(struct exchange_key){
					      .task = interval->task,
					      .role = is_client        ? ROLE_CLIENT
	                                              : of->is_passive ? ROLE_SERVER
	                                                               : ROLE_UNKNOWN,
					      .address = is_client ? of->peer : of->local,
				      });
	if (!row)
		return;
	row->is_guess |= exchange->is_guess;
	phase_add(&row->wait, exchange->wait, interval->begin);
	phase_add(&row->receive, exchange->receive, interval->begin);
	phase_add(&row->work, exchange->work, exchange->answered);
	phase_add(&row->send, exchange->send, exchange->answered);
	phase_add(&row->way_out, exchange->way_out, interval->begin);
	phase_add(&row->answering, exchange->answering, interval->begin);
	phase_add(&row->way_back, exchange->way_back, interval->begin);
	if (is_client && exchange->wait != NSEC_NEVER && exchange->way_out == NSEC_NEVER)
		row->undivided += exchange->wait;
}

/* The number of requests received; for a client, of answers. */
static uint64_t row_count(const void *of)
{
	const struct exchange_row *row = of;

	return row->key.role == ROLE_CLIENT ? row->wait.count : row->receive.count;
}

/* Whether the row is asked for; a connection with traffic in one direction only has no requests and
   answers, so it is left out. */
static bool exchange_is_asked(const void *asked, const void *of)
{
	const struct question *question = asked;
	const struct exchange_row *row = of;

	if (row->key.role == ROLE_CLIENT ? row->wait.count == 0 : row->work.count == 0)
		return false;
	if (row->key.task == TRACK_NONE)
		return !question_has_filter(question) && !question->resolved->is_targeted;
	return question->resolved->is_asked[row->key.task];
}

/* The parts of a client's waits. */
static void ways_append(struct buffer *to, const struct exchange_row *row, bool is_recorded)
{
	say(to, NULL,
	    "[: {time} on the way out, {time} of work at the other end, {time} on the way back[; "
	    "of {time} that is not known]|; how much of it was work at the other end is not known: "
	    "[{if}its connections are recorded, but not its calls that receive and send, or not as "
	    "a whole|that end is not in the recording, or not from its beginning]]",
	    WHEN(row->way_out.count, TIME(row->way_out.total)), TIME(row->answering.total),
	    TIME(row->way_back.total), WHEN(row->undivided, TIME(row->undivided)), IF(is_recorded));
}

/* The client that waited most for answers, and the parts of its wait. */
static void client_print(const struct tally *exchanges, const struct question *question,
                         const struct connection_ends *ends, const struct output *to)
{
	const struct exchange_row *most = NULL;
	_cleanup_(buffer_release) struct buffer ways = {0};

	TALLY_ROWS(exchanges, const struct exchange_row, row) {
		if (row->key.role == ROLE_CLIENT && row->key.task != TRACK_NONE &&
		    exchange_is_asked(question, row) &&
		    row->wait.total >= (most ? most->wait.total + 1 : 0))
			most = row;
	}
	if (!most)
		return;
	ways_append(&ways, most, ends->has(ends->state, most->key.address));
	say_to(to, question->timeline,
	       "{task} waited most for answers: {time} for {count}[ of {name}]{text}.",
	       TASK(most->key.task), TIME(most->wait.total), COUNT(row_count(most)),
	       WHEN(most->key.address, NAME(most->key.address)), TEXT(ways.text));
}

static void server_print(const struct tally *exchanges, const struct question *question,
                         const struct output *to)
{
	const struct exchange_row *most = NULL;
	struct distribution_sum work;

	TALLY_ROWS(exchanges, const struct exchange_row, row) {
		if (row->key.role != ROLE_CLIENT && row->key.task != TRACK_NONE &&
		    exchange_is_asked(question, row) &&
		    row->work.total >= (most ? most->work.total + 1 : 0))
			most = row;
	}
	if (!most)
		return;
	distribution_sum(&most->work, &work);
	say_to(to, question->timeline,
	       "{task} worked most between request and answer: {time} for {count} request{|s}, p50 "
	       "{time}, at most {time}.",
	       TASK(most->key.task), TIME(work.total), COUNT(row_count(most)), TIME(work.p50),
	       TIME(work.max));
}

void exchange_list_print(const struct tally *exchanges, const struct question *question,
                         const struct connection_ends *ends, const struct output *to)
{
	server_print(exchanges, question, to);
	client_print(exchanges, question, ends, to);
}

#define AT(member) RELATION_AT(struct exchange_row, member)

enum {
	COLUMN_ROLE = 1,
	COLUMN_ROLE_TEXT,
	COLUMN_COUNT = 4,
	COLUMN_UNDIVIDED = 12,
	COLUMN_ROLE_GUESS,
	COLUMN_WAY_OUT_SUM,
	COLUMN_WAY_BACK_SUM = 16,
};

static const struct field fields[] = {
	{"task", "TASK", CELL_TASK, 0, AT(key.task)},
	[COLUMN_ROLE] = {"role", NULL, CELL_TEXT, 0, FILLED},
	[COLUMN_ROLE_TEXT] = {NULL, "ROLE", CELL_TEXT, COLUMN_SPARE(4), FILLED},
	{"address", "AT", CELL_TEXT, COLUMN_TAILED, AT(key.address)},
	[COLUMN_COUNT] = {"count", "TURNS", CELL_COUNT, COLUMN_USEFUL(1), FILLED},
	{"wait", "WAIT P50 / P99 / MAX", CELL_DISTRIBUTION, COLUMN_USEFUL(2), AT(wait)},
	{"receive", NULL, CELL_DISTRIBUTION, 0, AT(receive)},
	{"work", "WORK P50 / P99 / MAX", CELL_DISTRIBUTION, 0, AT(work)},
	{"send", NULL, CELL_DISTRIBUTION, 0, AT(send)},
	{"way_out", NULL, CELL_DISTRIBUTION, 0, AT(way_out)},
	{"server_work", NULL, CELL_DISTRIBUTION, 0, AT(answering)},
	{"way_back", NULL, CELL_DISTRIBUTION, 0, AT(way_back)},
	[COLUMN_UNDIVIDED] = {"undivided_ns", NULL, CELL_DURATION, 0, AT(undivided)},
	[COLUMN_ROLE_GUESS] = {"role_guessed", NULL, CELL_BOOL, 0, AT(is_guess)},
	[COLUMN_WAY_OUT_SUM] = {NULL, "WAY OUT", CELL_DURATION, COLUMN_SPARE(5), AT(way_out.total)},
	{NULL, "WORK THERE", CELL_DURATION, COLUMN_SPARE(5), AT(answering.total)},
	[COLUMN_WAY_BACK_SUM] = {NULL, "WAY BACK", CELL_DURATION, COLUMN_SPARE(5),
	                         AT(way_back.total)},
	{NULL, "RECEIVING", CELL_DURATION, COLUMN_SPARE(1), AT(receive.total)},
	{NULL, "SENDING", CELL_DURATION, COLUMN_SPARE(1), AT(send.total)},
};

static void exchange_fill(const void *question, const void *of, struct cell *cell,
                          struct buffer *text)
{
	const struct exchange_row *row = of;

	(void)question;
	(void)text;
	cell[COLUMN_ROLE].text = role_names[row->key.role];
	cell[COLUMN_ROLE_TEXT].text = (row->is_guess ? guess_names : role_names)[row->key.role];
	if (row->key.role == ROLE_UNKNOWN)
		cell[COLUMN_ROLE].type = cell[COLUMN_ROLE_TEXT].type =
			cell[COLUMN_ROLE_GUESS].type = CELL_EMPTY;
	cell[COLUMN_COUNT].count = row_count(row);
	if (row->key.role != ROLE_CLIENT)
		cell[COLUMN_UNDIVIDED].type = CELL_EMPTY;
	/* the parts of a client's waits, as far as both ends are known */
	for (size_t i = COLUMN_WAY_OUT_SUM; i <= COLUMN_WAY_BACK_SUM; i++)
		if (row->way_out.count == 0)
			cell[i].type = CELL_EMPTY;
}

/* Of its slowest turn: both a client's wait and a server's work are added at their ends. */
static struct evidence_claim exchange_claim(const void *view, const void *of)
{
	const struct question *question = view;
	const struct exchange_row *row = of;
	const struct distribution *turn =
		row->key.role == ROLE_CLIENT ? &row->wait : &row->work;

	if (row->key.task == TRACK_NONE || turn->max == 0)
		return (struct evidence_claim){.track = TRACK_NONE};
	return evidence_longest(question->timeline, row->key.task, turn->max_at - turn->max,
	                        turn->max_at);
}

/* The columns of the parts of waits are shown if any row has them. */
static void columns_adapt(const void *question, const struct relation_rows *rows,
                          struct column *shown)
{
	bool is_divided = false;

	(void)question;
	for (size_t i = 0; i < rows->count; i++)
		is_divided |= ((const struct exchange_row *)rows->row[i])->way_out.count > 0;
	for (size_t i = COLUMN_WAY_OUT_SUM; i <= COLUMN_WAY_BACK_SUM; i++)
		if (!is_divided)
			shown[i].flags |= COLUMN_DATA_ONLY;
}

static const struct relation_form form = {
	"requests",
	"Requests and answers, by their number",
	FIELDS(fields),
	.next = "{role=client}" LINK_PATH("task", "wait", "wait+wait") "|"
	        LINK_PATH("task", "work-work", "work") "|"
	        LINK_PATH("task", "wait", "wait+wait"),
	.order = {{.of = row_count}},
	.is_shown = exchange_is_asked,
	.fill = exchange_fill,
	.claim = exchange_claim,
	.adapt = columns_adapt,
	.is_hidden_if_empty = true, /* empty if no two ends talked in turns, or if the events for
	                               that were not recorded */
	.of_named = "requests of ",
	.rows_named = "tasks and addresses",
	.lost_named = "turns",
};

void exchange_list_init(struct tally *exchanges)
{
	tally_init(exchanges, sizeof(struct exchange_row), sizeof(struct exchange_key), ROWS_MAX);
}

void exchange_list_release(struct tally *exchanges)
{
	relation_release(exchanges, &form);
}

void exchange_list_put(const struct tally *exchanges, const struct question *question,
                       const struct output *to)
{
	relation_put(exchanges, &form, question, question, to);
}
