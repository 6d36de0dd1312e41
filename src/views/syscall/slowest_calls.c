/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "slowest_calls.h"

#include <stdlib.h>

#include "analysis/tables/cells.h"
#include "analysis/machine_arch.h"
#include "base/data/array.h"
#include "base/cleanup.h"
#include "base/text/format.h"
#include "base/data/heap.h"
#include "base/xalloc.h"
#include "call_files.h"
#include "call_words.h"
#include "words/kernel/errno_names.h"

#define SLOWEST_MAX        1000
#define SLOWEST_OF_ROW_MAX 50

struct kind_time {
	uint8_t kind; /* enum cause_kind */
	nsec_t time;
};

struct slow_call {
	uint32_t row; /* of the sums */
	uint32_t track;
	nsec_t begin, time;
	int64_t result;
	uint32_t path, to; /* name ids; 0: none */
	nsec_t running, runnable;
	uint64_t number; /* in order of arrival: breaks ties */
	size_t kind_count;
	struct kind_time waiting[]; /* kinds that are not 0 */
};

void slowest_calls_init(struct slowest_calls *slowest, const struct question *question,
                        bool is_of_names)
{
	*slowest = (struct slowest_calls){
		.question = question,
		.is_by_row = is_of_names || question_has_filter(question) ||
	                     (question->recording.has_targets && !question->asked->is_all),
	};
}

void slowest_calls_release(struct slowest_calls *slowest)
{
	for (size_t i = 0; i < slowest->heap_count; i++) {
		for (size_t at = 0; at < slowest->heap[i].count; at++)
			free(slowest->heap[i].call[at]);
		free(slowest->heap[i].call);
	}
	free(slowest->heap);
	*slowest = (struct slowest_calls){0};
}

static bool slow_is_less(struct slow_call *const *a, struct slow_call *const *b)
{
	return (*a)->time != (*b)->time ? (*a)->time < (*b)->time : (*a)->number > (*b)->number;
}

static struct slow_call *slow_new(const struct interval *interval)
{
	const nsec_t *waiting = interval->syscall.waiting;
	struct slow_call *slow;
	size_t count = 0;

	for (size_t kind = 0; kind < CAUSE_KIND_COUNT; kind++)
		count += waiting[kind] != 0;
	slow = xcalloc(1, sizeof(*slow) + count * sizeof(*slow->waiting));
	*slow = (struct slow_call){
		.track = interval->task,
		.begin = interval->begin,
		.time = interval->end - interval->begin,
		.result = interval->syscall.result,
		.path = interval->syscall.path,
		.to = interval->syscall.to,
		.running = interval->syscall.running,
		.runnable = interval->syscall.runnable,
	};
	for (size_t kind = 0; kind < CAUSE_KIND_COUNT; kind++)
		if (waiting[kind])
			slow->waiting[slow->kind_count++] =
				(struct kind_time){(uint8_t)kind, waiting[kind]};
	return slow;
}

static struct slowest_heap_of_calls *heap_of_row(struct slowest_calls *slowest, size_t row)
{
	size_t at = slowest->is_by_row ? row : 0;

	while (slowest->heap_count <= at) {
		ARRAY_GROW(slowest->heap, slowest->heap_count, slowest->heap_capacity);
		slowest->heap[slowest->heap_count++] = (struct slowest_heap_of_calls){0};
	}
	return &slowest->heap[at];
}

void slowest_calls_add(struct slowest_calls *slowest, size_t row, const struct interval *interval)
{
	struct slowest_heap_of_calls *heap = heap_of_row(slowest, row);
	size_t limit = slowest->is_by_row ? SLOWEST_OF_ROW_MAX : SLOWEST_MAX;
	struct slow_call *slow;

	slowest->numbered++;
	if (heap->count == limit && interval->end - interval->begin <= heap->call[0]->time)
		return;
	if (!slowest->is_by_row && track_is_of_recorder(slowest->question, interval->task))
		return;
	if (heap->count == limit) {
		free(heap->call[0]);
		heap->call[0] = heap->call[--heap->count];
		HEAP_SIFT_DOWN(heap->call, heap->count, 0, slow_is_less);
	}
	slow = slow_new(interval);
	slow->row = (uint32_t)row;
	slow->number = slowest->numbered;
	/* NOLINTNEXTLINE: pointers are meant */
	ARRAY_GROW(heap->call, heap->count, heap->capacity);
	heap->call[heap->count++] = slow;
	HEAP_SIFT_UP(heap->call, heap->count - 1, slow_is_less);
}

enum slow_column {
	SLOW_BEGIN,
	SLOW_NAME,
	SLOW_TASK,
	SLOW_TIME,
	SLOW_RESULT,
	SLOW_ERROR,
	SLOW_BYTES,
	SLOW_WORDS,
	SLOW_RUNNING,
	SLOW_RUNNABLE,
	SLOW_WAITING,
	/* only if some call has paths */
	SLOW_PATH,
	SLOW_TO,
	SLOW_PATH_WORDS,
	SLOW_COLUMNS,
};

static const struct column slow_columns[SLOW_COLUMNS] = {
	[SLOW_BEGIN] = {"begin_ns", "BEGIN", CELL_INSTANT, COLUMN_USEFUL(1)},
	[SLOW_NAME] = {"name", "CALL", CELL_TEXT, 0},
	[SLOW_TASK] = {"task", "TASK", CELL_TASK, 0},
	[SLOW_TIME] = {"time_ns", "TIME", CELL_DURATION, 0},
	[SLOW_RESULT] = {"result", NULL, CELL_INTEGER, 0},
	[SLOW_ERROR] = {"error", NULL, CELL_TEXT, 0},
	[SLOW_BYTES] = {"bytes", NULL, CELL_COUNT, 0},
	[SLOW_WORDS] = {NULL, "RESULT", CELL_TEXT, COLUMN_TEXT_ONLY | COLUMN_SPARE(5)},
	[SLOW_RUNNING] = {"running_ns", "RUNNING", CELL_DURATION, COLUMN_SPARE(4)},
	[SLOW_RUNNABLE] = {"runnable_ns", "RUNNABLE", CELL_DURATION, COLUMN_SPARE(6)},
	[SLOW_WAITING] = {"waiting_ns", "WAITING", CELL_BY_KIND, 0},
	[SLOW_PATH] = {"path", NULL, CELL_TEXT, 0},
	[SLOW_TO] = {"to", NULL, CELL_TEXT, 0},
	[SLOW_PATH_WORDS] = {NULL, "PATH", CELL_TEXT, COLUMN_TEXT_ONLY},
};

static void result_fill(const struct errno_names *names, const struct call_row *row, int64_t result,
                        struct cell *cell, struct buffer *error, struct buffer *words)
{
	cell[SLOW_RESULT].integer = result;
	if (call_result_is_error(result)) {
		call_error_append(error, names, result);
		buffer_puts(words, error->text);
		cell[SLOW_ERROR].text = error->text;
		cell[SLOW_BYTES].type = CELL_EMPTY;
	} else {
		cell[SLOW_ERROR].type = CELL_EMPTY;
		cell[SLOW_BYTES].count = (uint64_t)result;
		if (!row->moves_bytes || result < 0)
			cell[SLOW_BYTES].type = CELL_EMPTY;
		buffer_puts(words, row->moves_bytes && result >= 0 ? SIZE_TEXT((uint64_t)result)
		                                                   : "-");
	}
	cell[SLOW_WORDS].text = words->text;
}

static void slow_row_put(const struct slowest_calls *slowest, const struct call_sums *sums,
                         const struct slow_call *slow, const struct output *to)
{
	const struct question *question = slowest->question;
	const struct timeline *timeline = question->timeline;
	_cleanup_(buffer_release) struct buffer error;
	_cleanup_(buffer_release) struct buffer words;
	_cleanup_(buffer_release) struct buffer paths;
	nsec_t by_kind[CAUSE_KIND_COUNT] = {0};
	struct cell cell[SLOW_COLUMNS];

	buffer_init(&error, BUFFER_LIMIT_DEFAULT);
	buffer_init(&words, BUFFER_LIMIT_DEFAULT);
	buffer_init(&paths, BUFFER_LIMIT_DEFAULT);
	for (size_t i = 0; i < SLOW_COLUMNS; i++)
		cell[i] = (struct cell){.type = slow_columns[i].type};
	for (size_t i = 0; i < slow->kind_count; i++)
		by_kind[slow->waiting[i].kind] = slow->waiting[i].time;
	cell[SLOW_BEGIN].time = slow->begin;
	cell[SLOW_NAME] = cell_of_name(timeline, CELL_TEXT, call_sums_name(sums, slow->row));
	cell[SLOW_TASK] = cell_of_task_at(timeline, slow->track, slow->begin);
	cell[SLOW_TIME].time = slow->time;
	cell[SLOW_RUNNING].time = slow->running;
	cell[SLOW_RUNNABLE].time = slow->runnable;
	cell[SLOW_WAITING].by_kind = by_kind;
	result_fill(errno_names_of(track_arch(question, slow->track)),
	            relation_at(&sums->rows, slow->row), slow->result, cell, &error, &words);
	cell[SLOW_PATH] = cell_of_name(timeline, CELL_TEXT, slow->path);
	cell[SLOW_TO] = cell_of_name(timeline, CELL_TEXT, slow->to);
	call_paths_append(&paths, timeline, slow->path, slow->to);
	cell[SLOW_PATH_WORDS].text = paths.text;
	output_row(to, cell);
}

static int slow_compare(const void *a, const void *b)
{
	return slow_is_less(b, a) ? -1 : slow_is_less(a, b);
}

static bool has_path(struct slow_call *const *slow, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (slow[i]->path || slow[i]->to)
			return true;
	return false;
}

void slowest_calls_put(const struct slowest_calls *slowest, const struct call_sums *sums,
                       bool (*is_asked)(const struct question *, uint32_t track, uint32_t name),
                       const struct output *to)
{
	size_t limit = slowest->is_by_row ? SLOWEST_OF_ROW_MAX : SLOWEST_MAX;
	size_t count = 0, capacity = 0, shown;
	struct slow_call **sorted = NULL;

	for (size_t i = 0; i < slowest->heap_count; i++)
		for (size_t at = 0; at < slowest->heap[i].count; at++) {
			struct slow_call *slow = slowest->heap[i].call[at];

			if (!is_asked(slowest->question, slow->track,
			              call_sums_name(sums, slow->row)))
				continue;
			/* NOLINTNEXTLINE: pointers are meant */
			ARRAY_GROW(sorted, count, capacity);
			sorted[count++] = slow;
		}
	array_sort(sorted, count, sizeof(struct slow_call *), slow_compare);
	if (count > limit)
		count = limit;
	shown = output_row_count(to, count);
	output_table_begin(to, "slowest", "Slowest single calls", slow_columns,
	                   has_path(sorted, count) ? SLOW_COLUMNS : SLOW_PATH,
	                   /* is_single= */ false);
	for (size_t i = 0; i < shown; i++)
		slow_row_put(slowest, sums, sorted[i], to);
	output_leave_rows(to, count - shown);
	output_table_end(to);
	free(sorted);
}
