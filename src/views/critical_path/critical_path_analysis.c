/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What one task's time was spent on, through all tasks that it waited for: the walk over the
 * window, or over one wait, its parts in order of time. They tile the window exactly.
 */
#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/analysis.h"
#include "analysis/tables/cells.h"
#include "analysis/interrupt_time.h"
#include "analysis/paths/path_task.h"
#include "analysis/prose.h"
#include "analysis/wait_list.h"
#include "base/data/array.h"
#include "base/text/buffer.h"
#include "base/text/format.h"
#include "base/xalloc.h"
#include "graph/brief_aim.h"
#include "graph/walk/competitors.h"
#include "graph/logs/interrupt_log.h"
#include "graph/longest_parts.h"
#include "graph/walk/part_log.h"
#include "ran_list.h"
#include "words/instant_words.h"
#include "words/task_words.h"

/* The state while the trace is read. */
struct path_view {
	const struct question *question;
	struct interrupt_log interrupts;
};

struct kind_total {
	enum part_state state;
	int kind; /* enum cause_kind, -1: not a wait with a cause */
	nsec_t total;
	uint64_t count;
};

/* Marks the state of a part that no wake-up led to. */
#define INFERRED_MARK "*"

#define KINDS (CAUSE_KIND_COUNT + 1)

/* Sums over the parts as the walk reports them, and the parts to show. */
struct critical_path {
	const struct question *question;
	struct kind_total kind[PART_STATE_COUNT * KINDS];
	nsec_t *by_track;
	struct competitors competitors;
	struct ran_list ran;
	nsec_t throttled; /* time in which a limit held it back, so that no other task had its
	                     CPU */
	uint64_t count;  /* parts */
	nsec_t reported; /* sum of the lengths of all parts */
	size_t shown_max; /* limit of shown parts; 0: all */
	struct longest_parts longest; /* the longest parts, which are shown */
	struct part_log log;
};

static void *path_begin(const struct question *question)
{
	struct path_view *view = xcalloc(1, sizeof(*view));

	view->question = question;
	interrupt_log_init(&view->interrupts);
	return view;
}

static void path_end(void *state)
{
	struct path_view *view = state;

	interrupt_log_release(&view->interrupts);
	free(view);
}

static void path_on_interval(void *state, const struct interval *interval)
{
	struct path_view *view = state;

	if (interval_is_interrupt(interval))
		interrupt_log_add(&view->interrupts, interval->cpu, interval_started(interval),
		                  interval->end);
}

static void path_open(struct critical_path *path, const struct interrupt_log *interrupts,
                      size_t shown_max)
{
	struct timeline *timeline = path->question->timeline;

	for (size_t i = 0; i < ARRAY_SIZE(path->kind); i++) {
		path->kind[i].state = (enum part_state)(i / KINDS);
		path->kind[i].kind = (int)(i % KINDS) - 1;
	}
	path->by_track = xcalloc(timeline->track_count, sizeof(*path->by_track));
	competitors_init(&path->competitors, timeline, interrupts);
	ran_list_init(&path->ran, timeline);
	path->shown_max = shown_max;
	if (shown_max)
		longest_parts_init(&path->longest, shown_max);
	else
		part_log_init(&path->log, timeline);
}

static void path_on_part(void *state, const struct part *part)
{
	struct critical_path *path = state;
	nsec_t length = part->end - part->begin;
	struct kind_total *kind = &path->kind[(size_t)part->state * KINDS +
	                                      (part->cause ? part->cause->kind + 1u : 0)];

	kind->total += length;
	kind->count++;
	path->by_track[part->track] += length;
	path->question->health->parts_by_confidence[part->confidence]++;
	path->count++;
	path->reported += length;
	if (part->state == PART_RUNNABLE && part->cause && part->cause->kind == CAUSE_THROTTLED)
		path->throttled += length;
	else if (part->state == PART_RUNNABLE)
		competitors_add(
			&path->competitors, part->cpu, part->begin, part->end,
			track_priority_at(&path->competitors.timeline->track[part->track],
			                  part->begin));
	if (part->state == PART_RUNNING)
		ran_list_add(&path->ran, part->track, part->begin, part->end);
	if (path->shown_max)
		longest_parts_add(&path->longest, part);
	else
		part_log_add(&path->log, part);
}

/* Whether the asked wait, which exists, is a wait of the asked task, if a task is asked for,
   too. */
static bool wait_fits_name(const struct question *question, struct buffer *why)
{
	struct wait wait = {.track = TRACK_NONE};

	if (!question->asked->path.task || !wait_list_find_asked(question, &wait) ||
	    path_task_fits(question, wait.track))
		return true;
	buffer_printf(why, "wait %" PRIu64 " is one of ", question->asked->wait);
	prose_task_append(why, question->timeline, wait.track);
	buffer_puts(why, ", not of ");
	buffer_puts_clean(why, question->asked->path.task, strlen(question->asked->path.task));
	buffer_puts(why, "; leave out \"=");
	buffer_puts_clean(why, question->asked->path.task, strlen(question->asked->path.task));
	buffer_puts(why, "\", or count the waits of that task alone, by --comm or --tid");
	return false;
}

static bool path_has_answer(const void *state, struct buffer *why)
{
	const struct path_view *view = state;
	const struct question *question = view->question;

	if (question->asked->wait)
		return wait_list_has_asked(question, why) && wait_fits_name(question, why);
	return path_task_is_there(question, why);
}

static const struct column part_columns[] = {
	{"begin_ns", "BEGIN", CELL_INSTANT, COLUMN_USEFUL(1)},
	{"end_ns", "END", CELL_INSTANT, COLUMN_DATA_ONLY},
	{NULL, "FOR", CELL_DURATION, COLUMN_TEXT_ONLY},
	{"depth", "DEPTH", CELL_COUNT, COLUMN_DEPTH | COLUMN_SPARE(1)},
	{"confidence", "CONF", CELL_CONFIDENCE, COLUMN_SPARE(2)},
	{"tid", "TID", CELL_COUNT, COLUMN_NUMBER | COLUMN_SPARE(3)},
	{"state", "STATE", CELL_TEXT, COLUMN_DATA_ONLY},
	{"inferred", "INFERRED", CELL_BOOL, COLUMN_DATA_ONLY},
	{NULL, "STATE", CELL_TEXT, COLUMN_TEXT_ONLY}, /* with INFERRED_MARK if it is inferred */
	{"cause", "CAUSE", CELL_CAUSE, 0},
	{"aim", NULL, CELL_BRIEF_AIM, COLUMN_DATA_ONLY},
	{"comm", "TASK", CELL_TEXT, 0},
	/* only with several machines; then the column before is not in text */
	{"machine", NULL, CELL_COUNT, COLUMN_DATA_ONLY},
	{NULL, "TASK", CELL_TEXT, COLUMN_TEXT_ONLY},
};

#define COLUMN_COMM         11
#define COLUMNS_OF_MACHINES 2

/* The output of the rows. */
struct path_rows {
	const struct timeline *timeline;
	const struct output *to;
	bool has_inferred;
};

static void path_row(void *to, const struct part *part)
{
	struct path_rows *rows = to;
	struct task task = timeline_task(rows->timeline, part->track, part->begin);
	struct cell cell[ARRAY_SIZE(part_columns)];
	struct cause cause;
	char state[32];

	for (size_t i = 0; i < ARRAY_SIZE(part_columns); i++)
		cell[i].type = part_columns[i].type;
	cell[0].time = part->begin;
	cell[1].time = part->end;
	cell[2].time = part->end - part->begin;
	cell[3].count = part->depth;
	cell[4].confidence = part->confidence;
	cell[5].count = (uint64_t)task.tid;
	cell[6].text = part_state_name(part->state);
	cell[7].boolean = part->is_inferred;
	(void)snprintf(state, sizeof(state), "%s%s", part_state_words(part->state),
	               part->is_inferred ? INFERRED_MARK : "");
	cell[8].text = state;
	cell[9].type = part->cause ? CELL_CAUSE : CELL_EMPTY;
	if (part->cause) {
		cause = part_cause(rows->timeline, part);
		cell[9].cause = &cause;
	}
	cell[10] = cell_of_brief_aim(
		brief_aim_of_cause(rows->timeline, part->track,
	                           part->state == PART_WAITING ? part->cause : NULL));
	cell[COLUMN_COMM].text = task.comm;
	cell[COLUMN_COMM + 1].count = task.machine;
	cell[COLUMN_COMM + 2].text = intern_text(
		&rows->timeline->names,
		timeline_name_at(&rows->timeline->track[part->track], part->begin));
	rows->has_inferred |= part->is_inferred;
	output_row(rows->to, cell);
}

static int kind_total_compare(const void *a, const void *b)
{
	const struct kind_total *x = a, *y = b;

	if (x->total != y->total)
		return x->total > y->total ? -1 : 1;
	return x->state != y->state ? (int)x->state - (int)y->state : x->kind - y->kind;
}

static void path_report_kinds(struct critical_path *path, const struct output *to, nsec_t length)
{
	static const struct column columns[] = {
		{"state", NULL, CELL_TEXT, COLUMN_DATA_ONLY},
		{NULL, "STATE", CELL_TEXT, COLUMN_TEXT_ONLY},
		{"kind", "KIND", CELL_TEXT, 0},
		{"total_ns", "TOTAL", CELL_DURATION, 0},
		{NULL, "SHARE", CELL_RATIO, COLUMN_TEXT_ONLY},
		{"count", "PARTS", CELL_COUNT, COLUMN_SPARE(1)},
	};

	qsort(path->kind, ARRAY_SIZE(path->kind), sizeof(path->kind[0]), kind_total_compare);
	output_table_begin(to, "by_kind", "By kind", columns, ARRAY_SIZE(columns), false);
	for (size_t i = 0; i < ARRAY_SIZE(path->kind) && path->kind[i].count; i++) {
		const struct kind_total *total = &path->kind[i];
		struct cell cell[] = {
			{.type = CELL_TEXT, .text = part_state_name(total->state)},
			{.type = CELL_TEXT, .text = part_state_words(total->state)},
			{.type = total->kind < 0 ? CELL_EMPTY : CELL_TEXT,
			 .text = total->kind < 0 ? NULL
			                         : cause_kind_name((enum cause_kind)total->kind)},
			{.type = CELL_DURATION, .time = total->total},
			{.type = CELL_RATIO, .ratio = nsec_ratio(total->total, length)},
			{.type = CELL_COUNT, .count = total->count},
		};

		output_row(to, cell);
	}
	output_table_end(to);
}

/* A track and a sum of its time. */
struct track_total {
	uint32_t track;
	nsec_t total;
};

static int track_total_compare(const void *a, const void *b)
{
	const struct track_total *x = a, *y = b;

	if (x->total != y->total)
		return x->total > y->total ? -1 : 1;
	return x->track < y->track ? -1 : x->track > y->track;
}

static void path_report_tasks(const struct critical_path *path, const struct output *to)
{
	static const struct column columns[] = {
		{"task", "TASK", CELL_TASK, 0},
		{"total_ns", "ON THE PATH FOR", CELL_DURATION, 0},
	};
	const struct timeline *timeline = path->question->timeline;
	struct track_total *sorted = xcalloc(timeline->track_count, sizeof(*sorted));
	size_t count = 0, shown;

	for (uint32_t track = 0; track < timeline->track_count; track++)
		if (path->by_track[track])
			sorted[count++] = (struct track_total){track, path->by_track[track]};
	qsort(sorted, count, sizeof(*sorted), track_total_compare);
	output_table_begin(to, "by_task", "By task", columns, ARRAY_SIZE(columns), false);
	shown = output_row_count(to, count);
	for (size_t i = 0; i < shown; i++) {
		struct cell cell[] = {
			cell_of_task(timeline, sorted[i].track),
			{.type = CELL_DURATION, .time = sorted[i].total},
		};

		output_row(to, cell);
	}
	output_leave_rows(to, count - shown);
	output_table_end(to);
	free(sorted);
}

enum competitor_kind {
	COMPETITOR_TASK,
	COMPETITOR_IRQ,
	COMPETITOR_IDLE,
	COMPETITOR_LIMIT,
};

struct competitor {
	enum competitor_kind kind;
	uint32_t track; /* of a task */
	nsec_t total;
};

static const char *const kind_names[] = {"task", "irq", "idle", "throttled"};

static int competitor_compare(const void *a, const void *b)
{
	const struct competitor *x = a, *y = b;

	if (x->total != y->total)
		return x->total > y->total ? -1 : 1;
	if (x->kind != y->kind)
		return (int)x->kind - (int)y->kind;
	return x->track < y->track ? -1 : x->track > y->track;
}

/* " (RT 50)": the priority explains why the task had the CPU. */
static void class_append(struct buffer *to, int priority)
{
	if (priority == PRIORITY_UNKNOWN || priority >= PRIORITY_FAIR_MIN)
		return;
	buffer_puts(to, " (");
	priority_append(to, priority);
	buffer_putc(to, ')');
}

/* The loan of a priority by which the competitor had most of its time; NULL: it had most of it by
   its own priority. */
static const struct rank *competitor_loan(const struct competitors *competitors,
                                          const struct competitor *competitor)
{
	const struct competitor_loan *loan;

	if (!competitors->loan || competitor->kind != COMPETITOR_TASK)
		return NULL;
	loan = &competitors->loan[competitor->track];
	return loan->total > competitor->total / 2 ? &loan->rank : NULL;
}

static void competitor_row(const struct competitors *competitors,
                           const struct competitor *competitor, const struct output *to)
{
	const struct timeline *timeline = competitors->timeline;
	const struct rank *loan = competitor_loan(competitors, competitor);
	bool is_task = competitor->kind == COMPETITOR_TASK || competitor->kind == COMPETITOR_IDLE;
	struct task task = {.comm = "idle"};
	int priority = PRIORITY_UNKNOWN;
	struct buffer who;

	buffer_init(&who, 256);
	if (competitor->kind == COMPETITOR_TASK) {
		task = timeline_task(timeline, competitor->track, NSEC_NEVER);
		priority = timeline->track[competitor->track].priority;
	}
	if (competitor->kind == COMPETITOR_LIMIT)
		buffer_puts(&who, "nobody: held back by a CPU limit");
	else if (competitor->kind == COMPETITOR_IRQ)
		buffer_puts(&who, "irq");
	else if (loan)
		prose_lent_append(&who, timeline, competitor->track, loan);
	else
		task_text_append(&who, &task);
	if (!loan)
		class_append(&who, priority);
	output_row(to, (struct cell[]){
		{.type = is_task ? CELL_TASK : CELL_EMPTY, .task = task},
		{.type = CELL_TEXT, .text = who.text},
		{.type = CELL_DURATION, .time = competitor->total},
		{.type = CELL_TEXT, .text = kind_names[competitor->kind]},
		{.type = priority == PRIORITY_UNKNOWN ? CELL_EMPTY : CELL_PRIORITY,
		.integer = priority},
	});
	buffer_release(&who);
}

/*
 * Prints the table of what had the CPU while a task on the path was runnable, most time first:
 * tasks, interrupts and idle. A row for a limit has the `throttled` ns in which it held the task
 * back.
 */
static void competitor_list_report(const struct competitors *competitors, nsec_t throttled,
                                   const struct output *to)
{
	static const struct column columns[] = {
		{"task", "TASK", CELL_TASK, COLUMN_DATA_ONLY},
		{NULL, "TASK", CELL_TEXT, COLUMN_TEXT_ONLY | COLUMN_TAILED},
		{"total_ns", "HAD THE CPU FOR", CELL_DURATION, 0},
		{"kind", "KIND", CELL_TEXT, COLUMN_DATA_ONLY},
		{"priority", "PRIORITY", CELL_PRIORITY, COLUMN_DATA_ONLY},
	};
	const struct timeline *timeline = competitors->timeline;
	struct competitor *sorted = xcalloc(timeline->track_count + 3, sizeof(*sorted));
	size_t count = 0, shown;

	for (uint32_t track = 0; track < timeline->track_count; track++)
		if (competitors->by_track[track])
			sorted[count++] = (struct competitor){COMPETITOR_TASK, track,
			                                      competitors->by_track[track]};
	if (competitors->interrupted)
		sorted[count++] =
			(struct competitor){COMPETITOR_IRQ, 0, competitors->interrupted};
	if (competitors->idle)
		sorted[count++] = (struct competitor){COMPETITOR_IDLE, 0, competitors->idle};
	if (throttled)
		sorted[count++] = (struct competitor){COMPETITOR_LIMIT, 0, throttled};
	qsort(sorted, count, sizeof(*sorted), competitor_compare);
	output_table_begin(to, "competitors", "Who ran while it was runnable", columns,
	                   ARRAY_SIZE(columns), false);
	shown = output_row_count(to, count);
	for (size_t i = 0; i < shown; i++)
		competitor_row(competitors, &sorted[i], to);
	output_leave_rows(to, count - shown);
	output_table_end(to);
	free(sorted);
}

/* The walk reported the parts newest first. */
static void path_report_parts(struct critical_path *path, const struct output *to)
{
	struct path_rows rows = {path->question->timeline, to, false};
	struct column columns[ARRAY_SIZE(part_columns)];
	const bool has_hosts = rows.timeline->hosts.count > 0;
	char title[128] = "Parts";

	memcpy(columns, part_columns, sizeof(columns));
	if (has_hosts)
		columns[COLUMN_COMM].flags |= COLUMN_DATA_ONLY;
	longest_parts_sort(&path->longest);
	if (path->shown_max && path->count > path->longest.count)
		(void)snprintf(title, sizeof(title),
		               "Parts: the %zu longest of %s, in order of time (--top 0 shows all)",
		               path->longest.count, COUNT_TEXT(path->count));
	output_table_begin(to, "parts", title, columns,
	                   ARRAY_SIZE(columns) - (has_hosts ? 0 : COLUMNS_OF_MACHINES), false);
	for (size_t i = 0; i < path->longest.count; i++)
		path_row(&rows, &path->longest.part[i]);
	part_log_visit(&path->log, path_row, &rows);
	output_table_end(to);
	if (rows.has_inferred)
		prose_put(to,
		          INFERRED_MARK " inferred, not from a wake-up but from what is known of a "
		          "sleep on a timer (--no-through-polls shows the timers).");
}

/* "Of cc1[123]: it waited most; from its birth at 0.010000 s, to its end at 0.250000 s." */
static void path_print_why(const struct question *question, const struct output *to,
                           const struct path_target *target)
{
	const struct instant_form *instants = &question->instants;
	const char *between = ": ";
	struct buffer line;

	buffer_init(&line, 512);
	buffer_puts(&line, "Of ");
	prose_task_append(&line, question->timeline, target->track);
	if (target->why) {
		buffer_printf(&line, "%s%s", between, target->why);
		between = ", ";
	}
	if (target->window.is_from_birth) {
		buffer_printf(&line, "%sfrom its birth at %s%s", between,
		              INSTANT_OF(instants, target->window.begin), instant_unit(instants));
		between = ", ";
	}
	if (target->window.is_to_death)
		buffer_printf(&line, "%sto its end at %s%s", between,
		              INSTANT_OF(instants, target->window.end), instant_unit(instants));
	buffer_putc(&line, '.');
	prose_put(to, line.text);
	buffer_release(&line);
}

static void path_walk(struct critical_path *path, const struct path_target *target)
{
	const struct question *question = path->question;
	struct walk_visitor visitor = {.state = path, .on_part = path_on_part};
	struct walk_result result = {0};

	walk(question->timeline, target->track, target->window.begin, target->window.end, &visitor,
	     &result);
	question->health->inconsistencies += result.cycles;
	question->health->depth_truncations += result.truncations;
	assert(path->reported == target->window.end - target->window.begin);
}

static void path_release(struct critical_path *path)
{
	longest_parts_release(&path->longest);
	part_log_release(&path->log);
	competitors_release(&path->competitors);
	ran_list_release(&path->ran);
	free(path->by_track);
}

static void path_report(const void *state, const struct output *to)
{
	const struct path_view *view = state;
	const struct question *question = view->question;
	struct critical_path path = {.question = question};
	struct path_target target;
	struct task task;

	/* a page shows this view unasked */
	if (path_is_left_out(question))
		return;
	path_open(&path, &view->interrupts,
	          output_row_limit(to));
	path_target_find(question, &target);
	output_section_begin(to, "critical_path", "Critical path", /* is_list= */ false);
	if (target.track == TRACK_NONE) {
		output_field(to, "task", NULL, &(struct cell){.type = CELL_EMPTY});
		prose_put(to, "No such task in this trace.");
	} else {
		task = timeline_task(question->timeline, target.track, NSEC_NEVER);
		output_field(to, "task", NULL, &(struct cell){.type = CELL_TASK, .task = task});
		path_print_why(question, to, &target);
		path_walk(&path, &target);
	}
	output_field(to, "begin_ns", NULL,
	             &(struct cell){.type = CELL_INSTANT, .time = target.window.begin});
	output_field(to, "end_ns", NULL,
	             &(struct cell){.type = CELL_INSTANT, .time = target.window.end});
	competitors_finish(&path.competitors);
	output_field(to, "runnable_idle_ns", NULL,
	             &(struct cell){.type = CELL_DURATION, .time = path.competitors.idle});
	path_report_kinds(&path, to, target.window.end - target.window.begin);
	path_report_tasks(&path, to);
	ran_list_report(&path.ran, to);
	competitor_list_report(&path.competitors, path.throttled, to);
	path_report_parts(&path, to);
	output_section_end(to);
	path_release(&path);
}

const struct analysis critical_path_analysis = {
	.name = "critical-path",
	.about = "what the task's time was spent on, including all that it waited for",
	.argument = "TID|COMM",
	.take_argument = path_task_take_argument,
	.heeds = HEEDS_TASKS | HEEDS_WALKS | HEEDS_FOLD | HEEDS_WAIT,
	.needs_history = true,
	.is_of_path = true,
	.begin = path_begin,
	.on_interval = path_on_interval,
	.interval_kinds = INTERRUPT_INTERVALS,
	.has_answer = path_has_answer,
	.report = path_report,
	.end = path_end,
};
