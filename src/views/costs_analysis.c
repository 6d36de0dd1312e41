/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The account of a run: a row for each kind of cost, cause and name of task, with how often it came
 * and how long each took. The rows tile: they sum to the length of the one task's path, or else to
 * the time of all asked tasks. So they can be compared with those of other runs, and added up.
 *
 * Names are those that other runs, and other machines, have too: no tid, address, sector or port;
 * the workers of the kernel are one name.
 */
#include <string.h>

#include "analysis/paths/path_task.h"
#include "analysis/tables/cost_kind.h"
#include "analysis/tables/distribution.h"
#include "analysis/tables/relation.h"
#include "analysis/task_groups.h"
#include "base/data/array.h"
#include "costs.h"
#include "graph/aims/aim.h"
#include "graph/walk/walk.h"

#define COSTS_MAX 16384 /* rows; the time of more is not known by name */

/* Without padding: keys are compared as bytes. */
struct cost_key {
	uint32_t kind;  /* enum cost_kind */
	uint32_t cause; /* waiting: enum cause_kind + 1; 0: no cause */
	uint32_t name;  /* of the cause's object; id in names, 0: none */
	uint32_t comm;  /* of the tasks that spent the time; id in names */
	struct aim_key aim;
	uint32_t group; /* their control group; id in names, 0: rows are not divided by it */
};

struct cost_row {
	struct cost_key key;
	struct distribution each;
};

/* The last part that was taken: one that it continues is the same. Parts come latest first. */
struct last_part {
	bool is_there;
	struct cost_key key;
	uint32_t track;
	nsec_t begin, end;
};

struct costs_view {
	const struct question *question;
	struct tally rows;
	struct last_part last;
	uint32_t track;     /* of the path; TRACK_NONE: of several tasks */
	struct task_groups own_groups;
	const struct task_groups *groups; /* of tracks; NULL: rows are not divided by them */
	nsec_t wall, unexplained;
	struct walk_result result;
};

static void costs_begin(void *state)
{
	struct costs_view *view = state;

	view->track = TRACK_NONE;
	tally_init(&view->rows, sizeof(struct cost_row), sizeof(struct cost_key), COSTS_MAX);
}

/* The path of the track's control group, or words where it has none. */
static uint32_t group_of(struct costs_view *view, uint32_t track)
{
	struct timeline *timeline = view->question->timeline;
	uint32_t group = view->groups->of_track[track];
	const struct task_group *of;

	if (group == TASK_GROUP_NONE)
		return 0;
	of = &view->groups->group[group];
	if (of->kind == GROUP_UNKNOWN)
		return intern_adds(&timeline->names, "control group not recorded");
	return of->kind == GROUP_CGROUP ? of->path : intern_adds(&timeline->names, of->name);
}

static struct cost_key key_of(struct costs_view *view, uint32_t track, enum cost_kind kind,
                              const struct cause_note *cause, struct brief_aim aim)
{
	struct timeline *timeline = view->question->timeline;
	bool is_wait = kind == COST_WAIT && cause;

	return (struct cost_key){
		.kind = kind,
		.cause = is_wait ? (uint32_t)cause->kind + 1 : 0,
		.name = is_wait ? cost_object(timeline, cause) : 0,
		.comm = cost_task(timeline, track),
		.aim = aim_key_of(timeline, aim),
		.group = view->groups ? group_of(view, track) : 0,
	};
}

/* The row of time for which there is no room by name. */
static struct cost_row *row_of_rest(struct costs_view *view)
{
	return tally_row(&view->rows, &(struct cost_key){.kind = COST_UNKNOWN});
}

/* Counts the last part. */
static void last_flush(struct costs_view *view)
{
	struct last_part *last = &view->last;
	struct cost_row *row;

	if (!last->is_there)
		return;
	last->is_there = false;
	row = tally_row(&view->rows, &last->key);
	if (!row)
		row = row_of_rest(view);
	distribution_add(&row->each, last->end - last->begin, last->begin);
	view->wall += last->end - last->begin;
	if (cost_is_unknown(last->key.kind) || last->key.kind == COST_UNSEEN ||
	    (last->key.kind == COST_WAIT &&
	     (last->key.cause == 0 || last->key.cause == CAUSE_UNKNOWN + 1)))
		view->unexplained += last->end - last->begin;
}

/* Takes [begin, end) of a track. What only continues the part after it is one with it: a wait that
   the walk explains piece by piece, a run on two CPUs. */
static void costs_take(struct costs_view *view, uint32_t track, enum cost_kind kind,
                       const struct cause_note *cause, struct brief_aim aim, nsec_t begin,
                       nsec_t end)
{
	struct last_part *last = &view->last;
	struct cost_key key;

	if (begin == end)
		return;
	key = key_of(view, track, kind, cause, aim);
	if (last->is_there && last->track == track && last->begin == end &&
	    memcmp(&last->key, &key, sizeof(key)) == 0) {
		last->begin = begin;
		return;
	}
	last_flush(view);
	*last = (struct last_part){
		.is_there = true, .key = key, .track = track, .begin = begin, .end = end};
}

static void take_part(void *state, const struct part *part)
{
	const struct costs_view *view = state;
	struct brief_aim aim = {AIM_NONE, NULL};

	if (part->state == PART_WAITING)
		aim = brief_aim_of_cause(view->question->timeline, part->track, part->cause);
	costs_take(state, part->track, cost_of_part(part->state, part->cause), part->cause, aim,
	           part->begin, part->end);
}

static void take_stretch(void *state, uint32_t track, nsec_t begin, nsec_t end)
{
	struct costs_view *view = state;
	const struct walk_visitor visitor = {.state = view, .on_part = take_part};

	walk(view->question->timeline, track, begin, end, &visitor, &view->result);
}

static void take_sleep(void *state, uint32_t track, enum chosen_sleep chosen, nsec_t begin,
                       nsec_t end)
{
	struct timeline *timeline = ((const struct costs_view *)state)->question->timeline;
	size_t at = timeline_find(&timeline->track[track], end);

	costs_take(state, track, cost_of_sleep(chosen), NULL,
	           brief_aim_of_segment(timeline, track, at), begin, end);
}

static void take_path(struct costs_view *view, nsec_t begin, nsec_t end)
{
	const struct stretch_visitor visitor = {view, take_stretch, take_sleep};

	path_stretches(view->question->timeline, view->track, begin, end, &visitor);
}

static void take_own(void *state, const struct own_time *time)
{
	const struct costs_view *view = state;

	costs_take(state, time->track, time->kind, time->cause,
	           brief_aim_of_segment(view->question->timeline, time->track, time->segment),
	           time->begin, time->end);
}

static void take_tracks(struct costs_view *view)
{
	bool has_programs = question_asks_programs(view->question);

	ASKED_EACH(view->question, index)
		own_time_visit(view->question, index, has_programs, take_own, view);
}

static void costs_resolve(void *state)
{
	struct costs_view *view = state;
	const struct question *question = view->question;
	struct path_window window;

	if (question->asked->costs.by_group) {
		task_groups_init(&view->own_groups, question, /* only_cgroups= */ true);
		view->groups = &view->own_groups;
	}
	(void)row_of_rest(view);
	view->track = path_task_only(question);
	if (view->track != TRACK_NONE) {
		window = path_task_window(question, view->track);
		take_path(view, window.begin, window.end);
	} else {
		take_tracks(view);
	}
	last_flush(view);
}

void *costs_of_stretch(const void *state, uint32_t track, nsec_t begin, nsec_t end)
{
	const struct costs_view *whole = state;
	struct costs_view *view = analysis_begin(&costs_analysis, whole->question);

	view->groups = whole->groups;
	view->track = track;
	(void)row_of_rest(view);
	take_path(view, begin, end);
	last_flush(view);
	return view;
}

#define AT(member) RELATION_AT(struct cost_row, member)

enum costs_column {
	COLUMN_STATE,
	COLUMN_KIND,
	COLUMN_NAME,
	COLUMN_AIM,
	COLUMN_TOTAL,
	COLUMN_SHARE,
	COLUMN_COUNT,
	COLUMN_P50,
	COLUMN_P99,
	COLUMN_MAX,
	COLUMN_WORDS,
	COLUMN_COMM,
};

static const struct field fields[] = {
	[COLUMN_STATE] = {"state", NULL, CELL_TEXT, 0, FILLED},
	[COLUMN_KIND] = {"kind", NULL, CELL_TEXT, 0, FILLED},
	[COLUMN_NAME] = {"name", NULL, CELL_TEXT, 0, AT(key.name)},
	[COLUMN_AIM] = {"aim", NULL, CELL_BRIEF_AIM, 0, FILLED},
	[COLUMN_TOTAL] = {"total_ns", "TIME", CELL_DURATION, 0, AT(each.total)},
	[COLUMN_SHARE] = {"share", "SHARE", CELL_RATIO, COLUMN_USEFUL(1), FILLED},
	[COLUMN_COUNT] = {"count", "COUNT", CELL_COUNT, 0, AT(each.count)},
	[COLUMN_P50] = {"p50_ns", "P50", CELL_DURATION, COLUMN_USEFUL(2), FILLED},
	[COLUMN_P99] = {"p99_ns", "P99", CELL_DURATION, COLUMN_USEFUL(3), FILLED},
	[COLUMN_MAX] = {"max_ns", "MAX", CELL_DURATION, COLUMN_USEFUL(4), AT(each.max)},
	[COLUMN_WORDS] = {NULL, "WENT TO", CELL_TEXT, COLUMN_POINT, FILLED},
	[COLUMN_COMM] = {"task", "TASK", CELL_TEXT, 0, AT(key.comm)},
};

static struct cost_sum sum_of(const struct costs_view *view, const struct cost_row *row)
{
	const struct intern *names = &view->question->timeline->names;

	return (struct cost_sum){
		.kind = (enum cost_kind)row->key.kind,
		.cause = row->key.cause ? cause_kind_name((enum cause_kind)(row->key.cause - 1))
		                        : NULL,
		.name = row->key.name ? intern_text(names, row->key.name) : NULL,
		.task = intern_text(names, row->key.comm),
		.what = row->key.group ? intern_text(names, row->key.group) : NULL,
		.aim = brief_aim_of_key(view->question->timeline, &row->key.aim),
		.count = row->each.count,
		.total = row->each.total,
	};
}

const char *costs_root(const void *state)
{
	const struct costs_view *view = state;
	const struct timeline *timeline = view->question->timeline;

	return view->track == TRACK_NONE
	               ? NULL
	               : intern_text(&timeline->names,
	                             track_name(&timeline->track[view->track]));
}

nsec_t costs_wall(const void *state)
{
	return ((const struct costs_view *)state)->wall;
}

double costs_explained(const void *state)
{
	const struct costs_view *view = state;

	return nsec_ratio(view->wall - view->unexplained, view->wall);
}

void costs_each(const void *state, cost_taker *take, void *taker)
{
	const struct costs_view *view = state;

	TALLY_ROWS(&view->rows, const struct cost_row, row) {
		struct cost_sum sum = sum_of(view, row);

		if (row->each.count > 0)
			take(taker, &sum);
	}
}

static void row_fill(const void *state, const void *any, struct cell *cell, struct buffer *text)
{
	const struct costs_view *view = state;
	const struct cost_row *row = any;
	struct cost_sum figures = sum_of(view, row);
	struct distribution_sum sum;

	distribution_sum(&row->each, &sum);
	cell[COLUMN_STATE].text = cost_kind_key(figures.kind);
	cell[COLUMN_KIND].text = figures.cause;
	if (!figures.cause)
		cell[COLUMN_KIND].type = CELL_EMPTY;
	cell[COLUMN_AIM].brief_aim = figures.aim;
	cell[COLUMN_SHARE].ratio = nsec_ratio(row->each.total, view->wall);
	cell[COLUMN_P50].time = sum.p50;
	cell[COLUMN_P99].time = sum.p99;
	cost_words_append(&text[COLUMN_WORDS], figures.kind, figures.cause, figures.name,
	                  &figures.aim);
}

static const char *const sort_keys[] = {"total", "count", "max", NULL};
static const struct measure by_key[] = {{AT(each.total)}, {AT(each.count)}, {AT(each.max)}};

static const struct relation_form form = {
	"rows", NULL, FIELDS(fields),
	.next = "{state=running}--on-cpu --comm {glob:task}|"
	        "{state=waiting}--waits --sort wait --comm {glob:task}[ --kind {kind}]|"
	        "--summary --comm {glob:task}",
	.sort_keys = sort_keys, .by_key = by_key, .unless_zero = {AT(each.count)},
	.fill = row_fill, .rows_named = "costs", .lost_named = "parts",
};

/* The fields above the table, which --rows repeats in each row. */
static void fields_report(const struct costs_view *view, const struct output *to)
{
	const struct health *health = view->question->health;
	const char *root = costs_root(view);

	output_field(to, "root", "Path of",
	             &(struct cell){.type = root ? CELL_TEXT : CELL_EMPTY, .text = root});
	output_field(to, "wall_ns", "Time",
	             &(struct cell){.type = CELL_DURATION, .time = view->wall});
	output_field(to, "explained", "Explained",
	             &(struct cell){
			     .type = CELL_RATIO,
			     .ratio = costs_explained(view),
		     });
	output_field(to, "lost", NULL,
	             &(struct cell){
			     .type = health_has_lost_count(health) ? CELL_COUNT : CELL_EMPTY,
			     .count = health->events_lost,
		     });
}

static void costs_report(const void *state, const struct output *to)
{
	const struct costs_view *view = state;

	view->question->health->inconsistencies += view->result.cycles;
	output_section_begin(to, "costs", "Costs", /* is_list= */ false);
	fields_report(view, to);
	relation_put(&view->rows, &form, view, view->question, to);
	output_section_end(to);
}

static void costs_end(void *state)
{
	struct costs_view *view = state;

	/* they are in no column as a whole */
	for (size_t i = 0; i < view->rows.count; i++)
		distribution_release(&((struct cost_row *)tally_at(&view->rows, i))->each);
	relation_release(&view->rows, &form);
	task_groups_release(&view->own_groups);
}

void costs_of_stretch_release(void *stretch)
{
	analysis_end(&costs_analysis, stretch);
}

const struct analysis costs_analysis = {
	.name = "costs",
	.about = "what the time went to: how often, how long each, to compare with other runs",
	.sort_keys = sort_keys,
	.heeds = HEEDS_TASKS | HEEDS_WALKS,
	.needs_history = true,
	.state_bytes = sizeof(struct costs_view),
	.begin = costs_begin,
	.resolve = costs_resolve,
	.report = costs_report,
	.end = costs_end,
};
