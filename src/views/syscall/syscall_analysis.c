/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * System calls: how often a task made each, how long they took, their errors, and what their time
 * was spent on. Calls that had not returned at the end of the trace are listed apart. A window has
 * the calls that began in it, as a whole.
 */
#include <fnmatch.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/analysis.h"
#include "analysis/histogram.h"
#include "analysis/interval_gate.h"
#include "analysis/prose.h"
#include "base/array.h"
#include "base/buffer.h"
#include "base/cleanup.h"
#include "base/format.h"
#include "syscall_calls.h"

#define KINDS_TOLD 3 /* kinds of waiting that a sentence names */
#define KEPT_CHUNK 256

/* The waiting time, by kind, of the calls that the gate keeps. */
struct kept_waiting {
	struct kept_waiting *next;
	size_t count;
	nsec_t by_kind[KEPT_CHUNK][CAUSE_KIND_COUNT];
};

struct syscall_view {
	const struct question *question;
	struct call_sums sums;
	struct interval_gate gate;
	struct kept_waiting *kept;
};

enum sort_key {
	SORT_TOTAL,
	SORT_COUNT,
	SORT_MAX,
	SORT_ERRORS,
};

static const char *const sort_keys[] = {
	[SORT_TOTAL] = "total", [SORT_COUNT] = "count", [SORT_MAX] = "max",
	[SORT_ERRORS] = "errors", NULL,
};

/* Whether it waited for one of the kinds that are asked for. */
static bool call_has_kinds(const struct question *question, const struct interval *interval)
{
	if (question->kinds == KIND_MASK_ALL)
		return true;
	for (unsigned kind = 0; kind < CAUSE_KIND_COUNT; kind++)
		if (question->kinds & 1u << kind && interval->syscall.waiting[kind])
			return true;
	return false;
}

static void view_add(void *state, const struct interval *interval)
{
	struct syscall_view *view = state;
	const struct question *question = view->question;
	bool is_asked = interval->end - interval->begin >= question->min &&
	                question_asks_cpu(question, interval->cpu) &&
	                call_has_kinds(question, interval);

	call_sums_add(&view->sums, interval, is_asked);
}

static void *view_begin(const struct question *question)
{
	struct syscall_view *view = xcalloc(1, sizeof(*view));

	view->question = question;
	interval_gate_init(&view->gate, question, view_add);
	call_sums_init(&view->sums, question->arch);
	return view;
}

static void view_drop_kept(struct syscall_view *view)
{
	while (view->kept) {
		struct kept_waiting *kept = view->kept;

		view->kept = kept->next;
		free(kept);
	}
}

static void view_end(void *state)
{
	struct syscall_view *view = state;

	interval_gate_release(&view->gate);
	view_drop_kept(view);
	call_sums_release(&view->sums);
	free(view);
}

/* The borrowed part of an interval that may be kept; most calls do not wait. */
static const nsec_t *view_keep(struct syscall_view *view, const nsec_t *waiting)
{
	static const nsec_t none[CAUSE_KIND_COUNT];
	struct kept_waiting *kept = view->kept;

	if (memcmp(waiting, none, sizeof(none)) == 0)
		return none;
	if (!kept || kept->count == KEPT_CHUNK) {
		kept = xmalloc(sizeof(*kept));
		kept->next = view->kept;
		kept->count = 0;
		view->kept = kept;
	}
	memcpy(kept->by_kind[kept->count], waiting, sizeof(none));
	return kept->by_kind[kept->count++];
}

/* If another CPU lost events, a task that left its own CPU may have returned there, and made
   another call. */
static bool call_is_certain(const struct interval *interval)
{
	return !interval->is_doubtful ||
	       interval->syscall.running == interval->end - interval->begin;
}

static void view_on_interval(void *state, const struct interval *interval)
{
	struct syscall_view *view = state;
	struct interval kept = *interval;

	if (!call_is_certain(interval))
		return;
	if (question_may_be_windowed(view->question)) {
		if (!question_may_contain(view->question, interval->begin))
			return;
		kept.syscall.waiting = view_keep(view, interval->syscall.waiting);
	}
	interval_gate_pass(&view->gate, view, &kept);
}

static void view_resolve(void *state)
{
	struct syscall_view *view = state;

	interval_gate_resolve(&view->gate, view);
	view_drop_kept(view);
	call_sums_resolve(&view->sums, view->question->timeline);
}

static void take_argument(struct question *question, const char *text)
{
	question->syscalls = text;
}

/* Whether the call is one of --syscall=NAME,...; all are if none is given. */
static bool question_asks_call(const struct question *question, uint32_t name)
{
	const char *text = intern_text(&question->timeline->names, name);
	_cleanup_(freep) char *list = NULL;
	char *rest, *glob;

	if (!question->syscalls)
		return true;
	list = xstrdup(question->syscalls);
	for (rest = list; (glob = strsep(&rest, ","));)
		if (fnmatch(glob, text, 0) == 0)
			return true;
	return false;
}

static bool question_asks_of(const struct question *question, uint32_t line, uint32_t name)
{
	return question->is_asked[line] && question_asks_call(question, name);
}

static uint64_t row_key(const struct call_row *row, size_t key)
{
	if (key == SORT_COUNT)
		return row->latency.count;
	if (key == SORT_MAX)
		return row->latency.max;
	return key == SORT_ERRORS ? row->errors : row->latency.total;
}

static int row_compare(const void *a, const void *b, void *key)
{
	const struct call_row *x = *(const struct call_row *const *)a;
	const struct call_row *y = *(const struct call_row *const *)b;
	uint64_t left = row_key(x, *(size_t *)key), right = row_key(y, *(size_t *)key);

	if (left != right)
		return left > right ? -1 : 1;
	if (x->latency.total != y->latency.total)
		return x->latency.total > y->latency.total ? -1 : 1;
	/* in the order in which they were seen */
	return x < y ? -1 : x > y;
}

static int open_compare(const void *a, const void *b)
{
	const struct open_call *x = *(const struct open_call *const *)a;
	const struct open_call *y = *(const struct open_call *const *)b;

	if (x->begin != y->begin)
		return x->begin < y->begin ? -1 : 1;
	return x->line < y->line ? -1 : x->line > y->line;
}

enum call_column {
	COLUMN_NAME,
	COLUMN_OF_TASK,
	COLUMN_COUNT,
	COLUMN_TOTAL,
	COLUMN_LATENCY,
	COLUMN_ERRORS,
	COLUMN_RUNNING,
	COLUMN_RUNNABLE,
	COLUMN_WAITING,
	COLUMN_MAX_AT,
	COLUMNS,
};

static const struct column columns[COLUMNS] = {
	[COLUMN_NAME] = {"name", "CALL", CELL_TEXT, 0},
	[COLUMN_OF_TASK] = {"task", "TASK", CELL_TASK, 0},
	[COLUMN_COUNT] = {"count", "COUNT", CELL_COUNT, COLUMN_TEXT_ONLY | COLUMN_SPARE(3)},
	[COLUMN_TOTAL] = {"total_ns", "TOTAL", CELL_DURATION, COLUMN_TEXT_ONLY},
	[COLUMN_LATENCY] = {"latency", "P50 / P99 / MAX", CELL_DISTRIBUTION, COLUMN_USEFUL(3)},
	[COLUMN_ERRORS] = {"errors", "ERRORS", CELL_TALLIES, COLUMN_USEFUL(1)},
	[COLUMN_RUNNING] = {"running_ns", "RUNNING", CELL_DURATION, COLUMN_SPARE(4)},
	[COLUMN_RUNNABLE] = {"runnable_ns", "RUNNABLE", CELL_DURATION, COLUMN_SPARE(6)},
	[COLUMN_WAITING] = {"waiting_ns", "WAITING", CELL_BY_KIND, 0},
	[COLUMN_MAX_AT] = {"max_at_ns", "MAX AT", CELL_INSTANT, COLUMN_TEXT_ONLY | COLUMN_SPARE(1)},
};

static void call_show(const struct syscall_view *view, const struct call_row *row,
                      const struct presenter *presenter, void *to)
{
	struct timeline *timeline = view->question->timeline;
	struct distribution_sum latency;
	struct cell cell[COLUMNS];

	distribution_sum(&row->latency, &latency);
	for (size_t i = 0; i < COLUMNS; i++)
		cell[i].type = columns[i].type;
	cell[COLUMN_NAME].text = intern_text(&timeline->names, row->name);
	cell[COLUMN_OF_TASK].task = timeline_task(timeline, row->line, NSEC_NEVER);
	cell[COLUMN_COUNT].count = latency.count;
	cell[COLUMN_TOTAL].time = latency.total;
	cell[COLUMN_LATENCY].distribution = &latency;
	cell[COLUMN_ERRORS].tallies = (struct tallies){row->error, row->error_count};
	cell[COLUMN_RUNNING].time = row->running;
	cell[COLUMN_RUNNABLE].time = row->runnable;
	cell[COLUMN_WAITING].by_kind = row->by_kind;
	cell[COLUMN_MAX_AT].time = latency.max_at;
	presenter->row(to, cell);
}

/* Shows calls that had not returned: their time reaches to the end of the trace. */
static void view_show_open(const struct syscall_view *view, const struct presenter *presenter,
                           void *to)
{
	static const struct column shown[] = {
		{"name", "CALL", CELL_TEXT, 0},
		{"task", "TASK", CELL_TASK, 0},
		{"begin_ns", "SINCE", CELL_INSTANT, COLUMN_USEFUL(1)},
		{"time_ns", "FOR", CELL_DURATION, 0},
		{"running_ns", "RUNNING", CELL_DURATION, COLUMN_SPARE(4)},
		{"runnable_ns", "RUNNABLE", CELL_DURATION, COLUMN_SPARE(6)},
		{"waiting_ns", "WAITING", CELL_BY_KIND, 0},
	};
	const struct question *question = view->question;
	/* NOLINTNEXTLINE: pointers are meant */
	const struct open_call **sorted = xcalloc(view->sums.open_count + 1, sizeof(*sorted));
	size_t count = 0;

	for (size_t i = 0; i < view->sums.open_count; i++)
		if (question_asks_of(question, view->sums.open[i].line, view->sums.open[i].name))
			sorted[count++] = &view->sums.open[i];
	array_sort(sorted, count, sizeof(struct open_call *), open_compare);
	presenter->table_begin(to, "open", "Not returned yet, longest first", shown,
	                       ARRAY_SIZE(shown), /* is_single= */ false);
	for (size_t i = 0; i < count; i++)
		presenter->row(to, (struct cell[ARRAY_SIZE(shown)]){
			{.type = CELL_TEXT,
			 .text = intern_text(&question->timeline->names, sorted[i]->name)},
			{.type = CELL_TASK,
			 .task = timeline_task(question->timeline, sorted[i]->line, NSEC_NEVER)},
			{.type = CELL_INSTANT, .time = sorted[i]->begin},
			{.type = CELL_DURATION, .time = sorted[i]->time},
			{.type = CELL_DURATION, .time = sorted[i]->running},
			{.type = CELL_DURATION, .time = sorted[i]->runnable},
			{.type = CELL_BY_KIND, .by_kind = sorted[i]->by_kind},
		});
	presenter->table_end(to);
	free(sorted);
}

/* "running 12 %, disk 63 %, task 25 %": the largest first. */
static void shares_append(struct buffer *to, const struct call_row *row)
{
	nsec_t left[CAUSE_KIND_COUNT + 2];
	nsec_t all = row->running + row->runnable + row->waiting;
	const char *between = "";

	memcpy(left, row->by_kind, sizeof(row->by_kind));
	left[CAUSE_KIND_COUNT] = row->running;
	left[CAUSE_KIND_COUNT + 1] = row->runnable;
	for (size_t n = 0; n < KINDS_TOLD; n++, between = ", ") {
		char share[FORMAT_BYTES];
		size_t best = 0;

		for (size_t i = 1; i < ARRAY_SIZE(left); i++)
			if (left[i] > left[best])
				best = i;
		if (left[best] == 0)
			break;
		buffer_printf(to, "%s%s %s", between,
		              best == CAUSE_KIND_COUNT      ? "running"
		              : best == CAUSE_KIND_COUNT + 1 ? "runnable"
		              : best == CAUSE_UNKNOWN        ? "waiting for what is not known"
		                       : cause_kind_name((enum cause_kind)best),
		              format_ratio(nsec_ratio(left[best], all), share));
		left[best] = 0;
	}
}

/* "9,001 calls took 12.3 s: disk 63.0 %, running 30.0 %; most in fsync of db[7] (...)." */
static void view_tell(const struct syscall_view *view, const struct call_row *const *sorted,
                      size_t count, const struct presenter *presenter, void *to)
{
	const struct question *question = view->question;
	_cleanup_(buffer_release) struct buffer line;
	char calls[FORMAT_BYTES], total[FORMAT_BYTES];
	const struct call_row *most = NULL;
	struct call_row sum = {0};

	for (size_t i = 0; i < count; i++) {
		sum.latency.count += sorted[i]->latency.count;
		sum.running += sorted[i]->running;
		sum.runnable += sorted[i]->runnable;
		sum.waiting += sorted[i]->waiting;
		for (size_t kind = 0; kind < CAUSE_KIND_COUNT; kind++)
			sum.by_kind[kind] += sorted[i]->by_kind[kind];
		if (!most || sorted[i]->latency.total > most->latency.total)
			most = sorted[i];
	}
	buffer_init(&line, BUFFER_LIMIT_DEFAULT);
	if (most) {
		buffer_printf(&line, "%s call%s%s took %s (",
		              format_count(sum.latency.count, calls),
		              sum.latency.count == 1 ? "" : "s", question_scope(question),
		              format_duration(sum.running + sum.runnable + sum.waiting, total));
		shares_append(&line, &sum);
		buffer_printf(&line, "); most in %s of ",
		              intern_text(&question->timeline->names, most->name));
		prose_task_append(&line, question->timeline, most->line);
		buffer_printf(&line, ": %s call%s, %s (", format_count(most->latency.count, calls),
		              most->latency.count == 1 ? "" : "s",
		              format_duration(most->latency.total, total));
		shares_append(&line, most);
		buffer_puts(&line, ").");
	} else {
		buffer_printf(&line, "No system call%s has returned%s.",
		              question->syscalls ? " of that name" : "",
		              question_scope(question));
	}
	prose_put(presenter, to, line.text);
}

static void view_show_histogram(const struct syscall_view *view, const struct call_row *row,
                                const struct presenter *presenter, void *to)
{
	struct timeline *timeline = view->question->timeline;
	_cleanup_(buffer_release) struct buffer title;

	buffer_init(&title, BUFFER_LIMIT_DEFAULT);
	buffer_printf(&title, "Latency of %s, by ", intern_text(&timeline->names, row->name));
	prose_task_append(&title, timeline, row->line);
	histogram_show_of(&row->latency, title.text, presenter, to);
}

extern const struct analysis syscall_analysis;

static void view_report(const void *state, const struct presenter *presenter, void *to)
{
	const struct syscall_view *view = state;
	const struct question *question = view->question;
	/* NOLINTNEXTLINE: pointers are meant */
	const struct call_row **sorted = xcalloc(view->sums.row_count + 1, sizeof(*sorted));
	size_t count = 0, key = question_sort_key(question, sort_keys);
	struct column shown[COLUMNS];

	for (size_t i = 0; i < view->sums.row_count; i++) {
		const struct call_row *row = &view->sums.row[i];

		if (row->latency.count && question_asks_of(question, row->line, row->name))
			sorted[count++] = row;
	}
	/* NOLINTNEXTLINE: pointers are meant */
	qsort_r(sorted, count, sizeof(*sorted), row_compare, &key);
	if (view->sums.left_out)
		health_note(question->health,
		            "more than %u calls of tasks: %" PRIu64 " of others are left out",
		            CALL_ROWS_MAX, view->sums.left_out);
	question_choose_columns(question, columns, COLUMNS, shown);
	presenter->section_begin(to, "syscall", "System calls", /* is_list= */ false);
	if (!analysis_tell_lack(&syscall_analysis, question, presenter, to))
		view_tell(view, sorted, count, presenter, to);
	presenter->table_begin(to, "calls", "Calls, by their time", shown, COLUMNS,
	                       /* is_single= */ false);
	for (size_t i = 0; i < count; i++)
		call_show(view, sorted[i], presenter, to);
	presenter->table_end(to);
	view_show_open(view, presenter, to);
	if (count)
		view_show_histogram(view, sorted[0], presenter, to);
	presenter->section_end(to);
	free(sorted);
}

const struct analysis syscall_analysis = {
	.name = "syscall",
	.about = "system calls: latency, errors, and what their time went to",
	.argument = "NAME,...",
	.take_argument = take_argument,
	.sort_keys = sort_keys,
	.heeds = HEEDS_TASKS | HEEDS_KINDS | HEEDS_CPUS | HEEDS_MIN,
	.needs = EVENT_LIST(EVENT_SYSCALL_ENTER, EVENT_SYSCALL_EXIT),
	.groups = "syscalls",
	.begin = view_begin,
	.on_interval = view_on_interval,
	.interval_kinds = INTERVAL_MASK(INTERVAL_SYSCALL),
	.resolve = view_resolve,
	.report = view_report,
	.end = view_end,
};
