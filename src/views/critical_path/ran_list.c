/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ran_list.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/tables/cells.h"
#include "analysis/stack_words.h"
#include "base/data/array.h"
#include "base/cleanup.h"

/* Number of functions of a stack that one line of text shows. */
#define FRAMES_SHOWN 4

void ran_list_init(struct ran_list *list, const struct timeline *timeline)
{
	*list = (struct ran_list){.timeline = timeline};
	map_init(&list->by_hash);
	map_init(&list->by_track);
}

void ran_list_release(struct ran_list *list)
{
	map_release(&list->by_hash);
	map_release(&list->by_track);
	free(list->stack);
	free(list->task);
}

static struct ran_task *list_task(struct ran_list *list, uint32_t track)
{
	uint32_t index = map_get(&list->by_track, track);

	if (index != MAP_NONE)
		return &list->task[index];
	ARRAY_GROW(list->task, list->task_count, list->task_capacity);
	map_put(&list->by_track, track, (uint32_t)list->task_count);
	list->task[list->task_count] = (struct ran_task){.track = track};
	return &list->task[list->task_count++];
}

static struct ran_stack *list_stack(struct ran_list *list, uint32_t track,
                                    const struct run_sample *sample)
{
	uint64_t hash = hash_mix(track, (uint64_t)sample->frames << 32 | sample->user);
	struct ran_stack *stack;
	uint32_t index;

	MAP_HASH_EACH(&list->by_hash, hash, index) {
		stack = &list->stack[index];
		if (stack->track == track && stack->frames == sample->frames &&
		    stack->user == sample->user)
			return stack;
	}
	ARRAY_GROW(list->stack, list->stack_count, list->stack_capacity);
	map_put(&list->by_hash, hash, (uint32_t)list->stack_count);
	list->stack[list->stack_count] =
		(struct ran_stack){.track = track, .frames = sample->frames, .user = sample->user};
	return &list->stack[list->stack_count++];
}

void ran_list_add(struct ran_list *list, uint32_t track, nsec_t begin, nsec_t end)
{
	const struct run_sample *sample;
	struct ran_task *task;
	size_t count;

	if (list->timeline->sample_count == 0)
		return;
	task = list_task(list, track);
	task->running += end - begin;
	sample = timeline_samples(&list->timeline->track[track], begin, end, &count);
	task->samples += (uint32_t)count;
	for (size_t i = 0; i < count; i++)
		list_stack(list, track, &sample[i])->samples++;
}

/* Sorts tasks by their running time, and the stacks of each by samples, most first. */
static int stack_compare(const void *a, const void *b, void *state)
{
	struct ran_list *list = state;
	const struct ran_stack *x = a, *y = b;
	nsec_t left = list_task(list, x->track)->running,
	       right = list_task(list, y->track)->running;

	if (left != right)
		return left > right ? -1 : 1;
	if (x->track != y->track)
		return x->track < y->track ? -1 : 1;
	if (x->samples != y->samples)
		return x->samples > y->samples ? -1 : 1;
	if (x->frames != y->frames)
		return x->frames < y->frames ? -1 : 1;
	return x->user < y->user ? -1 : x->user > y->user;
}

static void stack_show(struct ran_list *list, const struct ran_stack *stack,
                       const struct output *to)
{
	const struct timeline *timeline = list->timeline;
	const struct ran_task *task = list_task(list, stack->track);
	_cleanup_(buffer_release) struct buffer text = {0};
	nsec_t time = nsec_share(task->running, stack->samples, task->samples);

	buffer_init(&text, BUFFER_LIMIT_DEFAULT);
	stack_text_append_both(&text, intern_text(&timeline->names, stack->frames),
	                       intern_text(&timeline->names, stack->user), FRAMES_SHOWN);
	if (text.length == 0)
		buffer_puts(&text, "(no stack recorded)");
	output_row(to, (struct cell[]){
				cell_of_task(timeline, stack->track),
				{.type = CELL_DURATION, .time = time},
				{.type = CELL_COUNT, .count = stack->samples},
				{.type = CELL_TEXT, .text = text.text},
				cell_of_name(timeline, CELL_FRAMES, stack->frames),
				cell_of_name(timeline, CELL_FRAMES, stack->user),
			});
}

void ran_list_report(struct ran_list *list, const struct output *to)
{
	static const struct column columns[] = {
		{"task", "TASK", CELL_TASK, 0},
		{"total_ns", "ABOUT", CELL_DURATION, 0},
		{"samples", "SAMPLES", CELL_COUNT, COLUMN_SPARE(1)},
		{NULL, "IN", CELL_TEXT, COLUMN_TEXT_ONLY},
		{"stack", NULL, CELL_FRAMES, COLUMN_DATA_ONLY},
		{"user_stack", NULL, CELL_FRAMES, COLUMN_DATA_ONLY},
	};
	size_t shown;

	if (list->timeline->sample_count == 0)
		return;
	if (list->stack_count)
		qsort_r(list->stack, list->stack_count, sizeof(*list->stack), stack_compare, list);
	output_table_begin(to, "ran", "What they ran, by samples", columns, ARRAY_SIZE(columns),
	                   /* is_single= */ false);
	shown = output_row_count(to, list->stack_count);
	for (size_t i = 0; i < shown; i++)
		stack_show(list, &list->stack[i], to);
	output_leave_rows(to, list->stack_count - shown);
	output_table_end(to);
}
