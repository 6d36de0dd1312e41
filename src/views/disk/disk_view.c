/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "disk_view.h"

#include <stdlib.h>

#include "analysis/tables/cells.h"
#include "analysis/tables/relation.h"
#include "base/data/array.h"
#include "base/data/order.h"
#include "base/text/buffer.h"
#include "base/xalloc.h"
#include "graph/timeline/timeline_tasks.h"
#include "sentences/say.h"
#include "sentences/thresholds.h"

struct held_task {
	struct held_key { uint32_t track, dev; } key;
	uint64_t waits;
	nsec_t total;
};

static void held_take(void *view, const struct interval *interval)
{
	struct held_requests *held = view;
	const struct held_key key = {interval->task, interval->disk.dev};
	struct held_task *task = tally_row(&held->tasks, &key);

	task->waits++;
	task->total += interval->end - interval->begin;
}

void held_requests_init(struct held_requests *held, const struct question *question)
{
	*held = (struct held_requests){.gate = {.question = question, .take = held_take}};
	tally_init(&held->tasks, sizeof(struct held_task), sizeof(struct held_key), TALLY_NO_LIMIT);
}

void held_requests_release(struct held_requests *held)
{
	interval_gate_release(&held->gate);
	tally_release(&held->tasks);
}

void held_requests_add_wait(struct held_requests *held, const struct span *span)
{
	const struct question *question = held->gate.question;
	struct interval interval = interval_of_span(INTERVAL_DISK, span);

	if (!question_asks_cpu(question, span->cpu) ||
	    span->end - span->begin < question->asked->min)
		return;
	interval.end = nsec_min(span->cause->origin, span->end);
	interval.disk.dev = span->cause->as.disk.dev;
	if (interval.end > interval.begin)
		interval_gate_pass(held, &interval);
}

void held_requests_resolve(struct held_requests *held)
{
	interval_gate_resolve(held);
}

/* Adds up the asked tasks, with the device of the first one; false: there are none. */
static bool held_sum(const struct held_requests *held, struct held_task *ret, bool *ret_has_others)
{
	*ret = (struct held_task){0};
	*ret_has_others = false;
	TALLY_ROWS(&held->tasks, const struct held_task, task) {
		if (!disk_is_asked(held->gate.question, task->key.track))
			continue;
		if (ret->waits == 0)
			ret->key.dev = task->key.dev;
		*ret_has_others |= task->key.dev != ret->key.dev;
		ret->waits += task->waits;
		ret->total += task->total;
	}
	return ret->waits > 0;
}

void held_requests_print(const struct held_requests *held, const struct output *to)
{
	struct held_task sum;
	bool has_others;

	if (!held_sum(held, &sum, &has_others))
		return;
	say_to(to, held->gate.question->timeline,
	       "An I/O limit delayed the submission of requests to {device}[{if} and others], for "
	       "{time} in {count} wait{|s}; no time below contains that.",
	       DEVICE(sum.key.dev), IF(has_others), TIME(sum.total), COUNT(sum.waits));
}

static void victim_add(struct victim *victims, uint32_t of, uint32_t behind, nsec_t overlap)
{
	struct victim *victim = &victims[of];

	ARRAY_GROW_FROM(victim->rival, victim->count, victim->capacity, 2);
	victim->rival[victim->count++] = (struct rival){behind, overlap};
}

ORDER_FUNCTION(rival_compare, struct rival, FALLING(x, y, overlap), RISING(x, y, task))

struct victim *victims_new(const struct disk_view *view)
{
	struct victim *victims = xcalloc(view->task_count, sizeof(*victims));

	for (uint32_t i = 0; i < view->task_count; i++)
		victims[i].task = i;
	EACH_OF(view->pair, view->pair_count, const struct disk_pair, pair) {
		for (unsigned side = 0; side < 2; side++) {
			uint32_t track = view->task[pair->task[side]].task;

			if (track != TRACK_NONE && disk_is_asked(view->question, track))
				victim_add(victims, pair->task[side], pair->task[!side],
				           pair->overlap);
		}
	}
	for (size_t i = 0; i < view->task_count; i++)
		if (victims[i].count)
			array_sort(victims[i].rival, victims[i].count, sizeof(struct rival),
			           rival_compare);
	return victims;
}

void victims_free(const struct disk_view *view, struct victim *victims)
{
	for (size_t i = 0; i < view->task_count; i++)
		free(victims[i].rival);
	free(victims);
}

static const struct column behind_columns[] = {
	{"task", "TASK", CELL_TASK, 0},
	{"overlap_ns", "OVERLAP", CELL_DURATION, 0},
};

void victim_rivals_append(struct buffer *to, const struct disk_view *view,
                          const struct victim *victim)
{
	nsec_t all = view->task[victim->task].waiting.total;

	for (size_t i = 0; i < victim->count && i < SHOWN_AHEAD; i++)
		say(to, view->question->timeline, "{,}[{task}|a task not recorded] {ratio}",
		    TASK(view->task[victim->rival[i].task].task),
		    RATIO(nsec_ratio(victim->rival[i].overlap, all)));
	say_more(to, victim->count, SHOWN_AHEAD);
}

/* Whom the requests kept waiting, most first. */
struct contention_row {
	uint32_t task, dev;
	nsec_t waiting;
	const struct victim *victim;
};

static struct cell_rows behind_rows(const struct disk_view *view, const struct victim *victim)
{
	struct cell *behind =
		xcalloc(victim->count, ARRAY_SIZE(behind_columns) * sizeof(*behind));

	for (size_t i = 0; i < victim->count; i++) {
		struct cell *row = behind + i * ARRAY_SIZE(behind_columns);

		row[0] = cell_of_task(view->question->timeline,
		                      view->task[victim->rival[i].task].task);
		row[1] = (struct cell){.type = CELL_DURATION, .time = victim->rival[i].overlap};
	}
	return (struct cell_rows){behind_columns, ARRAY_SIZE(behind_columns), behind,
	                          victim->count};
}

#define AT(member) RELATION_AT(struct contention_row, member)

enum {COLUMN_DEV = 1, COLUMN_BEHIND = 5, COLUMN_WORDS};

static const struct field fields[] = {
	{"task", "TASK", CELL_TASK, 0, AT(task)},
	DISK_DEV_FIELDS(COLUMN_DEV, COLUMN_USEFUL(2)),
	{"waiting_ns", "WAITING", CELL_DURATION, 0, AT(waiting)},
	[COLUMN_BEHIND] = {"behind", NULL, CELL_ROWS, 0, FILLED},
	[COLUMN_WORDS] = {NULL, "OF IT WITH REQUESTS OF", CELL_TEXT, 0, FILLED},
};

static void contention_fill(const void *of_view, const void *of, struct cell *cell,
                            struct buffer *text)
{
	const struct disk_view *view = of_view;
	const struct contention_row *row = of;

	disk_dev_fill(view->question->timeline, row->dev, &cell[COLUMN_DEV], &text[COLUMN_DEV]);
	cell[COLUMN_BEHIND].rows = behind_rows(view, row->victim);
	victim_rivals_append(&text[COLUMN_WORDS], view, row->victim);
}

static const struct relation_form form = {
	"contention", "Who waited while others' requests were there", FIELDS(fields),
	/* it need not have slept for its requests */
	.next = "--disk --waits --sort wait --kind disk --tid {task}",
	.order = {{AT(waiting)}}, .fill = contention_fill,
};

void victims_show(const struct disk_view *view, const struct victim *victims,
                  const struct output *to)
{
	struct tally rows;

	tally_init(&rows, sizeof(struct contention_row), 0, TALLY_NO_LIMIT);
	for (uint32_t i = 0; i < view->task_count; i++)
		if (victims[i].count)
			*(struct contention_row *)tally_add(&rows) = (struct contention_row){
				.task = view->task[i].task,
				.dev = view->device[view->task[i].device].dev,
				.waiting = view->task[i].waiting.total,
				.victim = &victims[i],
			};
	relation_put(&rows, &form, view, view->question, to);
	tally_release(&rows);
}
