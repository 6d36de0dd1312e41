/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a server is asked for is what it does between request and answer: from the read that has got
 * the last of a request to the return of the first write of the answer. Of each process and address
 * how many there were and how long they took; and of the longest one of all what that went to, by
 * its critical path, which is walked while the history of that time is still there.
 *
 * About 3 KB each of the rows, at most REQUEST_ROWS_MAX.
 */
#include "summary_requests.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/cleanup.h"
#include "base/format.h"
#include "base/nsec_scale.h"
#include "base/xalloc.h"
#include "cost_list.h"
#include "distribution.h"
#include "interval_gate.h"
#include "prose.h"

#define REQUEST_ROWS_MAX (1u << 10)
#define WORST_NODES_MAX  (1u << 12)
#define COSTS_SHOWN      2
#define COST_LEAST       0.05 /* of the worst one */

struct request_row {
	uint32_t task;    /* line: of its process, the first one that answered */
	int32_t process;  /* tgid, or tid where that is not known */
	uint32_t address; /* name id: where it is asked; 0: not known */
	struct distribution work;
};

/* One request, from its last read to the first write of its answer. */
struct request_span {
	uint32_t line; /* who answered; LINE_NONE: there was none */
	nsec_t begin, end;
};

struct summary_requests {
	const struct question *question;
	struct request_row *row;
	size_t count, capacity;
	struct map by_hash;
	uint64_t left_out;
	struct request_span worst;
	struct chain_tree tree; /* where is_walked, of the worst one */
	bool is_walked;
	struct interval_gate gate;
};

static void requests_take(void *state, const struct interval *interval);

struct summary_requests *summary_requests_new(const struct question *question)
{
	struct summary_requests *requests = xcalloc(1, sizeof(*requests));

	requests->question = question;
	requests->worst.line = LINE_NONE;
	map_init(&requests->by_hash);
	interval_gate_init(&requests->gate, question, requests_take);
	return requests;
}

static void worst_forget(struct summary_requests *requests)
{
	if (requests->is_walked)
		chain_tree_release(&requests->tree);
	requests->is_walked = false;
}

void summary_requests_free(struct summary_requests *requests)
{
	for (size_t i = 0; i < requests->count; i++)
		distribution_release(&requests->row[i].work);
	free(requests->row);
	map_release(&requests->by_hash);
	worst_forget(requests);
	interval_gate_release(&requests->gate);
	free(requests);
}

/* NULL beyond the limit. */
static struct request_row *requests_row_of(struct summary_requests *requests, uint32_t task,
                                           uint32_t address)
{
	const struct line *line = &requests->question->timeline->line[task];
	int32_t process = line->tgid > 0 ? line->tgid : line->tid;
	uint64_t hash = hash_mix((uint64_t)(uint32_t)process, address);
	uint32_t index;

	for (; (index = map_get(&requests->by_hash, hash)) != MAP_NONE; hash++)
		if (requests->row[index].process == process &&
		    requests->row[index].address == address)
			return &requests->row[index];
	if (requests->count == REQUEST_ROWS_MAX)
		return NULL;
	ARRAY_GROW(requests->row, requests->count, requests->capacity);
	map_put(&requests->by_hash, hash, (uint32_t)requests->count);
	requests->row[requests->count] = (struct request_row){task, process, address, {0}};
	return &requests->row[requests->count++];
}

static void requests_take(void *state, const struct interval *interval)
{
	const struct exchange_interval *exchange = &interval->exchange;
	struct summary_requests *requests = state;
	struct request_row *row;

	row = requests_row_of(requests, interval->task, exchange->of.local);
	if (!row) {
		requests->left_out++;
		return;
	}
	distribution_add(&row->work, exchange->work, exchange->answered);
	if (!question_asks_line(requests->question, interval->task) ||
	    (requests->worst.line != LINE_NONE &&
	     exchange->work <= requests->worst.end - requests->worst.begin))
		return;
	worst_forget(requests);
	requests->worst = (struct request_span){
		.line = interval->task,
		.begin = exchange->answered - exchange->work,
		.end = exchange->answered,
	};
}

void summary_requests_add(struct summary_requests *requests, const struct interval *interval)
{
	if (interval->kind == INTERVAL_EXCHANGE && interval->exchange.of.is_passive &&
	    interval->exchange.work != NSEC_NEVER && interval->task != LINE_NONE)
		interval_gate_pass(&requests->gate, requests, interval);
}

/* What the worst one so far went to, unless that is known. */
static void worst_walk(struct summary_requests *requests)
{
	struct timeline *timeline = requests->question->timeline;

	if (requests->worst.line == LINE_NONE || requests->is_walked || !timeline->keep_segments)
		return;
	chain_tree_init(&requests->tree, timeline, WORST_NODES_MAX);
	requests->is_walked = true;
	chain_tree_add(&requests->tree, requests->worst.line, requests->worst.begin,
	               requests->worst.end);
}

void summary_requests_fold(struct summary_requests *requests)
{
	worst_walk(requests);
	if (requests->is_walked)
		chain_tree_settle(&requests->tree);
}

void summary_requests_resolve(struct summary_requests *requests)
{
	interval_gate_resolve(&requests->gate, requests);
	worst_walk(requests);
}

static bool row_is_asked(const struct summary_requests *requests, const struct request_row *row)
{
	return requests->question->is_asked[row->task];
}

static int row_compare(const void *a, const void *b)
{
	const struct request_row *x = *(const struct request_row *const *)a;
	const struct request_row *y = *(const struct request_row *const *)b;

	if (x->work.count != y->work.count)
		return x->work.count > y->work.count ? -1 : 1;
	/* in the order in which they were seen */
	return x < y ? -1 : x > y;
}

/* Most requests first; to be freed. */
static const struct request_row **rows_sorted(const struct summary_requests *requests,
                                              size_t *ret_count)
{
	/* NOLINTNEXTLINE: pointers are meant */
	const struct request_row **sorted = xcalloc(requests->count, sizeof(*sorted));

	*ret_count = 0;
	for (size_t i = 0; i < requests->count; i++)
		if (row_is_asked(requests, &requests->row[i]))
			sorted[(*ret_count)++] = &requests->row[i];
	array_sort(sorted, *ret_count, sizeof(struct request_row *), row_compare);
	return sorted;
}

/* While it answers no sleep is apart, whoever chose it. */
static int cost_compare(const void *a, const void *b)
{
	const struct cost *x = a, *y = b;

	if (x->total != y->total)
		return x->total > y->total ? -1 : 1;
	return x->number < y->number ? -1 : x->number > y->number;
}

/* "98 % disk 254,0, 2 % running" */
static void worst_append(struct buffer *to, const struct summary_requests *requests)
{
	struct cost_list list;

	cost_list_init(&list, requests->question->timeline);
	list.own = line_last_name(&list.timeline->line[requests->worst.line]);
	cost_list_add_tree(&list, &requests->tree, /* is_path= */ true);
	array_sort(list.cost, list.count, sizeof(*list.cost), cost_compare);
	for (size_t i = 0; i < list.count && i < COSTS_SHOWN; i++) {
		double part = nsec_ratio(list.cost[i].total, list.total);

		if (part < COST_LEAST)
			break;
		buffer_printf(to, "%s%.0f %% ", i ? ", " : ": ", 100.0 * part);
		cost_name_append(to, &list, &list.cost[i]);
	}
	cost_list_release(&list);
}

static bool worst_is_of(const struct summary_requests *requests, const struct request_row *row)
{
	return requests->worst.line != LINE_NONE && row->work.count &&
	       requests->worst.end - requests->worst.begin == row->work.max &&
	       requests->worst.end == row->work.max_at;
}

/* Of a command and its children a server is one of many; of what is asked for by name or number it
   is what is meant. */
static bool is_asked_for_servers(const struct question *question)
{
	return question_has_filter(question) ||
	       (question->is_targeted && !question->is_of_command);
}

/* Of all tasks of a machine some always answer others: the table has them. */
static bool is_told(const struct question *question, bool is_first)
{
	return is_first ? is_asked_for_servers(question)
	                : question->is_targeted && !is_asked_for_servers(question);
}

void summary_requests_tell(const struct summary_requests *requests, bool is_first,
                           const struct presenter *presenter, void *to)
{
	const struct question *question = requests->question;
	_cleanup_(buffer_release) struct buffer line = {0};
	size_t count;
	const struct request_row **sorted = rows_sorted(requests, &count);
	struct distribution_sum work;
	char figure[FORMAT_BYTES];

	if (count && is_told(question, is_first)) {
		distribution_sum(&sorted[0]->work, &work);
		buffer_init(&line, BUFFER_LIMIT_DEFAULT);
		prose_task_append(&line, question->timeline, sorted[0]->task);
		buffer_printf(&line, " answered %s request%s", format_count(work.count, figure),
		              format_plural(work.count));
		if (work.count > 1)
			buffer_printf(&line, ": p50 %s", format_duration(work.p50, figure));
		if (work.count > 1)
			buffer_printf(&line, ", p99 %s", format_duration(work.p99, figure));
		buffer_printf(&line, work.count > 1 ? "; the worst took %s" : " in %s",
		              format_duration(work.max, figure));
		if (worst_is_of(requests, sorted[0]) && requests->is_walked)
			worst_append(&line, requests);
		buffer_puts(&line, ".");
		prose_put(presenter, to, line.text);
	}
	free(sorted);
}

enum request_column {
	COLUMN_TASK,
	COLUMN_ADDRESS,
	COLUMN_COUNT,
	COLUMN_WORK,
	COLUMN_WORST_AT,
	COLUMNS,
};

static const struct column columns[COLUMNS] = {
	[COLUMN_TASK] = {"task", "TASK", CELL_TASK, 0},
	[COLUMN_ADDRESS] = {"address", "AT", CELL_TEXT, COLUMN_TAILED},
	[COLUMN_COUNT] = {"count", "REQUESTS", CELL_COUNT, COLUMN_USEFUL(1)},
	[COLUMN_WORK] = {"work", "WORK P50 / P99 / MAX", CELL_DISTRIBUTION, 0},
	[COLUMN_WORST_AT] = {"worst_at_ns", NULL, CELL_INSTANT, COLUMN_DATA_ONLY},
};

static void row_put(const struct summary_requests *requests, const struct request_row *row,
                    const struct presenter *presenter, void *to)
{
	const struct timeline *timeline = requests->question->timeline;
	struct distribution_sum work;
	struct cell cell[COLUMNS];

	for (size_t i = 0; i < COLUMNS; i++)
		cell[i].type = columns[i].type;
	distribution_sum(&row->work, &work);
	cell[COLUMN_TASK].task = timeline_task(timeline, row->task, NSEC_NEVER);
	cell[COLUMN_ADDRESS].text = intern_text(&timeline->names, row->address);
	if (row->address == 0)
		cell[COLUMN_ADDRESS].type = CELL_EMPTY;
	cell[COLUMN_COUNT].count = work.count;
	cell[COLUMN_WORK].distribution = &work;
	cell[COLUMN_WORST_AT].time = row->work.max_at - row->work.max;
	presenter->row(to, cell);
}

void summary_requests_put(const struct summary_requests *requests,
                          const struct presenter *presenter, void *to)
{
	size_t count, shown;
	const struct request_row **sorted = rows_sorted(requests, &count);

	if (count) {
		shown = presenter_row_count(presenter, to, count);
		presenter->table_begin(to, "requests", "Requests, by their number", columns,
		                       COLUMNS, /* is_single= */ false);
		for (size_t i = 0; i < shown; i++)
			row_put(requests, sorted[i], presenter, to);
		presenter_leave_rows(presenter, to, count - shown);
		presenter->table_end(to);
	}
	free(sorted);
	if (requests->left_out)
		health_note(requests->question->health,
		            "requests to more than %u servers and addresses: %" PRIu64
		            " to others are left out",
		            REQUEST_ROWS_MAX, requests->left_out);
}
