/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "delay_list.h"

#include <stdlib.h>

#include "analysis/tables/cells.h"
#include "base/data/array.h"
#include "base/text/buffer.h"
#include "base/cleanup.h"
#include "base/data/heap.h"
#include "losses.h"

static bool delay_is_less(struct delay *const *a, struct delay *const *b)
{
	const struct delay *x = *a, *y = *b;

	if (x->length != y->length)
		return x->length < y->length;
	return x->begin != y->begin ? x->begin > y->begin : x->track > y->track;
}

/* Whether some of the tasks will turn out not to be asked for. */
static bool is_of_some(const struct question *question)
{
	return question_has_filter(question) ||
	       (question->recording.has_targets && !question->asked->is_all);
}

static struct delay_heap *list_find(struct delay_list *list, uint32_t track)
{
	while (list->track_count <= track) {
		size_t count = list->track_count ? 2 * list->track_count : 64;

		list->of_track = xreallocarray(list->of_track, count, sizeof(*list->of_track));
		for (size_t i = list->track_count; i < count; i++)
			list->of_track[i] = (struct delay_heap){0};
		list->track_count = count;
	}
	return &list->of_track[track];
}

struct delay *delay_list_add(struct delay_list *list, const struct question *question,
                             struct delay *delay)
{
	bool is_by_task = is_of_some(question);
	struct delay_heap *heap = is_by_task ? list_find(list, delay->track) : &list->all;
	struct delay *least = NULL;

	if (heap->count == (is_by_task ? DELAYS_OF_TASK_MAX : DELAYS_MAX)) {
		least = heap->delay[0];
		if (!delay_is_less(&least, &delay))
			return NULL;
		least->is_kept = false;
		heap->delay[0] = heap->delay[--heap->count];
		HEAP_SIFT_DOWN(heap->delay, heap->count, 0, delay_is_less);
	}
	/* NOLINTNEXTLINE: pointers are meant */
	ARRAY_GROW_FROM(heap->delay, heap->count, heap->capacity, 4);
	heap->delay[heap->count++] = delay;
	HEAP_SIFT_UP(heap->delay, heap->count - 1, delay_is_less);
	delay->is_kept = true;
	return least;
}

void delay_list_visit(struct delay_list *list, void (*visit)(void *state, struct delay *delay),
                      void *state)
{
	for (size_t i = 0; i < list->all.count; i++)
		visit(state, list->all.delay[i]);
	for (size_t track = 0; track < list->track_count; track++)
		for (size_t i = 0; i < list->of_track[track].count; i++)
			visit(state, list->of_track[track].delay[i]);
}

void delay_list_release(struct delay_list *list)
{
	for (size_t track = 0; track < list->track_count; track++)
		free(list->of_track[track].delay);
	free(list->of_track);
	free(list->all.delay);
	*list = (struct delay_list){0};
}

static int delay_compare(const void *a, const void *b)
{
	return delay_is_less(b, a) ? -1 : delay_is_less(a, b);
}

static void heap_gather(const struct delay_heap *heap, const struct question *question,
                        struct delay_heap *to)
{
	for (size_t i = 0; i < heap->count; i++) {
		if (!question->resolved->is_asked[heap->delay[i]->track])
			continue;
		/* NOLINTNEXTLINE: pointers are meant */
		ARRAY_GROW(to->delay, to->count, to->capacity);
		to->delay[to->count++] = heap->delay[i];
	}
}

/* What had the CPU during the delay, most first; the caller frees it. */
static struct queue_loss *delay_losses(const struct delay *delay)
{
	struct queue_loss *loss = xcalloc(delay->share_count + 1, sizeof(*loss));

	for (size_t i = 0; i < delay->share_count; i++)
		loss[i] = (struct queue_loss){delay->track, delay->share[i].user,
		                              delay->share[i].took};
	array_sort(loss, delay->share_count, sizeof(*loss), loss_compare);
	return loss;
}

/* Why the task stood in a run queue, in the data. */
static const char *delay_word(const struct delay *delay)
{
	static const char *const words[] = {
		[RUNNABLE_WOKEN] = "woken",     [RUNNABLE_PREEMPTED] = "preempted",
		[RUNNABLE_YIELDED] = "yielded", [RUNNABLE_NEW] = "new",
		[RUNNABLE_GAVE_AWAY] = "yielded",
		[RUNNABLE_UNTHROTTLED] = "throttled",
	};

	return words[delay->why];
}

/* In text few tasks yield: kernels that preempt no task inside the kernel record the end of a time
   slice in the same way. */
static const char *delay_text(const struct delay *delay, const struct timeline *timeline)
{
	bool is_sure = delay->why == RUNNABLE_GAVE_AWAY &&
	               timeline->track[delay->track].yields == YIELDS_CERTAIN;

	if (!is_sure && (delay->why == RUNNABLE_YIELDED || delay->why == RUNNABLE_GAVE_AWAY))
		return "switched out";
	return delay_word(delay);
}

enum delay_column {
	COLUMN_BEGIN,
	COLUMN_END,
	COLUMN_TASK,
	COLUMN_LENGTH,
	COLUMN_WHY,
	COLUMN_WHY_TEXT,
	COLUMN_CPU,
	COLUMN_LOST_TO,
	COLUMN_LOST_TEXT,
	COLUMNS,
};

static const struct column columns[COLUMNS] = {
	[COLUMN_BEGIN] = {"begin_ns", "AT", CELL_INSTANT, COLUMN_USEFUL(2)},
	[COLUMN_END] = {"end_ns", "END", CELL_INSTANT, COLUMN_DATA_ONLY},
	[COLUMN_TASK] = {"task", "TASK", CELL_TASK, 0},
	[COLUMN_LENGTH] = {"delay_ns", "DELAY", CELL_DURATION, 0},
	[COLUMN_WHY] = {"why", NULL, CELL_TEXT, COLUMN_DATA_ONLY},
	[COLUMN_WHY_TEXT] = {NULL, "WHY", CELL_TEXT, COLUMN_TEXT_ONLY | COLUMN_USEFUL(1)},
	[COLUMN_CPU] = {"cpu", "CPU", CELL_COUNT, COLUMN_NUMBER | COLUMN_SPARE(1)},
	[COLUMN_LOST_TO] = {"lost_to", "CPUS RAN", CELL_ROWS, COLUMN_DATA_ONLY},
	[COLUMN_LOST_TEXT] = {NULL, "CPUS RAN", CELL_TEXT, COLUMN_TEXT_ONLY},
};

static void delay_row(const struct delay *delay, const struct timeline *timeline,
                      const struct output *to)
{
	_cleanup_(freep) struct queue_loss *loss = delay_losses(delay);
	struct losses losses = {loss, delay->share_count, delay->throttled};
	struct cell_rows rows = losses_rows(&losses, timeline);
	_cleanup_(buffer_release) struct buffer text = {0};
	struct cell cell[COLUMNS];

	buffer_init(&text, BUFFER_LIMIT_DEFAULT);
	losses_append(&text, &losses, delay->length, timeline);
	for (size_t i = 0; i < COLUMNS; i++)
		cell[i].type = columns[i].type;
	cell[COLUMN_BEGIN].time = delay->begin;
	cell[COLUMN_END].time = delay->begin + delay->length;
	cell[COLUMN_TASK] = cell_of_task_at(timeline, delay->track, delay->begin);
	cell[COLUMN_LENGTH].time = delay->length;
	cell[COLUMN_WHY].text = delay_word(delay);
	cell[COLUMN_WHY_TEXT].text = delay_text(delay, timeline);
	cell[COLUMN_CPU].count = hosts_own_cpu(&timeline->hosts, delay->cpu);
	cell[COLUMN_LOST_TO].rows = rows;
	cell[COLUMN_LOST_TEXT].text = text.text;
	output_row(to, cell);
	free((void *)(uintptr_t)rows.cells);
}

void delay_list_show(const struct delay_list *list, const struct question *question,
                     const struct output *to)
{
	struct delay_heap asked = {0};
	size_t shown;

	heap_gather(&list->all, question, &asked);
	for (size_t track = 0; track < list->track_count; track++)
		heap_gather(&list->of_track[track], question, &asked);
	array_sort(asked.delay, asked.count, sizeof(struct delay *), delay_compare);
	if (asked.count > DELAYS_MAX)
		asked.count = DELAYS_MAX;
	output_table_begin(to, "delays", "Longest times in run queues", columns, COLUMNS,
	                   /* is_single= */ false);
	shown = output_row_count(to, asked.count);
	for (size_t i = 0; i < shown; i++)
		delay_row(asked.delay[i], question->timeline, to);
	output_leave_rows(to, asked.count - shown);
	output_table_end(to);
	free(asked.delay);
}
