/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The cycles of periodic tasks: how often they begin, how long they take, and with --period those
   that are missed, and what each of these lost its time to. */
#include <inttypes.h>
#include <stdlib.h>

#include "analysis/tables/cells.h"
#include "analysis/tables/distribution.h"
#include "analysis/histogram.h"
#include "analysis/interrupt_time.h"
#include "analysis/prose.h"
#include "base/data/array.h"
#include "base/cleanup.h"
#include "base/text/format.h"
#include "cycle_list.h"
#include "cycle_loss.h"
#include "graph/logs/interrupt_log.h"

/* Missed cycles that are listed; of more, the longest ones are. */
#define MISSED_MAX 1000

struct cycles_view {
	const struct question *question;
	struct cycle_starts starts;
	struct interrupt_log interrupts;
};

static void *cycles_begin(const struct question *question)
{
	struct cycles_view *view = xcalloc(1, sizeof(*view));

	view->question = question;
	interrupt_log_init(&view->interrupts);
	return view;
}

static void cycles_end(void *state)
{
	struct cycles_view *view = state;

	interrupt_log_release(&view->interrupts);
	cycle_starts_release(&view->starts);
	free(view);
}

static void cycles_on_interval(void *state, const struct interval *interval)
{
	struct cycles_view *view = state;

	if (interval->kind == INTERVAL_EXPIRY)
		cycle_starts_add(&view->starts, interval);
	else if (interval_is_interrupt(interval))
		interrupt_log_add(&view->interrupts, interval->cpu, interval_started(interval),
		                  interval->end);
}

static void cycles_resolve(void *state)
{
	cycle_starts_sort(&((struct cycles_view *)state)->starts);
}

/* The cycles of one task. */
struct cycle_row {
	uint32_t track;
	bool has_timers;
	uint64_t missed;
	nsec_t last; /* begin of the last cycle */
	struct distribution every, length; /* every: from begin to begin */
};

struct missed_cycle {
	uint32_t track;
	struct cycle cycle;
};

struct cycles_report {
	const struct cycles_view *view;
	const struct question *question;
	nsec_t period;
	struct cycle_row *row;
	size_t count, capacity;
	struct missed_cycle *missed;
	size_t missed_count, missed_capacity;
	uint64_t cycles, all_missed;
};

static nsec_t cycle_length(const struct cycle *cycle)
{
	return cycle->finish - cycle->begin;
}

static int missed_compare_length(const void *a, const void *b)
{
	const struct missed_cycle *x = a, *y = b;
	nsec_t length = cycle_length(&x->cycle), other = cycle_length(&y->cycle);

	if (length != other)
		return length > other ? -1 : 1;
	if (x->cycle.begin != y->cycle.begin)
		return x->cycle.begin < y->cycle.begin ? -1 : 1;
	return x->track < y->track ? -1 : x->track > y->track;
}

static int missed_compare_time(const void *a, const void *b)
{
	const struct missed_cycle *x = a, *y = b;

	if (x->cycle.begin != y->cycle.begin)
		return x->cycle.begin < y->cycle.begin ? -1 : 1;
	return x->track < y->track ? -1 : x->track > y->track;
}

static void report_keep_longest(struct cycles_report *report)
{
	array_sort(report->missed, report->missed_count, sizeof(*report->missed),
	           missed_compare_length);
	if (report->missed_count > MISSED_MAX)
		report->missed_count = MISSED_MAX;
}

static void report_add(void *state, uint32_t track, const struct cycle *cycle)
{
	struct cycles_report *report = state;
	struct cycle_row *row = &report->row[report->count - 1];
	nsec_t length = cycle_length(cycle);

	report->cycles++;
	if (row->length.count)
		distribution_add(&row->every, cycle->begin - row->last, row->last);
	row->last = cycle->begin;
	distribution_add(&row->length, length, cycle->begin);
	if (report->period == 0 || length <= report->period)
		return;
	row->missed++;
	report->all_missed++;
	if (report->missed_count == 2 * MISSED_MAX)
		report_keep_longest(report);
	ARRAY_GROW(report->missed, report->missed_count, report->missed_capacity);
	report->missed[report->missed_count++] = (struct missed_cycle){track, *cycle};
}

enum cycles_sort {
	SORT_MISSED,
	SORT_COUNT,
	SORT_MAX,
};

static const char *const sort_keys[] = {
	[SORT_MISSED] = "missed", [SORT_COUNT] = "count", [SORT_MAX] = "max", NULL,
};

static uint64_t row_key(const struct cycle_row *row, size_t key)
{
	return key == SORT_MISSED ? row->missed
	       : key == SORT_MAX  ? row->length.max
	                          : row->length.count;
}

static int row_compare(const void *a, const void *b, void *state)
{
	const struct cycle_row *x = a, *y = b;
	size_t key = *(const size_t *)state;

	if (row_key(x, key) != row_key(y, key))
		return row_key(x, key) > row_key(y, key) ? -1 : 1;
	if (x->length.count != y->length.count)
		return x->length.count > y->length.count ? -1 : 1;
	return x->track < y->track ? -1 : x->track > y->track;
}

static void report_init(struct cycles_report *report, const struct cycles_view *view)
{
	const struct question *question = view->question;
	size_t key = question_sort_key(question, sort_keys);

	*report = (struct cycles_report){
		.view = view,
		.question = question,
		.period = question->asked->cycles.period,
	};
	for (uint32_t track = 0; track < question->timeline->track_count; track++) {
		if (!question->resolved->is_asked[track])
			continue;
		ARRAY_GROW(report->row, report->count, report->capacity);
		report->row[report->count++] = (struct cycle_row){
			.track = track,
			.has_timers = cycle_starts_have(&view->starts, track),
		};
		cycles_visit(&view->starts, question, track, report->period, report_add, report);
		report->count -= report->row[report->count - 1].length.count == 0;
	}
	report_keep_longest(report);
	array_sort(report->missed, report->missed_count, sizeof(*report->missed),
	           missed_compare_time);
	if (report->count)
		qsort_r(report->row, report->count, sizeof(*report->row), row_compare, &key);
}

static void report_release(struct cycles_report *report)
{
	for (size_t i = 0; i < report->count; i++) {
		distribution_release(&report->row[i].every);
		distribution_release(&report->row[i].length);
	}
	free(report->row);
	free(report->missed);
}

enum task_column {
	TASK_TASK,
	TASK_BEGUN_BY,
	TASK_COUNT,
	TASK_MISSED,
	TASK_RATIO,
	TASK_EVERY,
	TASK_LENGTH,
	TASK_MAX_AT,
	TASK_COLUMNS,
};

static const struct column task_columns[TASK_COLUMNS] = {
	[TASK_TASK] = {"task", "TASK", CELL_TASK, 0},
	[TASK_BEGUN_BY] = {"begun_by", "BEGUN BY", CELL_TEXT, COLUMN_SPARE(2)},
	[TASK_COUNT] = {"count", "CYCLES", CELL_COUNT, 0},
	[TASK_MISSED] = {"missed", "MISSED", CELL_COUNT, 0},
	[TASK_RATIO] = {"missed_ratio", "MISSED", CELL_RATIO, COLUMN_SPARE(3)},
	[TASK_EVERY] = {"every", "EVERY P50 / P99 / MAX", CELL_DISTRIBUTION, COLUMN_USEFUL(1)},
	[TASK_LENGTH] = {"length", "TOOK P50 / P99 / MAX", CELL_DISTRIBUTION, COLUMN_USEFUL(2)},
	[TASK_MAX_AT] = {"max_at_ns", "MAX AT", CELL_INSTANT, COLUMN_TEXT_ONLY | COLUMN_SPARE(1)},
};

static void task_row(const struct cycles_report *report, const struct cycle_row *row,
                     const struct output *to)
{
	struct distribution_sum every, length;
	struct cell cell[TASK_COLUMNS];

	for (size_t i = 0; i < TASK_COLUMNS; i++)
		cell[i].type = task_columns[i].type;
	distribution_sum(&row->every, &every);
	distribution_sum(&row->length, &length);
	cell[TASK_TASK] = cell_of_task(report->question->timeline, row->track);
	cell[TASK_BEGUN_BY].text = row->has_timers ? "timer" : "wake-up";
	cell[TASK_COUNT].count = length.count;
	cell[TASK_MISSED].count = row->missed;
	cell[TASK_RATIO].ratio = nsec_ratio(row->missed, length.count);
	if (report->period == 0)
		cell[TASK_MISSED].type = cell[TASK_RATIO].type = CELL_EMPTY;
	cell[TASK_EVERY].distribution = &every;
	if (every.count == 0)
		cell[TASK_EVERY].type = CELL_EMPTY;
	cell[TASK_LENGTH].distribution = &length;
	cell[TASK_MAX_AT].time = length.max_at;
	output_row(to, cell);
}

static void tasks_show(const struct cycles_report *report, const struct output *to)
{
	size_t shown;
	struct column columns[TASK_COLUMNS];

	question_choose_columns(report->question, task_columns, TASK_COLUMNS, columns);
	if (report->period == 0) {
		columns[TASK_MISSED].flags |= COLUMN_DATA_ONLY;
		columns[TASK_RATIO].flags |= COLUMN_DATA_ONLY;
	}
	output_table_begin(to, "tasks", "Tasks, by their cycles", columns, TASK_COLUMNS,
	                   /* is_single= */ false);
	shown = output_row_count(to, report->count);
	for (size_t i = 0; i < shown; i++)
		task_row(report, &report->row[i], to);
	output_leave_rows(to, report->count - shown);
	output_table_end(to);
}

enum missed_column {
	MISSED_BEGIN,
	MISSED_END,
	MISSED_TASK,
	MISSED_LENGTH,
	MISSED_RUNNING,
	MISSED_LOST_TO,
	MISSED_LOST_TEXT,
	MISSED_COLUMNS,
};

static const struct column missed_columns[MISSED_COLUMNS] = {
	[MISSED_BEGIN] = {"begin_ns", "AT", CELL_INSTANT, 0},
	[MISSED_END] = {"end_ns", "END", CELL_INSTANT, COLUMN_DATA_ONLY},
	[MISSED_TASK] = {"task", "TASK", CELL_TASK, COLUMN_USEFUL(1)},
	[MISSED_LENGTH] = {"length_ns", "TOOK", CELL_DURATION, 0},
	[MISSED_RUNNING] = {"running_ns", "RAN", CELL_DURATION, COLUMN_USEFUL(2)},
	[MISSED_LOST_TO] = {"lost_to", "WENT TO", CELL_ROWS, COLUMN_DATA_ONLY},
	[MISSED_LOST_TEXT] = {NULL, "WENT TO", CELL_TEXT, COLUMN_TEXT_ONLY | COLUMN_POINT},
};

static void missed_row(const struct cycles_report *report, const struct missed_cycle *missed,
                       const struct cycle_losses *losses, const struct output *to)
{
	const struct timeline *timeline = report->question->timeline;
	_cleanup_(freep) struct cause *causes = NULL;
	struct cell_rows rows = cycle_losses_rows(losses, timeline, &causes);
	_cleanup_(buffer_release) struct buffer text = {0};
	struct cell cell[MISSED_COLUMNS];

	buffer_init(&text, BUFFER_LIMIT_DEFAULT);
	cycle_losses_append(&text, losses, timeline);
	for (size_t i = 0; i < MISSED_COLUMNS; i++)
		cell[i].type = missed_columns[i].type;
	cell[MISSED_BEGIN].time = missed->cycle.begin;
	cell[MISSED_END].time = missed->cycle.finish;
	if (missed->cycle.is_open)
		cell[MISSED_END].type = CELL_EMPTY;
	cell[MISSED_TASK] = cell_of_task_at(timeline, missed->track, missed->cycle.begin);
	cell[MISSED_LENGTH].time = cycle_length(&missed->cycle);
	cell[MISSED_RUNNING].time = losses->running;
	cell[MISSED_LOST_TO].rows = rows;
	cell[MISSED_LOST_TEXT].text = text.text;
	output_row(to, cell);
	free((void *)(uintptr_t)rows.cells);
}

static void missed_show(const struct cycles_report *report, const struct output *to)
{
	static const struct column empty_columns[] = {
		{"begin_ns", NULL, CELL_INSTANT, COLUMN_DATA_ONLY},
	};
	bool is_any = report->missed_count > 0;
	size_t shown;

	/* a screen shows the table only if cycles were missed */
	output_table_begin(to, "missed", is_any ? "Missed cycles" : NULL,
	                   is_any ? missed_columns : empty_columns,
	                   is_any ? MISSED_COLUMNS : ARRAY_SIZE(empty_columns),
	                   /* is_single= */ false);
	shown = output_row_count(to, report->missed_count);
	for (size_t i = 0; i < shown; i++) {
		const struct missed_cycle *missed = &report->missed[i];
		struct cycle_losses losses;

		cycle_losses_find(&losses, report->question->timeline, &report->view->interrupts,
		                  missed->track, &missed->cycle);
		missed_row(report, missed, &losses, to);
		cycle_losses_release(&losses);
	}
	output_leave_rows(to, report->missed_count - shown);
	output_table_end(to);
}

static void longest_append(struct buffer *to, const struct cycles_report *report)
{
	const struct missed_cycle *longest = report->missed;
	struct cycle_losses losses;

	for (size_t i = 1; i < report->missed_count; i++)
		if (missed_compare_length(&report->missed[i], longest) < 0)
			longest = &report->missed[i];
	cycle_losses_find(&losses, report->question->timeline, &report->view->interrupts,
	                  longest->track, &longest->cycle);
	buffer_printf(to, "; the longest took %s (at %s), and the task ran for %s of it",
	              DURATION_TEXT(cycle_length(&longest->cycle)),
	              INSTANT_TEXT(longest->cycle.begin - report->question->timeline->begin),
	              DURATION_TEXT(losses.running));
	if (losses.running > report->period) {
		buffer_puts(to, ", more than the period");
	} else if (losses.count) {
		losses.count = 1;
		buffer_puts(to, "; most of the rest went to ");
		cycle_losses_append(to, &losses, report->question->timeline);
	}
	cycle_losses_release(&losses);
}

static void cycles_print(const struct cycles_report *report, const struct output *to)
{
	_cleanup_(buffer_release) struct buffer line = {0};

	buffer_init(&line, BUFFER_LIMIT_DEFAULT);
	if (report->count == 0) {
		prose_put(to, "No task that sleeps on its own timers has a complete cycle.");
		return;
	}
	if (report->count == 1)
		prose_task_append(&line, report->question->timeline, report->row[0].track);
	else
		buffer_printf(&line, "%zu tasks", report->count);
	if (report->period == 0) {
		buffer_printf(&line, " had %s cycle%s; --period TIME shows those that take longer "
		                     "than their period.",
		              COUNT_TEXT(report->cycles), format_plural(report->cycles));
		prose_put(to, line.text);
		return;
	}
	buffer_printf(&line, " missed %s of %s cycle%s of %s (%s)",
	              COUNT_TEXT(report->all_missed), COUNT_TEXT(report->cycles),
	              format_plural(report->cycles), DURATION_TEXT(report->period),
	              RATIO_TEXT(nsec_ratio(report->all_missed, report->cycles)));
	if (report->missed_count)
		longest_append(&line, report);
	buffer_putc(&line, '.');
	prose_put(to, line.text);
}

static void first_show(const struct cycles_report *report, const struct output *to)
{
	_cleanup_(buffer_release) struct buffer title;

	buffer_init(&title, BUFFER_LIMIT_DEFAULT);
	buffer_puts(&title, "How long cycles of ");
	prose_task_append(&title, report->question->timeline, report->row[0].track);
	buffer_puts(&title, " took");
	histogram_show_of(&report->row[0].length, title.text, to);
}

extern const struct analysis cycles_analysis;

static void cycles_report(const void *state, const struct output *to)
{
	const struct cycles_view *view = state;
	struct cycles_report report;

	report_init(&report, view);
	if (report.all_missed > report.missed_count)
		health_doubt(view->question->health,
		             "too many cycles were missed: the %" PRIu64 " shortest are not listed",
		             report.all_missed - report.missed_count);
	output_section_begin(to, "cycles", "Cycles", /* is_list= */ false);
	if (report.count || !analysis_print_lack(&cycles_analysis, view->question, to))
		cycles_print(&report, to);
	output_field(to, "period_ns", NULL,
	             &(struct cell){.type = report.period ? CELL_DURATION : CELL_EMPTY,
	                            .time = report.period});
	tasks_show(&report, to);
	missed_show(&report, to);
	if (report.count)
		first_show(&report, to);
	output_section_end(to);
	report_release(&report);
}

const struct analysis cycles_analysis = {
	.name = "cycles",
	.about = "cycles of periodic tasks; those that take longer than --period",
	.sort_keys = sort_keys,
	.heeds = HEEDS_TASKS | HEEDS_PERIOD,
	.needs = EVENT_LIST(EVENT_HRTIMER_ENTRY),
	.groups = "timer",
	.needs_history = true,
	.begin = cycles_begin,
	.on_interval = cycles_on_interval,
	.interval_kinds = INTERRUPT_INTERVALS | INTERVAL_MASK(INTERVAL_EXPIRY),
	.resolve = cycles_resolve,
	.report = cycles_report,
	.end = cycles_end,
};
