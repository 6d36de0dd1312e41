/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "slowest_requests.h"

#include <inttypes.h>

#include "analysis/prose.h"
#include "analysis/request_time.h"
#include "base/data/array.h"
#include "base/text/format.h"
#include "base/data/heap.h"

#define TASKS_MAX   (1u << 13)
#define SLOWEST_MAX 50

struct task_slowest {
	uint32_t track;
	uint32_t count;
	struct request_time request[SLOWEST_MAX]; /* a heap, with the least slow on top */
};

void slowest_requests_init(struct relation *slowest)
{
	relation_init(slowest, sizeof(struct task_slowest), sizeof(uint32_t), TASKS_MAX);
}

void slowest_requests_release(struct relation *slowest)
{
	relation_release(slowest, NULL);
}

/* Of equally slow ones the first is the slowest. */
static bool request_is_less(const struct request_time *a, const struct request_time *b)
{
	return a->length != b->length ? a->length < b->length : a->begin > b->begin;
}

void slowest_requests_add(struct relation *slowest, const struct interval *interval)
{
	struct request_time request;
	struct task_slowest *of;

	if (!request_time(interval, &request))
		return;
	of = relation_row(slowest, &interval->task);
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

#define AT(member) RELATION_AT(struct request_time, member)

enum {
	COLUMN_ROLE = 2,
	COLUMN_PATH = 5,
};

static const struct field fields[] = {
	{"begin_ns", "BEGIN", CELL_INSTANT, COLUMN_SPARE(1), AT(begin)},
	{"task", "TASK", CELL_TASK, 0, AT(task)},
	[COLUMN_ROLE] = {"role", "ROLE", CELL_TEXT, COLUMN_SPARE(3), RELATION_FILLED},
	{"address", "AT", CELL_TEXT, COLUMN_TAILED | COLUMN_SPARE(2), AT(address)},
	{"time_ns", "TIME", CELL_DURATION, 0, AT(length)},
	[COLUMN_PATH] = {NULL, "ITS PATH", CELL_TEXT,
	                 COLUMN_TEXT_ONLY | COLUMN_NUMBER | COLUMN_USEFUL(7), RELATION_FILLED},
};

static void request_fill(const void *view, const void *of, struct cell *cell, struct buffer *text)
{
	const struct question *question = view;
	const struct request_time *request = of;

	cell[COLUMN_ROLE].text = request->is_client ? "client" : "server";
	prose_path_options_append(&text[COLUMN_PATH], question->timeline, request->task,
	                          request->begin, request->end);
}

static uint64_t begin_reversed(const void *request)
{
	return ~((const struct request_time *)request)->begin;
}

static const struct measure by_length[] = {{AT(length)}};

static const struct relation_form form = {
	"slowest_requests",
	"Slowest single requests: work of servers, waits of clients",
	fields,
	ARRAY_SIZE(fields),
	.by_key = by_length,
	.then = {.of = begin_reversed},
	.fill = request_fill,
	.is_hidden_if_empty = true,
};

void slowest_requests_put(const struct relation *slowest, const struct question *question,
                          const struct output *to)
{
	struct relation requests;
	struct relation_rows rows;

	relation_init(&requests, sizeof(struct request_time), 0, UINT32_MAX);
	for (size_t i = 0; i < slowest->count; i++) {
		const struct task_slowest *of = relation_at(slowest, i);

		if (!question->resolved->is_asked[of->track])
			continue;
		for (uint32_t at = 0; at < of->count; at++)
			*(struct request_time *)relation_add(&requests) = of->request[at];
	}
	rows = relation_choose(&requests, &form, question, question);
	if (rows.count > SLOWEST_MAX)
		rows.count = SLOWEST_MAX;
	relation_show(&form, &rows, question, question, to);
	relation_rows_release(&rows);
	relation_release(&requests, NULL);
	if (slowest->left_out)
		health_doubt(question->health,
		             "requests of more than %u tasks: %" PRIu64 " of others are missing "
		             "among the slowest",
		             TASKS_MAX, slowest->left_out);
}
