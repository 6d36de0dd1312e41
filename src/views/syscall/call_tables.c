/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "call_tables.h"

#include "analysis/tables/cells.h"
#include "analysis/machine_arch.h"
#include "base/data/array.h"
#include "base/text/buffer.h"
#include "base/text/format.h"
#include "call_words.h"
#include "words/kernel/errno_names.h"

/* The calls of one name, or of one process. */
struct call_sum {
	struct call_sum_key {
		uint32_t of; /* name id of the call; id of the process */
		uint32_t machine;
	} key;
	uint32_t track; /* of a process: its main thread, else its first thread that was seen */
	struct distribution latency;
	uint64_t tasks, failed, bytes;
	bool moves_bytes; /* it has calls that may move bytes */
	nsec_t running, runnable;
	nsec_t by_kind[CAUSE_KIND_COUNT];
};

/* The errors of one number that calls of one name returned. */
struct error_sum {
	struct error_key {
		uint32_t name; /* id */
		uint32_t number, machine;
	} key;
	uint64_t count;
	uint64_t of; /* calls of that name */
	uint32_t most; /* track of the task that got most of them */
	uint64_t most_count;
};

#define AT(member) RELATION_AT(struct call_sum, member)

enum {
	SUM_BYTES = 7, /* in both tables */
	SUM_SIZE = 8,
};

static void sum_fill(const void *view, const void *of, struct cell *cell, struct buffer *text)
{
	const struct call_sum *sum = of;

	(void)view;
	if (sum->moves_bytes) {
		cell[SUM_BYTES].count = sum->bytes;
		buffer_puts(&text[SUM_SIZE], SIZE_TEXT(sum->bytes));
	} else {
		cell[SUM_BYTES].type = CELL_EMPTY;
		buffer_putc(&text[SUM_SIZE], '-');
	}
}

#define SUM_FIELDS                                                                                 \
	{"tasks", "TASKS", CELL_COUNT, COLUMN_SPARE(2), AT(tasks)},                                \
	{"total_ns", "TOTAL", CELL_DURATION, COLUMN_TEXT_ONLY, AT(latency.total)},                 \
	{"latency", "P50 / P99 / MAX", CELL_DISTRIBUTION, COLUMN_SPARE(7), AT(latency)},           \
	{"failed", "FAILED", CELL_COUNT, COLUMN_USEFUL(1), AT(failed)},                            \
	[SUM_BYTES] = {"bytes", NULL, CELL_COUNT, 0, RELATION_FILLED},                             \
	[SUM_SIZE] = {NULL, "SIZE", CELL_TEXT, COLUMN_TEXT_ONLY | COLUMN_USEFUL(2),                \
	              RELATION_FILLED},                                                            \
	{"running_ns", "RUNNING", CELL_DURATION, COLUMN_SPARE(4), AT(running)},                    \
	{"runnable_ns", "RUNNABLE", CELL_DURATION, COLUMN_SPARE(6), AT(runnable)},                 \
	{"waiting_ns", "WAITING", CELL_BY_KIND, 0, AT(by_kind)}

static const struct field by_call_fields[] = {
	{MACHINE_COLUMN, AT(key.machine)},
	{"name", "CALL", CELL_TEXT, 0, AT(key.of)},
	{"count", "COUNT", CELL_COUNT, COLUMN_TEXT_ONLY, AT(latency.count)},
	SUM_FIELDS,
};

static const struct field by_process_fields[] = {
	{"machine", NULL, CELL_MACHINE, COLUMN_DATA_ONLY, AT(key.machine)}, /* as of PROCESS */
	{"process", "PROCESS", CELL_TASK, 0, AT(track)},
	{"count", "COUNT", CELL_COUNT, COLUMN_TEXT_ONLY, AT(latency.count)},
	SUM_FIELDS,
};

static const struct measure by_total[] = {{AT(latency.total)}};

static const struct relation_form by_call_form = {
	"by_call", "Calls of all tasks, by their time", by_call_fields, ARRAY_SIZE(by_call_fields),
	.by_key = by_total, .then = {AT(latency.count)}, .fill = sum_fill,
	.is_hidden_if_empty = true,
};

static const struct relation_form by_process_form = {
	"by_process", "Processes, by the time of their calls", by_process_fields,
	ARRAY_SIZE(by_process_fields), .by_key = by_total, .then = {AT(latency.count)},
	.fill = sum_fill, .is_hidden_if_empty = true,
};

static void sum_add(struct call_sum *sum, const struct call_row *row)
{
	distribution_merge(&sum->latency, &row->latency);
	sum->failed += row->errors;
	sum->running += row->running;
	sum->runnable += row->runnable;
	for (size_t kind = 0; kind < CAUSE_KIND_COUNT; kind++)
		sum->by_kind[kind] += row->by_kind[kind];
	if (row->moves_bytes) {
		sum->moves_bytes = true;
		sum->bytes += row->moved;
	}
}

static void by_call_sum(const struct relation_rows *rows, const struct question *question,
                        struct relation *sums)
{
	relation_init(sums, sizeof(struct call_sum), sizeof(struct call_sum_key), UINT32_MAX);
	for (size_t i = 0; i < rows->count; i++) {
		const struct call_row *row = rows->row[i];
		const struct call_sum_key key = {
			row->name, question->timeline->track[row->key.track].host};
		struct call_sum *sum = relation_row(sums, &key);

		sum_add(sum, row);
		sum->tasks++; /* each row is of another task */
	}
}

static struct call_sum_key track_process(const struct timeline *timeline, uint32_t track)
{
	const struct track *of = &timeline->track[track];

	return (struct call_sum_key){(uint32_t)track_process_id(of), of->host};
}

static void by_process_put(const struct relation_rows *rows, const struct question *question,
                           const struct output *to)
{
	const struct timeline *timeline = question->timeline;
	struct relation sums;
	struct map seen; /* tracks */

	map_init(&seen);
	relation_init(&sums, sizeof(struct call_sum), sizeof(struct call_sum_key), UINT32_MAX);
	for (size_t i = 0; i < rows->count; i++) {
		const struct call_row *row = rows->row[i];
		uint32_t track = row->key.track;
		const struct call_sum_key process = track_process(timeline, track);
		struct call_sum *sum = relation_row(&sums, &process);

		if (sum->latency.count == 0 ||
		    timeline->track[track].tid == timeline->track[track].tgid)
			sum->track = track;
		sum_add(sum, row);
		if (map_get(&seen, track) == MAP_NONE) {
			map_put(&seen, track, 1);
			sum->tasks++;
		}
	}
	relation_put(&sums, &by_process_form, NULL, question, to);
	relation_release(&sums, &by_process_form);
	map_release(&seen);
}

#undef AT
#define AT(member) RELATION_AT(struct error_sum, member)

enum {
	ERROR_NAME = 2,
	ERROR_SHARE = 5,
};

static const struct field error_fields[] = {
	{MACHINE_COLUMN, AT(key.machine)},
	{"name", "CALL", CELL_TEXT, 0, AT(key.name)},
	[ERROR_NAME] = {"error", "ERROR", CELL_TEXT, 0, RELATION_FILLED},
	{"errno", "ERRNO", CELL_COUNT, COLUMN_NUMBER | COLUMN_SPARE(1), AT(key.number)},
	{"count", "COUNT", CELL_COUNT, 0, AT(count)},
	[ERROR_SHARE] = {"share", "OF CALLS", CELL_RATIO, COLUMN_SPARE(2), RELATION_FILLED},
	{"task", "MOST BY", CELL_TASK, COLUMN_USEFUL(1), AT(most)},
	{"task_count", "TIMES", CELL_COUNT, COLUMN_SPARE(3), AT(most_count)},
};

static void error_fill(const void *view, const void *of, struct cell *cell, struct buffer *text)
{
	const struct question *question = view;
	const struct error_sum *sum = of;

	call_error_append(&text[ERROR_NAME], errno_names_of(track_arch(question, sum->most)),
	                  -(int64_t)sum->key.number);
	cell[ERROR_SHARE].ratio = (double)sum->count / (double)sum->of;
}

static const struct measure by_count[] = {{AT(count)}};

static const struct relation_form error_form = {
	"errors", "Errors, the most frequent first", error_fields, ARRAY_SIZE(error_fields),
	.by_key = by_count, .fill = error_fill, .is_hidden_if_empty = true,
};

/* `by_call` has the sums of the same rows by name. */
static void errors_put(const struct relation_rows *rows, struct relation *by_call,
                       const struct question *question, const struct output *to)
{
	struct relation sums;
	relation_init(&sums, sizeof(struct error_sum), sizeof(struct error_key), UINT32_MAX);
	for (size_t i = 0; i < rows->count; i++) {
		const struct call_row *row = rows->row[i];

		for (size_t at = 0; at < row->error_count; at++) {
			const struct error_key key = {
				.name = row->name,
				.number = (uint32_t)-row->error[at].number,
				.machine = question->timeline->track[row->key.track].host,
			};
			struct error_sum *sum = relation_row(&sums, &key);

			sum->count += row->error[at].count;
			if (row->error[at].count > sum->most_count) {
				sum->most_count = row->error[at].count;
				sum->most = row->key.track;
			}
		}
	}
	for (size_t at = 0; at < sums.count; at++) {
		struct error_sum *sum = relation_at(&sums, at);
		const struct call_sum_key key = {sum->key.name, sum->key.machine};
		const struct call_sum *of = relation_row(by_call, &key);

		sum->of = of->latency.count;
	}
	relation_put(&sums, &error_form, question, question, to);
	relation_release(&sums, NULL);
}

void call_tables_put(const struct relation_rows *rows, const struct question *question,
                     const struct output *to)
{
	struct relation by_call;

	by_call_sum(rows, question, &by_call);
	relation_put(&by_call, &by_call_form, NULL, question, to);
	by_process_put(rows, question, to);
	errors_put(rows, &by_call, question, to);
	relation_release(&by_call, &by_call_form);
}
