/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "slowest_calls.h"

#include <stdlib.h>

#include "analysis/tables/cells.h"
#include "analysis/tables/relation.h"
#include "base/data/array.h"
#include "base/data/heap.h"
#include "base/text/format.h"
#include "base/xalloc.h"
#include "syscall_calls.h"
#include "words/kernel/kernel_numbers.h"

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
	struct call_paths paths;
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
		.paths = call_paths_of(&interval->syscall),
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

	ARRAY_REACH(slowest->heap, slowest->heap_count, slowest->heap_capacity, at);
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
	ARRAY_ADD(heap->call, heap->count, heap->capacity) = slow;
	HEAP_SIFT_UP(heap->call, heap->count - 1, slow_is_less);
}

/* A view of the calls while they are shown. */
struct slow_view {
	const struct question *question;
	const struct call_sums *sums;
	nsec_t *by_kind; /* of the row that is filled in */
};

enum {
	SLOW_NAME = 1,
	SLOW_ERROR = 5,
	SLOW_BYTES,
	SLOW_WORDS,
	SLOW_WAITING = 10,
	/* only if some call has paths */
	SLOW_PATH,
	SLOW_PATH_WORDS = 13,
	SLOW_COLUMNS,
};

#define AT(member) RELATION_AT(struct slow_call, member)

static const struct field fields[SLOW_COLUMNS] = {
	{"begin_ns", "BEGIN", CELL_INSTANT, COLUMN_USEFUL(1), AT(begin)},
	[SLOW_NAME] = {"name", "CALL", CELL_TEXT, 0, FILLED},
	{"task", "TASK", CELL_TASK, 0, AT(track)},
	{"time_ns", "TIME", CELL_DURATION, 0, AT(time)},
	{"result", NULL, CELL_INTEGER, 0, AT(result)},
	[SLOW_ERROR] = {"error", NULL, CELL_TEXT, 0, FILLED},
	[SLOW_BYTES] = {"bytes", NULL, CELL_COUNT, 0, FILLED},
	[SLOW_WORDS] = {NULL, "RESULT", CELL_TEXT, COLUMN_SPARE(5), FILLED},
	{"running_ns", "RUNNING", CELL_DURATION, COLUMN_SPARE(4), AT(running)},
	{"runnable_ns", "RUNNABLE", CELL_DURATION, COLUMN_SPARE(6), AT(runnable)},
	[SLOW_WAITING] = {"waiting_ns", "WAITING", CELL_BY_KIND, 0, FILLED},
	[SLOW_PATH] = {"path", NULL, CELL_TEXT, 0, AT(paths.path)},
	{"to", NULL, CELL_TEXT, 0, AT(paths.to)},
	[SLOW_PATH_WORDS] = {NULL, "PATH", CELL_TEXT, 0, FILLED},
};

static void result_fill(const struct errno_names *names, const struct call_row *row, int64_t result,
                        struct cell *cell, struct buffer *text)
{
	bool is_error = call_result_is_error(result), is_size = row->moves_bytes && result >= 0;

	cell[SLOW_BYTES].count = (uint64_t)result;
	if (!is_size)
		cell[SLOW_BYTES].type = CELL_EMPTY;
	if (is_error)
		call_error_append(&text[SLOW_ERROR], names, result);
	else
		cell[SLOW_ERROR].type = CELL_EMPTY;
	buffer_puts(&text[SLOW_WORDS], is_error  ? text[SLOW_ERROR].text
	                               : is_size ? SIZE_TEXT((uint64_t)result)
	                                         : "-");
}

static void slow_fill(const void *state, const void *of, struct cell *cell, struct buffer *text)
{
	const struct slow_view *view = state;
	const struct slow_call *slow = of;
	const struct timeline *timeline = view->question->timeline;

	for (size_t kind = 0; kind < CAUSE_KIND_COUNT; kind++)
		view->by_kind[kind] = 0;
	for (size_t i = 0; i < slow->kind_count; i++)
		view->by_kind[slow->waiting[i].kind] = slow->waiting[i].time;
	cell[SLOW_NAME] = cell_of_name(timeline, CELL_TEXT, call_sums_name(view->sums, slow->row));
	cell[SLOW_WAITING].by_kind = view->by_kind;
	result_fill(errno_names_of(track_arch(view->question, slow->track)),
	            tally_at(&view->sums->rows, slow->row), slow->result, cell, text);
	call_paths_append(&text[SLOW_PATH_WORDS], timeline, slow->paths.path,
	                  slow->paths.to);
}

static void columns_adapt(const void *state, const struct relation_rows *rows,
                          struct column *shown)
{
	(void)state;
	for (size_t i = 0; i < rows->count; i++) {
		const struct slow_call *slow = rows->row[i];

		if (slow->paths.path || slow->paths.to)
			return;
	}
	for (size_t i = SLOW_PATH; i < SLOW_COLUMNS; i++)
		relation_drop(&shown[i]);
}

static const struct relation_form form = {
	"slowest", "Slowest single calls", fields, SLOW_COLUMNS,
	.next = LINK_STRETCH("task", "begin_ns", "begin_ns+time_ns"),
	.task_time = {AT(begin)}, .fill = slow_fill, .adapt = columns_adapt,
};

static int slow_compare(const void *a, const void *b)
{
	struct slow_call *const *x = a, *const *y = b;

	return slow_is_less(y, x) ? -1 : slow_is_less(x, y);
}

void slowest_calls_put(const struct slowest_calls *slowest, const struct call_sums *sums,
                       const struct output *to)
{
	size_t limit = slowest->is_by_row ? SLOWEST_OF_ROW_MAX : SLOWEST_MAX;
	nsec_t by_kind[CAUSE_KIND_COUNT];
	struct slow_view view = {slowest->question, sums, by_kind};
	struct relation_rows rows = {0};
	size_t capacity = 0;

	for (size_t i = 0; i < slowest->heap_count; i++)
		for (size_t at = 0; at < slowest->heap[i].count; at++) {
			struct slow_call *slow = slowest->heap[i].call[at];

			call_paths_resolve(&slow->paths, slowest->question->timeline);
			if (!call_is_asked(slowest->question, slow->track,
			                   call_sums_name(sums, slow->row)))
				continue;
			/* NOLINTNEXTLINE: pointers are meant */
			ARRAY_ADD(rows.row, rows.count, capacity) = slow;
		}
	array_sort(rows.row, rows.count, sizeof(void *), slow_compare);
	if (rows.count > limit)
		rows.count = limit;
	relation_show(&form, &rows, &view, slowest->question, to);
	relation_rows_release(&rows);
}
