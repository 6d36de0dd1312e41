/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "exchange_list.h"

#include <inttypes.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/prose.h"
#include "base/array.h"
#include "base/cleanup.h"
#include "base/format.h"

static const char *const role_names[] = {
	[ROLE_UNKNOWN] = NULL,
	[ROLE_SERVER] = "server",
	[ROLE_CLIENT] = "client",
};

/* As text shows roles that are only guessed. */
static const char *const guess_names[] = {
	[ROLE_UNKNOWN] = NULL,
	[ROLE_SERVER] = "server?",
	[ROLE_CLIENT] = "client?",
};

void exchange_list_init(struct exchange_list *list)
{
	*list = (struct exchange_list){0};
	map_init(&list->by_hash);
}

void exchange_list_release(struct exchange_list *list)
{
	for (size_t i = 0; i < list->count; i++) {
		distribution_release(&list->row[i].wait);
		distribution_release(&list->row[i].receive);
		distribution_release(&list->row[i].work);
		distribution_release(&list->row[i].send);
		distribution_release(&list->row[i].way_out);
		distribution_release(&list->row[i].answering);
		distribution_release(&list->row[i].way_back);
	}
	free(list->row);
	map_release(&list->by_hash);
}

/* NULL beyond the limit. */
static struct exchange_row *list_row_of(struct exchange_list *list,
                                        const struct exchange_row *wanted)
{
	uint64_t hash = hash_mix((uint64_t)wanted->task << 8 | wanted->role, wanted->address);
	uint32_t index;

	MAP_HASH_EACH(&list->by_hash, hash, index) {
		struct exchange_row *row = &list->row[index];

		if (row->task == wanted->task && row->role == wanted->role &&
		    row->address == wanted->address)
			return row;
	}
	if (list->count == EXCHANGE_ROWS_MAX)
		return NULL;
	ARRAY_GROW(list->row, list->count, list->capacity);
	map_put(&list->by_hash, hash, (uint32_t)list->count);
	list->row[list->count] = *wanted;
	return &list->row[list->count++];
}

static void phase_add(struct distribution *to, nsec_t length, nsec_t at)
{
	if (length != NSEC_NEVER)
		distribution_add(to, length, at);
}

void exchange_list_add(struct exchange_list *list, const struct interval *interval)
{
	const struct exchange_interval *exchange = &interval->exchange;
	const struct connection_interval *of = &exchange->of;
	bool is_client = exchange->is_active;
	struct exchange_row *row;

	/* of the others no address is known */
	if (of->protocol != IPPROTO_TCP)
		return;
	row = list_row_of(
		list, &(struct exchange_row){
			      .task = interval->task,
			      .role = is_client         ? ROLE_CLIENT
			              : of->is_passive ? ROLE_SERVER
			                               : ROLE_UNKNOWN,
			      .address = is_client ? of->peer : of->local,
		      });

	if (!row) {
		list->left_out++;
		return;
	}
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

/* Requests that were taken; of a client, answers. */
static uint64_t row_count(const struct exchange_row *row)
{
	return row->role == ROLE_CLIENT ? row->wait.count : row->receive.count;
}

/* One-way connections are no request/response exchanges. */
static bool row_is_asked(const struct question *question, const struct exchange_row *row)
{
	if (row->role == ROLE_CLIENT ? row->wait.count == 0 : row->work.count == 0)
		return false;
	if (row->task == LINE_NONE)
		return !question_has_filter(question) && !question->is_targeted;
	return question->is_asked[row->task];
}

static int row_compare(const void *a, const void *b)
{
	const struct exchange_row *x = *(const struct exchange_row *const *)a;
	const struct exchange_row *y = *(const struct exchange_row *const *)b;
	uint64_t left = row_count(x), right = row_count(y);

	if (left != right)
		return left > right ? -1 : 1;
	/* in the order in which they were seen */
	return x < y ? -1 : x > y;
}

/* Most turns first; to be freed. */
static const struct exchange_row **rows_sorted(const struct exchange_list *list,
                                               const struct question *question,
                                               size_t *ret_count)
{
	/* NOLINTNEXTLINE: pointers are meant */
	const struct exchange_row **sorted = xcalloc(list->count, sizeof(*sorted));

	*ret_count = 0;
	for (size_t i = 0; i < list->count; i++)
		if (row_is_asked(question, &list->row[i]))
			sorted[(*ret_count)++] = &list->row[i];
	array_sort(sorted, *ret_count, sizeof(struct exchange_row *), row_compare);
	return sorted;
}

/* How the waits of a client are divided. */
static void ways_append(struct buffer *to, const struct exchange_row *row)
{
	char figure[FORMAT_BYTES];

	if (row->way_out.count == 0) {
		buffer_puts(to, "; how much of it was work there is not known: that end is not in "
		                "the recording, or not from the beginning");
		return;
	}
	buffer_printf(to, ": %s on the way out", format_duration(row->way_out.total, figure));
	buffer_printf(to, ", %s of work there", format_duration(row->answering.total, figure));
	buffer_printf(to, ", %s on the way back", format_duration(row->way_back.total, figure));
	if (row->undivided)
		buffer_printf(to, "; of %s that is not known",
		              format_duration(row->undivided, figure));
}

/* The client that waited most for answers, and how its wait divides. */
static void client_tell(const struct exchange_list *list, const struct question *question,
                        const struct presenter *presenter, void *to)
{
	const struct exchange_row *most = NULL;
	_cleanup_(buffer_release) struct buffer line = {0};
	char figure[FORMAT_BYTES];

	for (size_t i = 0; i < list->count; i++) {
		const struct exchange_row *row = &list->row[i];

		if (row->role == ROLE_CLIENT && row->task != LINE_NONE &&
		    row_is_asked(question, row) &&
		    row->wait.total >= (most ? most->wait.total + 1 : 0))
			most = row;
	}
	if (!most)
		return;
	buffer_init(&line, BUFFER_LIMIT_DEFAULT);
	prose_task_append(&line, question->timeline, most->task);
	buffer_printf(&line, " waited most for answers: %s",
	              format_duration(most->wait.total, figure));
	buffer_printf(&line, " for %s", format_count(row_count(most), figure));
	if (most->address)
		buffer_printf(&line, " of %s",
		              intern_text(&question->timeline->names, most->address));
	ways_append(&line, most);
	buffer_putc(&line, '.');
	prose_put(presenter, to, line.text);
}

static void server_tell(const struct exchange_list *list, const struct question *question,
                        const struct presenter *presenter, void *to)
{
	const struct exchange_row *most = NULL;
	_cleanup_(buffer_release) struct buffer line = {0};
	struct distribution_sum work;
	char figure[FORMAT_BYTES];

	for (size_t i = 0; i < list->count; i++) {
		const struct exchange_row *row = &list->row[i];

		if (row->role != ROLE_CLIENT && row->task != LINE_NONE &&
		    row_is_asked(question, row) &&
		    row->work.total >= (most ? most->work.total + 1 : 0))
			most = row;
	}
	if (!most)
		return;
	distribution_sum(&most->work, &work);
	buffer_init(&line, BUFFER_LIMIT_DEFAULT);
	prose_task_append(&line, question->timeline, most->task);
	buffer_printf(&line, " worked most between request and answer: %s",
	              format_duration(work.total, figure));
	buffer_printf(&line, " for %s request%s", format_count(row_count(most), figure),
	              format_plural(row_count(most)));
	buffer_printf(&line, ", p50 %s", format_duration(work.p50, figure));
	buffer_printf(&line, ", at most %s.", format_duration(work.max, figure));
	prose_put(presenter, to, line.text);
}

void exchange_list_tell(const struct exchange_list *list, const struct question *question,
                        const struct presenter *presenter, void *to)
{
	server_tell(list, question, presenter, to);
	client_tell(list, question, presenter, to);
}

enum exchange_column {
	COLUMN_TASK,
	COLUMN_ROLE,
	COLUMN_ROLE_TEXT,
	COLUMN_ADDRESS,
	COLUMN_COUNT,
	COLUMN_WAIT,
	COLUMN_RECEIVE,
	COLUMN_WORK,
	COLUMN_SEND,
	COLUMN_WAY_OUT,
	COLUMN_ANSWERING,
	COLUMN_WAY_BACK,
	COLUMN_UNDIVIDED,
	COLUMN_ROLE_GUESS,
	COLUMN_WAY_OUT_SUM,
	COLUMN_ANSWERING_SUM,
	COLUMN_WAY_BACK_SUM,
	COLUMN_RECEIVING,
	COLUMN_SENDING,
	COLUMNS,
};

static const struct column columns[COLUMNS] = {
	[COLUMN_TASK] = {"task", "TASK", CELL_TASK, 0},
	[COLUMN_ROLE] = {"role", NULL, CELL_TEXT, COLUMN_DATA_ONLY},
	[COLUMN_ROLE_TEXT] = {NULL, "ROLE", CELL_TEXT, COLUMN_TEXT_ONLY | COLUMN_SPARE(4)},
	[COLUMN_ADDRESS] = {"address", "AT", CELL_TEXT, COLUMN_TAILED},
	[COLUMN_COUNT] = {"count", "TURNS", CELL_COUNT, COLUMN_USEFUL(1)},
	[COLUMN_WAIT] = {"wait", "WAIT P50 / P99 / MAX", CELL_DISTRIBUTION, COLUMN_USEFUL(2)},
	[COLUMN_RECEIVE] = {"receive", NULL, CELL_DISTRIBUTION, COLUMN_DATA_ONLY},
	[COLUMN_WORK] = {"work", "WORK P50 / P99 / MAX", CELL_DISTRIBUTION, 0},
	[COLUMN_SEND] = {"send", NULL, CELL_DISTRIBUTION, COLUMN_DATA_ONLY},
	[COLUMN_WAY_OUT] = {"way_out", NULL, CELL_DISTRIBUTION, COLUMN_DATA_ONLY},
	[COLUMN_ANSWERING] = {"server_work", NULL, CELL_DISTRIBUTION, COLUMN_DATA_ONLY},
	[COLUMN_WAY_BACK] = {"way_back", NULL, CELL_DISTRIBUTION, COLUMN_DATA_ONLY},
	[COLUMN_UNDIVIDED] = {"undivided_ns", NULL, CELL_DURATION, COLUMN_DATA_ONLY},
	[COLUMN_ROLE_GUESS] = {"role_guessed", NULL, CELL_BOOL, COLUMN_DATA_ONLY},
	[COLUMN_WAY_OUT_SUM] = {NULL, "WAY OUT", CELL_DURATION,
                                COLUMN_TEXT_ONLY | COLUMN_SPARE(5)},
	[COLUMN_ANSWERING_SUM] = {NULL, "WORK THERE", CELL_DURATION,
                                  COLUMN_TEXT_ONLY | COLUMN_SPARE(5)},
	[COLUMN_WAY_BACK_SUM] = {NULL, "WAY BACK", CELL_DURATION,
                                 COLUMN_TEXT_ONLY | COLUMN_SPARE(5)},
	[COLUMN_RECEIVING] = {NULL, "RECEIVING", CELL_DURATION, COLUMN_TEXT_ONLY | COLUMN_SPARE(1)},
	[COLUMN_SENDING] = {NULL, "SENDING", CELL_DURATION, COLUMN_TEXT_ONLY | COLUMN_SPARE(1)},
};

/* Nobody talked in turns, or nothing tells. */
static const struct column empty_columns[] = {
	{"task", NULL, CELL_TASK, COLUMN_DATA_ONLY},
	{"role", NULL, CELL_TEXT, COLUMN_DATA_ONLY},
	{"address", NULL, CELL_TEXT, COLUMN_DATA_ONLY},
	{"count", NULL, CELL_COUNT, COLUMN_DATA_ONLY},
	{"wait", NULL, CELL_DISTRIBUTION, COLUMN_DATA_ONLY},
	{"receive", NULL, CELL_DISTRIBUTION, COLUMN_DATA_ONLY},
	{"work", NULL, CELL_DISTRIBUTION, COLUMN_DATA_ONLY},
	{"send", NULL, CELL_DISTRIBUTION, COLUMN_DATA_ONLY},
	{"way_out", NULL, CELL_DISTRIBUTION, COLUMN_DATA_ONLY},
	{"server_work", NULL, CELL_DISTRIBUTION, COLUMN_DATA_ONLY},
	{"way_back", NULL, CELL_DISTRIBUTION, COLUMN_DATA_ONLY},
	{"undivided_ns", NULL, CELL_DURATION, COLUMN_DATA_ONLY},
	{"role_guessed", NULL, CELL_BOOL, COLUMN_DATA_ONLY},
};

/* Of a client: how its waits are divided, as far as both ends are known. */
static void parts_put(const struct exchange_row *row, struct cell *cell)
{
	bool is_divided = row->way_out.count > 0;

	for (size_t i = COLUMN_WAY_OUT_SUM; i <= COLUMN_WAY_BACK_SUM; i++)
		if (!is_divided)
			cell[i].type = CELL_EMPTY;
	cell[COLUMN_WAY_OUT_SUM].time = row->way_out.total;
	cell[COLUMN_ANSWERING_SUM].time = row->answering.total;
	cell[COLUMN_WAY_BACK_SUM].time = row->way_back.total;
	cell[COLUMN_UNDIVIDED].time = row->undivided;
	if (row->role != ROLE_CLIENT)
		cell[COLUMN_UNDIVIDED].type = CELL_EMPTY;
}

static void role_put(const struct exchange_row *row, struct cell *cell)
{
	cell[COLUMN_ROLE].text = role_names[row->role];
	cell[COLUMN_ROLE_TEXT].text = (row->is_guess ? guess_names : role_names)[row->role];
	cell[COLUMN_ROLE_GUESS].boolean = row->is_guess;
	if (role_names[row->role])
		return;
	cell[COLUMN_ROLE].type = cell[COLUMN_ROLE_TEXT].type = CELL_EMPTY;
	cell[COLUMN_ROLE_GUESS].type = CELL_EMPTY;
}

static void row_put(const struct exchange_row *row, const struct timeline *timeline,
                    const struct presenter *presenter, void *to)
{
	const struct distribution *phase[] = {&row->wait,    &row->receive,   &row->work,
	                                      &row->send,    &row->way_out,   &row->answering,
	                                      &row->way_back};
	struct distribution_sum sum[ARRAY_SIZE(phase)];
	struct cell cell[COLUMNS];

	for (size_t i = 0; i < COLUMNS; i++)
		cell[i].type = columns[i].type;
	if (row->task == LINE_NONE)
		cell[COLUMN_TASK].type = CELL_EMPTY;
	else
		cell[COLUMN_TASK].task = timeline_task(timeline, row->task, NSEC_NEVER);
	role_put(row, cell);
	cell[COLUMN_ADDRESS].text = intern_text(&timeline->names, row->address);
	if (row->address == 0)
		cell[COLUMN_ADDRESS].type = CELL_EMPTY;
	cell[COLUMN_COUNT].count = row_count(row);
	for (size_t i = 0; i < ARRAY_SIZE(phase); i++) {
		distribution_sum(phase[i], &sum[i]);
		cell[COLUMN_WAIT + i].distribution = &sum[i];
		if (sum[i].count == 0)
			cell[COLUMN_WAIT + i].type = CELL_EMPTY;
	}
	parts_put(row, cell);
	cell[COLUMN_RECEIVING].time = row->receive.total;
	cell[COLUMN_SENDING].time = row->send.total;
	presenter->row(to, cell);
}

/* Of parts of waits something is shown where any row has them. */
static void columns_choose(const struct exchange_row *const *sorted, size_t count,
                           struct column shown[static COLUMNS])
{
	bool is_divided = false;

	memcpy(shown, columns, sizeof(columns));
	for (size_t i = 0; i < count; i++)
		is_divided |= sorted[i]->way_out.count > 0;
	for (size_t i = COLUMN_WAY_OUT_SUM; i <= COLUMN_WAY_BACK_SUM; i++)
		if (!is_divided)
			shown[i].flags |= COLUMN_DATA_ONLY;
}

void exchange_list_put(const struct exchange_list *list, const struct question *question,
                       const struct presenter *presenter, void *to)
{
	size_t count;
	const struct exchange_row **sorted = rows_sorted(list, question, &count);
	struct column shown[COLUMNS];

	columns_choose(sorted, count, shown);
	if (count)
		presenter->table_begin(to, "requests", "Requests and answers, by their number",
		                       shown, COLUMNS, /* is_single= */ false);
	else
		presenter->table_begin(to, "requests", NULL, empty_columns,
		                       ARRAY_SIZE(empty_columns), /* is_single= */ false);
	for (size_t i = 0; i < count; i++)
		row_put(sorted[i], question->timeline, presenter, to);
	presenter->table_end(to);
	free(sorted);
	if (list->left_out)
		health_note(question->health,
		            "requests of more than %u tasks and addresses: %" PRIu64
		            " turns of others are left out",
		            EXCHANGE_ROWS_MAX, list->left_out);
}
