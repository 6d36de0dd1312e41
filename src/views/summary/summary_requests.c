/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A server works on a request from the read that returns the last part of the request to the return
 * of the first write of the answer. For each process and address this shows the number of requests,
 * how long they took, and where the time of the longest one went: its critical path is walked while
 * the history of that time is still there.
 *
 * About 3 KB a row, at most REQUEST_ROWS_MAX.
 */
#include "summary_requests.h"

#include <inttypes.h>
#include <stdlib.h>

#include "analysis/tables/distribution.h"
#include "analysis/tables/interval_gate.h"
#include "analysis/prose.h"
#include "analysis/tables/relation.h"
#include "base/data/array.h"
#include "base/cleanup.h"
#include "base/text/format.h"
#include "base/nsec_scale.h"
#include "base/xalloc.h"
#include "cost_list.h"
#include "whose.h"

#define REQUEST_ROWS_MAX (1u << 10)
#define WORST_NODES_MAX  (1u << 12)
#define WORST_ROWS       8 /* number of rows whose worst requests are walked before the history
                              is forgotten */
#define COSTS_SHOWN      2
#define COST_LEAST       0.05 /* least part of the worst request that is named */

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

struct summary_requests {
	const struct question *question;
	struct relation rows;
	struct interval_gate gate;
};

static void requests_take(void *state, const struct interval *interval);

struct summary_requests *summary_requests_new(const struct question *question)
{
	struct summary_requests *requests = xcalloc(1, sizeof(*requests));

	requests->question = question;
	relation_init(&requests->rows, sizeof(struct request_row), sizeof(struct request_key),
	              REQUEST_ROWS_MAX);
	interval_gate_init(&requests->gate, question, requests_take);
	return requests;
}

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
	struct request_row *row = relation_row(&requests->rows, &key);

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
	if (interval->kind == INTERVAL_EXCHANGE && interval->exchange.of.is_passive &&
	    interval->exchange.work != NSEC_NEVER && interval->task != TRACK_NONE)
		interval_gate_pass(&requests->gate, requests, interval);
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

/* The number of rows with more requests. */
static size_t row_rank(const struct summary_requests *requests, const struct request_row *row)
{
	size_t rank = 0;

	for (size_t i = 0; i < requests->rows.count; i++) {
		const struct request_row *other = relation_at(&requests->rows, i);

		rank += other->worst.track != TRACK_NONE && other->work.count > row->work.count;
	}
	return rank;
}

/* Walks the worst requests of the first rows, any of which may be reported in the end. */
void summary_requests_fold(struct summary_requests *requests)
{
	for (size_t i = 0; i < requests->rows.count; i++) {
		struct request_row *row = relation_at(&requests->rows, i);

		if (row_rank(requests, row) < WORST_ROWS)
			row_walk_worst(requests, row);
		if (row->tree)
			chain_tree_settle(row->tree);
	}
}

void summary_requests_resolve(struct summary_requests *requests)
{
	struct request_row *most = NULL;

	interval_gate_resolve(&requests->gate, requests);
	for (size_t i = 0; i < requests->rows.count; i++) {
		struct request_row *row = relation_at(&requests->rows, i);

		if (request_is_asked(requests, row) &&
		    (!most || row->work.count > most->work.count))
			most = row;
	}
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
	[COLUMN_WORST_AT] = {"worst_at_ns", NULL, CELL_INSTANT, COLUMN_DATA_ONLY, RELATION_FILLED},
};

static void request_fill(const void *requests, const void *of, struct cell *cell,
                         struct buffer *text)
{
	const struct request_row *row = of;

	(void)requests;
	(void)text;
	cell[COLUMN_WORST_AT].time = row->work.max_at - row->work.max;
}

static const struct measure by_count[] = {{AT(work.count)}};

static const struct relation_form form = {
	"requests",
	"Requests, by their number",
	fields,
	ARRAY_SIZE(fields),
	.by_key = by_count,
	.is_shown = request_is_asked,
	.fill = request_fill,
};

void summary_requests_free(struct summary_requests *requests)
{
	for (size_t i = 0; i < requests->rows.count; i++)
		row_forget_worst(relation_at(&requests->rows, i));
	relation_release(&requests->rows, &form);
	interval_gate_release(&requests->gate);
	free(requests);
}

/* ": 98 % disk 254,0, 2 % running", ": 99 % sleeping on a timer; in 98 % of it backend ran or
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
	for (size_t i = 0; i < list.count && i < COSTS_SHOWN; i++) {
		double part = nsec_ratio(list.cost[i].total, list.total);

		if (part < COST_LEAST)
			break;
		buffer_printf(to, "%s%.0f %% ", i ? ", " : ": ", 100.0 * part);
		cost_name_append(to, &list, &list.cost[i]);
	}
	whose_append(to, &list.names, row->tree, row->worst.track, list.total);
	cost_list_release(&list);
}

/* " Its path: --critical-path=17 --from 1.000100 --to 1.000950": how to see more of the longest
   request, if its task is asked for. */
static void worst_path_append(struct buffer *to, const struct timeline *timeline,
                              const struct request_row *row)
{
	const struct request_span *worst = &row->worst;

	if (worst->track == TRACK_NONE || worst->end - worst->begin != row->work.max)
		return;
	buffer_puts(to, " Its path: ");
	prose_path_options_append(to, timeline, worst->track, worst->begin, worst->end);
}

/* Whether the question is likely to be about a server: if tasks are asked for by name or number, or
   were recorded by number. In the tree of a recorded command, a server is one task of many. */
static bool is_asked_for_servers(const struct question *question)
{
	return question_has_filter(question) ||
	       (question->resolved->is_targeted && !question->recording.is_of_command);
}

/* Whether the sentence is printed at this place. In a recording of the whole machine some tasks
   always answer others, so there is no sentence; the table lists them. */
static bool sentence_is_due(const struct question *question, bool is_first)
{
	return is_first ? is_asked_for_servers(question)
	                : question->resolved->is_targeted && !is_asked_for_servers(question);
}

void summary_requests_print(const struct summary_requests *requests, bool is_first,
                            const struct output *to)
{
	const struct question *question = requests->question;
	_cleanup_(buffer_release) struct buffer line = {0};
	struct relation_rows rows = relation_choose(&requests->rows, &form, requests, question);
	const struct request_row *most = rows.count ? rows.row[0] : NULL;
	struct distribution_sum work;

	if (most && sentence_is_due(question, is_first)) {
		distribution_sum(&most->work, &work);
		buffer_init(&line, BUFFER_LIMIT_DEFAULT);
		prose_task_append(&line, question->timeline, most->task);
		buffer_printf(&line, " answered %s request%s", COUNT_TEXT(work.count),
		              format_plural(work.count));
		if (work.count > 1)
			buffer_printf(&line, ": p50 %s", DURATION_TEXT(work.p50));
		if (work.count > 1)
			buffer_printf(&line, ", p99 %s", DURATION_TEXT(work.p99));
		buffer_printf(&line, work.count > 1 ? "; the worst took %s" : " in %s",
		              DURATION_TEXT(work.max));
		if (most->tree)
			worst_append(&line, requests, most);
		buffer_puts(&line, ".");
		worst_path_append(&line, question->timeline, most);
		prose_put(to, line.text);
	}
	relation_rows_release(&rows);
}

/* Below the table of a whole machine, for which there is no sentence on requests. */
static void worst_print(const struct timeline *timeline, const struct request_row *row,
                        const struct output *to)
{
	_cleanup_(buffer_release) struct buffer line = {0};

	buffer_init(&line, 512);
	buffer_puts(&line, "The longest request to ");
	prose_task_append(&line, timeline, row->task);
	buffer_printf(&line, " took %s.", DURATION_TEXT(row->work.max));
	worst_path_append(&line, timeline, row);
	prose_put(to, line.text);
}

void summary_requests_put(const struct summary_requests *requests, const struct output *to)
{
	const struct question *question = requests->question;
	struct relation_rows rows = relation_choose(&requests->rows, &form, requests, question);

	if (rows.count)
		relation_show(&form, &rows, requests, question, to);
	if (rows.count && !is_asked_for_servers(question) && !question->resolved->is_targeted)
		worst_print(question->timeline, rows.row[0], to);
	relation_rows_release(&rows);
	if (requests->rows.left_out)
		health_doubt(question->health,
		             "requests to more than %u servers and addresses: %" PRIu64
		             " to others are left out",
		             REQUEST_ROWS_MAX, requests->rows.left_out);
}
