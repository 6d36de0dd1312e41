/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A server works on a request from the read that returns the last part of the request to the return
 * of the first write of the answer. For each process and address this shows the number of requests,
 * how long they took, and where the time of the longest one went: its critical path is walked while
 * the history of that time is still there.
 *
 * About 3 KB a row, at most REQUEST_ROWS_MAX.
 */
#include "summary.h"

#include <inttypes.h>
#include <stdlib.h>

#include "analysis/paths/path_task.h"
#include "analysis/tables/distribution.h"
#include "analysis/tables/interval_gate.h"
#include "analysis/tables/relation.h"
#include "base/cleanup.h"
#include "base/data/order.h"
#include "base/text/buffer.h"
#include "base/xalloc.h"
#include "cost_list.h"
#include "sentences/say.h"
#include "views/tail/tail_words.h"

#define REQUEST_ROWS_MAX (1u << 10)
#define WORST_NODES_MAX  (1u << 12)
#define WORST_ROWS       8 /* number of rows whose worst requests are walked before the history
                              is forgotten */
#define ANSWER_ROWS_MAX (1u << 12)

/* One request, from its last read to the first write of its answer. */
struct request_span {
	uint32_t track; /* the task that answered; TRACK_NONE: there was no request */
	nsec_t begin, end;
};

struct request_key {
	int32_t process;  /* tgid, or tid if the tgid is not known */
	uint32_t address; /* name id: the address that it serves; 0: not known */
};

struct request_row {
	struct request_key key;
	uint32_t task; /* track of the first task of the process that answered */
	struct distribution work;
	struct request_span worst; /* the longest request in the window */
	struct chain_tree *tree; /* where the time of the worst request went; NULL: not walked
	                            yet */
};

struct answer_key {
	uint32_t task;    /* track: the client */
	uint32_t address; /* name id: the server's; 0: not known */
};

struct answer_row {
	struct answer_key key;
	uint64_t count;   /* number of requests that were answered */
	nsec_t total;     /* time in which at least one request was unanswered */
	nsec_t until;     /* end of the time that `total` counts */
};

struct request_answers {
	GATED_VIEW;
	struct tally rows; /* of struct answer_row */
};

struct summary_requests {
	GATED_VIEW;
	struct tally rows; /* of struct request_row */
	struct request_answers answers;
	struct tail tail; /* begun if the recording, or the question, is about certain tasks */
};

static void row_forget_worst(struct request_row *row)
{
	if (row->tree)
		chain_tree_release(row->tree);
	free(row->tree);
	row->tree = NULL;
}

static void requests_take(void *state, const struct interval *interval)
{
	const struct exchange_interval *exchange = &interval->exchange;
	struct summary_requests *requests = state;
	const struct track *track = &requests->question->timeline->track[interval->task];
	const struct request_key key = {track_process_id(track),
	                                exchange->of.local};
	struct request_row *row = tally_row(&requests->rows, &key);

	if (!row)
		return;
	if (row->work.count == 0) {
		row->task = interval->task;
		row->worst.track = TRACK_NONE;
	}
	distribution_add(&row->work, exchange->work, exchange->answered);
	if (!question_asks_track(requests->question, interval->task) ||
	    (row->worst.track != TRACK_NONE &&
	     exchange->work <= row->worst.end - row->worst.begin))
		return;
	row_forget_worst(row);
	row->worst = (struct request_span){
		.track = interval->task,
		.begin = exchange->answered - exchange->work,
		.end = exchange->answered,
	};
}

void summary_requests_add(struct summary_requests *requests, const struct interval *interval)
{
	const struct exchange_interval *exchange = &interval->exchange;
	struct interval unanswered = *interval;

	if (requests->tail.source)
		tail_add_interval(&requests->tail, interval);
	if (interval->kind != INTERVAL_EXCHANGE || interval->task == TRACK_NONE)
		return;
	if (exchange->of.is_passive && exchange->work != NSEC_NEVER)
		interval_gate_pass(requests, interval);
	if (!exchange->is_active || exchange->is_guess || exchange->wait == NSEC_NEVER)
		return;
	/* a client's turn begins with the first read of the answer (state/net/connection.h) */
	unanswered.begin = interval->begin - exchange->wait;
	unanswered.end = interval->begin;
	interval_gate_pass(&requests->answers, &unanswered);
}

static bool request_is_asked(const void *state, const void *row)
{
	const struct summary_requests *requests = state;

	return requests->question->resolved->is_asked[((const struct request_row *)row)->task];
}

/* Walks the worst request so far, unless it is walked already. */
static void row_walk_worst(const struct summary_requests *requests, struct request_row *row)
{
	struct timeline *timeline = requests->question->timeline;

	if (row->worst.track == TRACK_NONE || row->tree || !timeline->keep_segments)
		return;
	row->tree = xcalloc(1, sizeof(*row->tree));
	chain_tree_init(row->tree, timeline, WORST_NODES_MAX);
	chain_tree_add(row->tree, row->worst.track, row->worst.begin, row->worst.end);
}

/* Walks the worst requests of the first rows, any of which may be reported in the end. */
void summary_requests_fold(struct summary_requests *requests)
{
	const struct request_row *other;
	struct request_row *row;

	if (requests->tail.source)
		tail_fold(&requests->tail);
	TALLY_EACH(&requests->rows, row) {
		size_t before = 0; /* rows with more requests */

		TALLY_EACH(&requests->rows, other)
			before += other->worst.track != TRACK_NONE &&
			          other->work.count > row->work.count;
		if (before < WORST_ROWS)
			row_walk_worst(requests, row);
		if (row->tree)
			chain_tree_settle(row->tree);
	}
}

void summary_requests_resolve(struct summary_requests *requests)
{
	struct request_row *most;

	interval_gate_resolve(requests);
	interval_gate_resolve(&requests->answers);
	if (requests->tail.source)
		tail_find(&requests->tail, /* tasks= */ NULL);
	most = ORDER_MOST(it, (struct request_row *)(void *)requests->rows.row,
	                  requests->rows.count, request_is_asked(requests, it), it->work.count);
	if (most)
		row_walk_worst(requests, most);
}

#define AT(member) RELATION_AT(struct request_row, member)

enum {
	COLUMN_WORST_AT = 4,
};

static const struct field fields[] = {
	{"task", "TASK", CELL_TASK, 0, AT(task)},
	{"address", "AT", CELL_TEXT, COLUMN_TAILED, AT(key.address)},
	{"count", "REQUESTS", CELL_COUNT, COLUMN_USEFUL(1), AT(work.count)},
	{"work", "WORK P50 / P99 / MAX", CELL_DISTRIBUTION, 0, AT(work)},
	[COLUMN_WORST_AT] = {"worst_at_ns", NULL, CELL_INSTANT, 0, FILLED},
};

static void request_fill(const void *requests, const void *of, struct cell *cell,
                         struct buffer *text)
{
	const struct request_row *row = of;

	(void)requests;
	(void)text;
	cell[COLUMN_WORST_AT].time = row->work.max_at - row->work.max;
}

static const struct relation_form form = {
	"requests",
	"Requests, by their number",
	FIELDS(fields),
	.next = LINK_PATH("task", "work-work", "work"),
	.order = {{AT(work.count)}},
	.is_shown = request_is_asked,
	.fill = request_fill,
};

void summary_requests_free(struct summary_requests *requests)
{
	for (size_t i = 0; i < requests->rows.count; i++)
		row_forget_worst(tally_at(&requests->rows, i));
	relation_release(&requests->rows, &form);
	interval_gate_release(&requests->gate);
	tally_release(&requests->answers.rows);
	interval_gate_release(&requests->answers.gate);
	tail_release(&requests->tail);
	free(requests);
}

/* "98 % disk 254,0, 2 % running", "99 % sleeping on a timer; in 98 % of it backend ran or
   waited" */
static void worst_append(struct buffer *to, const struct summary_requests *requests,
                         const struct request_row *row)
{
	struct timeline *timeline = requests->question->timeline;
	struct cost_list list;

	cost_list_init(&list, requests->question);
	list.own = track_name(&timeline->track[row->worst.track]);
	cost_list_add_tree(&list, row->tree, /* is_path= */ true);
	/* within a request sleeps are not listed apart, even if the task chose them */
	cost_list_sort_by_time(&list);
	for (size_t i = 0; i < list.count && i < SHOWN_WORST; i++) {
		double part = nsec_ratio(list.cost[i].total, list.total);

		if (part < PART_NAMED)
			break;
		say(to, NULL, "{,}{share} ", SHARE(part));
		cost_name_append(to, &list, &list.cost[i]);
	}
	whose_append(to, &list.names, row->tree, row->worst.track, list.total);
	cost_list_release(&list);
}

/* How to see more of the longest request, if its task is asked for. */
static struct word worst_path(const struct request_row *row)
{
	const struct request_span *worst = &row->worst;

	return WHEN(worst->track != TRACK_NONE && worst->end - worst->begin == row->work.max,
	            PATH(worst->track, worst->begin, worst->end));
}

/* Whether the question is likely to be about a server: if tasks are asked for by name or number, or
   were recorded by number. In the tree of a recorded command, a server is one task of many. */
static bool is_asked_for_servers(const struct question *question)
{
	return question_has_filter(question) ||
	       (question->resolved->is_targeted && !question->recording.is_of_command);
}

void summary_requests_print(const struct summary_requests *requests, bool is_first,
                            const struct output *to)
{
	const struct question *question = requests->question;
	_cleanup_(buffer_release) struct buffer worst = {0};
	struct relation_rows rows = relation_choose(&requests->rows, &form, requests, question);
	const struct request_row *most = rows.count ? rows.row[0] : NULL;
	struct distribution_sum work;
	bool leads = is_asked_for_servers(question) ||
	             tail_explains(&requests->tail, path_task_only(question));

	/* in a recording of the whole machine some tasks always answer others, so there is no
	   sentence; the table lists them */
	if (is_first == leads && (is_first || question->resolved->is_targeted) &&
	    !tail_lead_print(&requests->tail, to) && most) {
		distribution_sum(&most->work, &work);
		if (most->tree)
			worst_append(&worst, requests, most);
		say_to(to, question->timeline,
		       "{task} answered {count} request{|s}[: p50 {time}, p99 {time}; the worst "
		       "took| in] {time}[: {text}].[ Its path: {path}]",
		       TASK(most->task), COUNT(work.count), WHEN(work.count > 1, TIME(work.p50)),
		       TIME(work.p99), TIME(work.max), TEXT(worst.text), worst_path(most));
	}
	relation_rows_release(&rows);
}

void summary_requests_put(const struct summary_requests *requests, const struct output *to)
{
	const struct question *question = requests->question;
	struct relation_rows rows = relation_choose(&requests->rows, &form, requests, question);
	const struct request_row *most = rows.count ? rows.row[0] : NULL;

	if (rows.count)
		relation_show(&form, &rows, requests, question, to);
	/* below the table of a whole machine, for which there is no other sentence on requests */
	if (most && !is_asked_for_servers(question) && !question->resolved->is_targeted)
		say_to(to, question->timeline,
		       "The longest request to {task} took {time}.[ Its path: {path}]",
		       TASK(most->task), TIME(most->work.max), worst_path(most));
	relation_rows_release(&rows);
	if (requests->rows.left_out)
		health_doubt(question->health,
		             "requests to more than %u servers and addresses: %" PRIu64
		             " to others are left out",
		             REQUEST_ROWS_MAX, requests->rows.left_out);
}

/*
 * In a program of many processes, such as a browser, one process may ask a server, while another
 * goes on with timers and drawing until the answer has come. Then no wait of the one task is for
 * the answer, so its path does not show the answer, although the user may wait for it. The
 * recording does not show for which task the request was made, so the sentence states only how long
 * it was unanswered.
 *
 * A server that was stopped for long is named: it could not answer.
 *
 * For each asked task and address: how long at least one of its requests was unanswered. About 40
 * bytes a row, at most ANSWER_ROWS_MAX.
 */

/* Requests on several connections may overlap; the time of the overlap counts once. Requests are
   reported in order of their ends, and not of their begins, so a little time may not be counted. */
static void answers_take(void *state, const struct interval *interval)
{
	struct request_answers *answers = state;
	const struct answer_key key = {interval->task, interval->exchange.of.peer};
	nsec_t begin = interval->begin, end = interval->end;
	struct answer_row *row;

	if (answers->question->resolved && answers->question->resolved->is_windowed &&
	    !question_clip(answers->question, &begin, &end))
		return;
	row = tally_row(&answers->rows, &key);
	if (!row)
		return;
	row->count++;
	if (begin < row->until)
		begin = row->until;
	if (end <= begin)
		return;
	row->total += end - begin;
	row->until = end;
}

struct summary_requests *summary_requests_new(const struct question *question)
{
	struct summary_requests *requests = xcalloc(1, sizeof(*requests));

	requests->question = question;
	tally_init(&requests->rows, sizeof(struct request_row), sizeof(struct request_key),
	           REQUEST_ROWS_MAX);
	requests->gate.take = requests_take;
	if (question_has_filter(question) || question->recording.has_targets)
		tail_begin(&requests->tail, question, "request", /* part= */ 0);
	requests->answers.question = question;
	tally_init(&requests->answers.rows, sizeof(struct answer_row), sizeof(struct answer_key),
	           ANSWER_ROWS_MAX);
	requests->answers.gate.take = answers_take;
	requests->answers.gate.wide_kinds = INTERVAL_MASK_ALL;
	return requests;
}

/* The time of the path that lies in waits of the task, including everything that it waited for. Of
   a node of several tasks of one name, as of programs that run one after the other, it is not known
   what each had of it: it counts for each of them. */
static nsec_t time_on_path(const struct explanation *explanation, uint32_t task)
{
	const struct chain_tree *path = &explanation->path;
	uint32_t comm = track_name(&explanation->question->timeline->track[task]);
	_cleanup_(freep) bool *is_below = xcalloc(path->count, sizeof(*is_below));
	nsec_t total = 0;

	/* a node comes after its parent */
	for (size_t i = CHAIN_ROOT + 1; i < path->count; i++) {
		const struct chain_node *node = &path->node[i];
		const struct voter voter = chain_node_voter(node);
		bool is_own = voter.own == voter.all ? voter.track == task : node->comm == comm;

		is_below[i] = is_below[node->parent] || (node->state == PART_WAITING && is_own);
		if (is_below[i])
			total += node->total;
	}
	return total;
}

/* The task that answers the most requests at the address; TRACK_NONE: none of this machine does. */
static uint32_t address_server(const struct summary_requests *requests, uint32_t address)
{
	const struct request_row *most = ORDER_MOST(
		it, (const struct request_row *)(void *)requests->rows.row, requests->rows.count,
		address && it->key.address == address, it->work.count);

	return most ? most->task : TRACK_NONE;
}

/* Whether the one task may have waited for the answers, and the path does not show it. Who is to
   give them does not wait for them. */
static bool row_matters(const struct summary_requests *requests, const struct answer_row *row,
                        const struct explanation *explanation)
{
	nsec_t life = explanation->path_until - explanation->path_begin;
	uint32_t server = address_server(requests, row->key.address);

	return row->key.task != explanation->path_track &&
	       nsec_ratio(row->total, life) >= PART_WORTH &&
	       (double)time_on_path(explanation, row->key.task) <
	               PART_MOST * (double)row->total &&
	       (server == TRACK_NONE ||
	        !timeline_is_one_process(requests->question->timeline, server,
	                                 explanation->path_track));
}

bool summary_answers_report(const struct summary_requests *requests,
                            const struct explanation *explanation, const struct output *to)
{
	const struct question *question = requests->question;
	const struct answer_row *most = NULL;
	nsec_t stopped = 0;
	uint32_t server;

	if (explanation->path_track != TRACK_NONE)
		most = ORDER_MOST(it, (const struct answer_row *)(void *)requests->answers.rows.row,
		                  requests->answers.rows.count,
		                  question->resolved->is_asked[it->key.task] &&
		                          row_matters(requests, it, explanation),
		                  it->total);
	if (!most)
		return false;
	server = address_server(requests, most->key.address);
	if (server != TRACK_NONE)
		stopped = track_time_in(&question->timeline->track[server], 1u << SEGMENT_STOPPED,
		                        explanation->path_begin, explanation->path_until);
	say_to(to, question->timeline,
	       "Meanwhile {count} request{|s} of {task}[ to {name}] {was|were} unanswered for "
	       "{time}[, {task} was stopped for {time}]; whether {task} waited for that is not "
	       "known (--net).",
	       COUNT(most->count), TASK(most->key.task),
	       WHEN(most->key.address, NAME(most->key.address)), TIME(most->total),
	       WHEN(nsec_ratio(stopped, most->total) >= PART_WORTH, TASK(server)), TIME(stopped),
	       TASK(explanation->path_track));
	return true;
}
