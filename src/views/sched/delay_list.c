/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "delay_list.h"

#include <stdlib.h>

#include "analysis/tables/relation.h"
#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/data/heap.h"
#include "base/text/buffer.h"
#include "loss_list.h"

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

#define AT(member) RELATION_AT(struct delay, member)

enum {
	COLUMN_END = 1,
	COLUMN_WHY = 4,
	COLUMN_WHY_TEXT,
	COLUMN_CPU,
	COLUMN_LOST_TO,
	COLUMN_LOST_TEXT,
};

static const struct field fields[] = {
	{"begin_ns", "AT", CELL_INSTANT, COLUMN_USEFUL(2), AT(begin)},
	[COLUMN_END] = {"end_ns", "END", CELL_INSTANT, COLUMN_DATA_ONLY, FILLED},
	{"task", "TASK", CELL_TASK, 0, AT(track)},
	{"delay_ns", "DELAY", CELL_DURATION, 0, AT(length)},
	[COLUMN_WHY] = {"why", NULL, CELL_TEXT, 0, FILLED},
	[COLUMN_WHY_TEXT] = {NULL, "WHY", CELL_TEXT, COLUMN_USEFUL(1), FILLED},
	[COLUMN_CPU] = {"cpu", "CPU", CELL_COUNT, COLUMN_NUMBER | COLUMN_SPARE(1), FILLED},
	[COLUMN_LOST_TO] = {"lost_to", "CPUS RAN", CELL_ROWS, COLUMN_DATA_ONLY, FILLED},
	[COLUMN_LOST_TEXT] = {NULL, "CPUS RAN", CELL_TEXT, 0, FILLED},
};

static void delay_fill(const void *of_timeline, const void *of, struct cell *cell,
                       struct buffer *text)
{
	const struct timeline *timeline = of_timeline;
	const struct delay *delay = of;
	_cleanup_(freep) struct queue_loss *loss = delay_losses(delay);
	struct losses losses = {loss, delay->share_count, delay->throttled};

	cell[COLUMN_END].time = delay->begin + delay->length;
	cell[COLUMN_WHY].text = delay_word(delay);
	cell[COLUMN_WHY_TEXT].text = delay_text(delay, timeline);
	cell[COLUMN_CPU].count = hosts_own_cpu(&timeline->hosts, delay->cpu);
	cell[COLUMN_LOST_TO].rows = losses_rows(&losses, timeline);
	losses_append(&text[COLUMN_LOST_TEXT], &losses, delay->length, timeline);
}

static const struct relation_form form = {
	"delays", "Longest times in run queues", FIELDS(fields),
	.next = "--sched --tid {task} --from {from:begin_ns} --to {to:begin_ns+delay_ns}",
	.task_time = {AT(begin)}, .fill = delay_fill,
};

static int delay_compare(const void *a, const void *b)
{
	struct delay *const *x = a, *const *y = b;

	return delay_is_less(y, x) ? -1 : delay_is_less(x, y);
}

void delay_list_show(const struct delay_list *list, const struct question *question,
                     const struct output *to)
{
	struct relation_rows rows = {0};
	size_t capacity = 0;

	for (size_t heap = 0; heap <= list->track_count; heap++) {
		const struct delay_heap *of = heap ? &list->of_track[heap - 1] : &list->all;

		for (size_t i = 0; i < of->count; i++) {
			if (!question->resolved->is_asked[of->delay[i]->track])
				continue;
			/* NOLINTNEXTLINE: pointers are meant */
			ARRAY_ADD(rows.row, rows.count, capacity) = of->delay[i];
		}
	}
	array_sort(rows.row, rows.count, sizeof(void *), delay_compare);
	if (rows.count > DELAYS_MAX)
		rows.count = DELAYS_MAX;
	relation_show(&form, &rows, question->timeline, question, to);
	relation_rows_release(&rows);
}
