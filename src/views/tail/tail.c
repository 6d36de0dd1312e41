/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tail.h"

#include <assert.h>
#include <stdlib.h>

#include "analysis/paths/path_task.h"
#include "analysis/tables/interrupt_sums.h"
#include "analysis/turns/turn_source.h"
#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/data/order.h"
#include "base/text/buffer.h"
#include "base/xalloc.h"
#include "graph/timeline/interval.h"

/* A turn, and the number of its unit. */
struct walked_turn {
	struct {uint64_t track; nsec_t begin, end;} key;
	uint32_t unit;
	bool is_walked;
};

void tail_begin(struct tail *tail, const struct question *question, const char *per, double part)
{
	*tail = (struct tail){.question = question, .part = part};
	tail->source = turn_source_find(per, &tail->name);
	assert(tail->source);
	tail_units_init(&tail->walked, question->timeline, &tail->interrupts, &tail->syncs);
	tail->walked.leaves_out_idle = tail->source == &turn_sources[DIFF_PER_MARK];
	tally_init(&tail->turns, sizeof(struct walked_turn),
	           sizeof(((struct walked_turn *)NULL)->key), TALLY_NO_LIMIT);
	if (tail->source->gather)
		tail->gathered = analysis_begin(tail->source->gather, question);
}

void tail_add_interval(struct tail *tail, const struct interval *interval)
{
	const struct analysis *gather = tail->source->gather;

	if (interval_is_interrupt(interval))
		interrupt_log_add(&tail->interrupts, interval->cpu, interval_started(interval),
		                  interval->end);
	if (interval->kind == INTERVAL_SYSCALL)
		sync_calls_add(&tail->syncs, tail->question, interval);
	if (gather && gather->interval_kinds & INTERVAL_MASK(interval->kind))
		gather->on_interval(tail->gathered, interval);
}

/* The whole recording is one unit: the run of the one asked task. */
static bool find_run(const struct question *question, struct turn_list *ret, struct buffer *why)
{
	uint32_t track = path_task_only(question);
	struct path_window window;

	if (track == TRACK_NONE) {
		buffer_puts(why, "--per run: which task's run? Add --comm NAME or --tid TID");
		return false;
	}
	window = path_task_window(question, track);
	ARRAY_GROW(ret->turn, ret->count, ret->capacity);
	ret->turn[ret->count++] = (struct turn){track, window.begin, window.end};
	return true;
}

/* Finds which task had the CPU while each of these units was queued, if it was for at least so
   long, and once for each unit: later, that history may be forgotten. The answer is about these
   units, by their numbers. */
static void name_queues(struct tail *tail, const struct tail_answer *answer, const size_t *number,
                        nsec_t least)
{
	for (size_t i = 0; i < answer->count; i++) {
		struct tail_unit *unit = &tail->walked.unit[number[i]];

		if (!unit->is_named)
			tail_units_name_queue(&tail->walked, unit,
			                      unit->length > answer->fence ? 1 : least);
		unit->is_named = true;
	}
}

/* The number of the unit that is walked for the turn. */
static size_t turn_walk(struct tail *tail, const struct turn *turn)
{
	const struct walked_turn wanted = {.key = {turn->track, turn->begin, turn->end}};
	struct walked_turn *row = tally_row(&tail->turns, &wanted.key);

	assert(row);
	if (row->is_walked)
		return row->unit;
	row->is_walked = true;
	row->unit = (uint32_t)tail->walked.count;
	tail_units_add(&tail->walked, turn);
	return tail->walked.count - 1;
}

static uint32_t program_of(const struct tail *tail, uint32_t track)
{
	return track_name(&tail->question->timeline->track[track]);
}

static uint32_t unit_program(const struct tail *tail, size_t number)
{
	return program_of(tail, tail->walked.unit[number].track);
}

static int program_compare(const void *a, const void *b, void *tail)
{
	size_t x = *(const size_t *)a, y = *(const size_t *)b;
	uint32_t of_x = unit_program(tail, x), of_y = unit_program(tail, y);

	return ORDER_BY((of_x > of_y) - (of_x < of_y), (x > y) - (x < y));
}

/* The same for the units of one program that have ended by now. While there are few of them, it is
   not known yet which times will turn out long, so any time will do. */
static void fold_program(struct tail *tail, const size_t *number, size_t count)
{
	struct tail_units units = {0};
	struct tail_answer so_far;

	tail_units_choose(&tail->walked, number, count, &units);
	tail_answer_init(&so_far, &units, tail->part);
	name_queues(tail, &so_far, number,
	            count < TAIL_ENOUGH ? 1 : tail_answer_least(&so_far));
	tail_answer_release(&so_far);
	free(units.unit);
}

/* The same for each program: units are compared only with others of their program. */
static void fold_queues(struct tail *tail)
{
	size_t count = tail->walked.count, begin = 0;
	_cleanup_(freep) size_t *number = xcalloc(count + 1, sizeof(*number));

	for (size_t i = 0; i < count; i++)
		number[i] = i;
	if (count > 0)
		qsort_r(number, count, sizeof(*number), program_compare, tail);
	for (size_t i = 1; i <= count; i++) {
		if (i < count && unit_program(tail, number[i]) == unit_program(tail, number[begin]))
			continue;
		fold_program(tail, number + begin, i - begin);
		begin = i;
	}
}

void tail_fold(struct tail *tail)
{
	_cleanup_(turn_list_release) struct turn_list list = {0};
	_cleanup_(buffer_release) struct buffer why = {0};

	if (!tail->source->gather)
		return;
	(void)tail->source->find(tail->gathered, tail->name, &list, &why);
	for (size_t i = 0; i < list.count && tail->walked.count < TURNS_MAX; i++)
		(void)turn_walk(tail, &list.turn[i]);
	fold_queues(tail);
	if (tail->walked.timeline->half != NSEC_NEVER)
		tail_forget(tail, tail->walked.timeline->half);
}

void tail_forget(struct tail *tail, nsec_t t)
{
	interrupt_log_trim(&tail->interrupts, t);
	sync_calls_trim(&tail->syncs, t);
}

/* Whether the turn lies in the window as a whole, and is one of such a task. */
static bool turn_counts(const struct tail *tail, const struct turn *turn)
{
	const struct resolved *resolved = tail->question->resolved;
	const struct timeline *timeline = tail->question->timeline;

	return turn->begin >= resolved->begin && turn->end <= resolved->end &&
	       turn->begin < turn->end &&
	       (!tail->tasks ||
	        track_is_called(timeline, &timeline->track[turn->track], tail->tasks));
}

struct program_count {
	uint64_t name;
	size_t count;
};

/* The program with most units: units are compared only with others of their program. */
static void choose_program(struct tail *tail, const struct turn_list *list)
{
	struct tally counts;
	const struct program_count *most;
	size_t all = 0;

	tally_init(&counts, sizeof(struct program_count), sizeof(uint64_t), TALLY_NO_LIMIT);
	for (size_t i = 0; i < list->count; i++) {
		struct program_count *count;

		if (!turn_counts(tail, &list->turn[i]))
			continue;
		count = tally_of(&counts, program_of(tail, list->turn[i].track));
		count->count++;
		all++;
	}
	most = ORDER_MOST(it, (const struct program_count *)counts.row, counts.count, true,
	                  it->count);
	tail->program = most ? (uint32_t)most->name : 0;
	tail->others = most ? all - most->count : 0;
	tally_release(&counts);
}

/* The units of the turns that count, in their order, and what can be said of them. */
static void units_choose(struct tail *tail, const struct turn_list *list)
{
	_cleanup_(freep) size_t *chosen = xcalloc(list->count + 1, sizeof(*chosen));
	size_t count = 0;

	for (size_t i = 0; i < list->count; i++)
		if (turn_counts(tail, &list->turn[i]) &&
		    program_of(tail, list->turn[i].track) == tail->program)
			chosen[count++] = turn_walk(tail, &list->turn[i]);
	tail_units_choose(&tail->walked, chosen, count, &tail->units);
	tail_answer_init(&tail->answer, &tail->units, tail->part);
	if (tail->answer.far == 0)
		return;
	/* this makes keys, so that the units are chosen once more */
	name_queues(tail, &tail->answer, chosen, tail_answer_least(&tail->answer));
	tail_units_choose(&tail->walked, chosen, count, &tail->units);
	tail_answer_find(&tail->answer);
}

void tail_find(struct tail *tail, const char *tasks)
{
	const struct question *question = tail->question;
	_cleanup_(turn_list_release) struct turn_list list = {.tasks = tasks};

	tail_answer_release(&tail->answer);
	buffer_clear(&tail->why);
	tail->tasks = tasks;
	if (!tail->source->gather)
		(void)find_run(question, &list, &tail->why);
	else
		(void)tail->source->find(tail->gathered, tail->name, &list, &tail->why);
	tail->has_turns = list.count > 0;
	tail->role = tail->has_turns ? list.role : NULL;
	choose_program(tail, &list);
	units_choose(tail, &list);
	if (tail->units.count == 0 && list.count > 0)
		buffer_puts(&tail->why, "none lies in the window as a whole");
}

void tail_release(struct tail *tail)
{
	if (!tail->source)
		return;
	if (tail->source->gather)
		analysis_end(tail->source->gather, tail->gathered);
	interrupt_log_release(&tail->interrupts);
	sync_calls_release(&tail->syncs);
	buffer_release(&tail->why);
	tally_release(&tail->turns);
	free(tail->units.unit);
	tail_units_release(&tail->walked);
	tail_answer_release(&tail->answer);
}
