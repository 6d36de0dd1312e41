/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What tasks paid for memory: reclaims and compactions, asleep or not, by the kernel's own events;
 * sleeps of the other kinds - penalties, faults and swap that read, pages that are being written -
 * each as one. Where reclaims were not recorded, sleeps in them count instead. What the trace's end
 * cuts is counted as far as it goes; in a window are those that began in it, as a whole.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/analysis.h"
#include "analysis/distribution.h"
#include "analysis/histogram.h"
#include "analysis/interval_gate.h"
#include "analysis/prose.h"
#include "analysis/recorded.h"
#include "base/array.h"
#include "base/buffer.h"
#include "base/cleanup.h"
#include "base/format.h"
#include "base/map.h"
#include "words/cause_words.h"

/* More tasks than this are left out: with them the view takes some hundred MB. */
#define ROWS_MAX (1u << 18)

/* Kinds that the kernel tells the begin and the end of. */
#define STRETCHES (1u << MEMORY_RECLAIM | 1u << MEMORY_MEMCG_RECLAIM | 1u << MEMORY_COMPACTION)

/* Those of them that end with a number of pages. */
#define GAINING (1u << MEMORY_RECLAIM | 1u << MEMORY_MEMCG_RECLAIM)

/* What one task paid for one kind. */
struct memory_row {
	uint32_t line;
	uint8_t what;  /* enum memory_what */
	bool is_slept; /* one of STRETCHES, but sleeps are all that is known */
	struct distribution length;
	nsec_t waiting;
	uint64_t pages;
};

struct memory_view {
	const struct question *question;
	struct memory_row *row;
	size_t count, capacity;
	struct map by_hash;
	uint64_t left_out;
	struct interval_gate gate;
};

/* NULL beyond the limit. */
static struct memory_row *view_row_of(struct memory_view *view, uint32_t line, uint8_t what,
                                      bool is_slept)
{
	uint64_t key = (uint64_t)line << 8 | (uint64_t)what << 1 | is_slept;
	uint32_t index = map_get(&view->by_hash, key);

	if (index != MAP_NONE)
		return &view->row[index];
	if (view->count == ROWS_MAX)
		return NULL;
	ARRAY_GROW(view->row, view->count, view->capacity);
	view->row[view->count] =
		(struct memory_row){.line = line, .what = what, .is_slept = is_slept};
	map_put(&view->by_hash, key, (uint32_t)view->count);
	return &view->row[view->count++];
}

static void view_add(void *state, const struct interval *interval)
{
	struct memory_view *view = state;
	const struct memory_interval *memory = &interval->memory;
	/* as view_on_span() has it */
	bool is_sleep = interval->other == interval->task;
	struct memory_row *row =
		view_row_of(view, interval->task, memory->what,
	                    is_sleep && STRETCHES & 1u << memory->what);

	if (!row) {
		view->left_out++;
		return;
	}
	distribution_add(&row->length, interval->end - interval->begin, interval->begin);
	row->waiting += memory->waiting;
	row->pages += memory->pages;
}

static void view_pass(struct memory_view *view, const struct interval *interval)
{
	const struct question *question = view->question;

	if (interval->end - interval->begin >= question->min &&
	    question_asks_cpu(question, interval->cpu) &&
	    question->kinds & 1u << CAUSE_MEMORY)
		interval_gate_pass(&view->gate, view, interval);
}

static void view_on_interval(void *state, const struct interval *interval)
{
	view_pass(state, interval);
}

/* A sleep for memory, whatever ended it. `other`, which stretches have none of, marks it. */
static void view_on_span(void *state, const struct span *span)
{
	struct interval interval;

	if (span->kind != SEGMENT_WAIT || !span->cause || span->cause->memory == MEMORY_NONE)
		return;
	interval = interval_of_span(INTERVAL_MEMORY, span);
	interval.other = span->line;
	interval.memory.what = span->cause->memory;
	interval.memory.waiting = span->end - span->begin;
	view_pass(state, &interval);
}

static void *view_begin(const struct question *question)
{
	struct memory_view *view = xcalloc(1, sizeof(*view));

	view->question = question;
	map_init(&view->by_hash);
	interval_gate_init(&view->gate, question, view_add);
	return view;
}

static void view_end(void *state)
{
	struct memory_view *view = state;

	for (size_t i = 0; i < view->count; i++)
		distribution_release(&view->row[i].length);
	free(view->row);
	map_release(&view->by_hash);
	interval_gate_release(&view->gate);
	free(view);
}

static void view_resolve(void *state)
{
	struct memory_view *view = state;

	interval_gate_resolve(&view->gate, view);
}

static const char *const sort_keys[] = {"total", "waiting", "count", "max", NULL};

static uint64_t row_key(const struct memory_row *row, size_t key)
{
	const uint64_t by_key[] = {row->length.total, row->waiting, row->length.count,
	                           row->length.max};

	_Static_assert(ARRAY_SIZE(by_key) + 1 == ARRAY_SIZE(sort_keys), "a figure for each key");
	return by_key[key];
}

static int row_compare(const void *a, const void *b, void *key)
{
	const struct memory_row *x = *(const struct memory_row *const *)a;
	const struct memory_row *y = *(const struct memory_row *const *)b;
	uint64_t left = row_key(x, *(const size_t *)key), right = row_key(y, *(const size_t *)key);

	if (left != right)
		return left > right ? -1 : 1;
	/* in the order in which they were seen */
	return x < y ? -1 : x > y;
}

enum memory_column {
	COLUMN_TASK,
	COLUMN_WHAT,
	COLUMN_COUNT,
	COLUMN_TOTAL,
	COLUMN_WAITING,
	COLUMN_MAX,
	COLUMN_MAX_AT,
	COLUMN_PAGES,
	COLUMNS,
};

static const struct column columns[COLUMNS] = {
	[COLUMN_TASK] = {"task", "TASK", CELL_TASK, 0},
	[COLUMN_WHAT] = {"what", "WHAT", CELL_TEXT, 0},
	[COLUMN_COUNT] = {"count", "COUNT", CELL_COUNT, COLUMN_SPARE(3)},
	[COLUMN_TOTAL] = {"total_ns", "TOTAL", CELL_DURATION, 0},
	[COLUMN_WAITING] = {"waiting_ns", "ASLEEP", CELL_DURATION, COLUMN_USEFUL(1)},
	[COLUMN_MAX] = {"max_ns", "LONGEST", CELL_DURATION, COLUMN_USEFUL(2)},
	[COLUMN_MAX_AT] = {"max_at_ns", "AT", CELL_INSTANT, COLUMN_SPARE(2)},
	[COLUMN_PAGES] = {"pages", "PAGES", CELL_COUNT, COLUMN_SPARE(1)},
};

static void view_row(const struct memory_view *view, const struct memory_row *row,
                     const struct presenter *presenter, void *to)
{
	struct cell cell[COLUMNS];

	for (size_t i = 0; i < COLUMNS; i++)
		cell[i].type = columns[i].type;
	cell[COLUMN_TASK].task = timeline_task(view->question->timeline, row->line, NSEC_NEVER);
	cell[COLUMN_WHAT].text = memory_what_name(row->what);
	cell[COLUMN_COUNT].count = row->length.count;
	cell[COLUMN_TOTAL].time = row->length.total;
	cell[COLUMN_WAITING].time = row->waiting;
	cell[COLUMN_MAX].time = row->length.max;
	cell[COLUMN_MAX_AT].time = row->length.max_at;
	cell[COLUMN_PAGES].count = row->pages;
	if (row->is_slept || !(1u << row->what & GAINING))
		cell[COLUMN_PAGES].type = CELL_EMPTY;
	presenter->row(to, cell);
}

/* Figures of sleeps inside one another, and inside reclaims, are not to be added up. */
static void view_tell(const struct memory_view *view, const struct memory_row *const *sorted,
                      size_t count, const struct presenter *presenter, void *to)
{
	_cleanup_(buffer_release) struct buffer line;
	char total[FORMAT_BYTES], waiting[FORMAT_BYTES], number[FORMAT_BYTES];
	const struct memory_row *most = count ? sorted[0] : NULL;

	if (!most) {
		prose_put(presenter, to, "No task had to wait or work for memory.");
		return;
	}
	for (size_t i = 1; i < count; i++)
		if (sorted[i]->length.total > most->length.total)
			most = sorted[i];
	buffer_init(&line, BUFFER_LIMIT_DEFAULT);
	buffer_puts(&line, "Most was paid for memory by ");
	prose_task_append(&line, view->question->timeline, most->line);
	buffer_printf(&line, ": %s, %s time%s, %s, of it asleep %s.", memory_what_name(most->what),
	              format_count(most->length.count, number), format_plural(most->length.count),
	              format_duration(most->length.total, total),
	              format_duration(most->waiting, waiting));
	prose_put(presenter, to, line.text);
}

static void view_show_histogram(const struct memory_view *view, const struct memory_row *row,
                                const struct presenter *presenter, void *to)
{
	_cleanup_(buffer_release) struct buffer title;

	buffer_init(&title, BUFFER_LIMIT_DEFAULT);
	buffer_printf(&title, "How long each %s of ", memory_what_name(row->what));
	prose_task_append(&title, view->question->timeline, row->line);
	buffer_puts(&title, " took");
	histogram_show_of(&row->length, title.text, presenter, to);
}

/* Asked for, and not told better by another row. */
static bool row_is_shown(const struct memory_view *view, const struct memory_row *row)
{
	bool has_stretches = view->question->seen.has[EVENT_MEMORY_BEGIN];

	return view->question->is_asked[row->line] && !(row->is_slept && has_stretches);
}

extern const struct analysis memory_analysis;

/* Faults and swap are known by the place of the sleep. */
static void view_tell_places(const struct memory_view *view, const struct presenter *presenter,
                             void *to)
{
	_cleanup_(buffer_release) struct buffer line = {0};

	if (view->question->seen.has[EVENT_STACK])
		return;
	buffer_init(&line, BUFFER_LIMIT_DEFAULT);
	buffer_puts(&line, "Faults, swap and pages being written are seen with stacks (");
	record_line_append(&line, &view->question->recorded, "", /* stacks= */ true);
	buffer_puts(&line, ").");
	prose_put(presenter, to, line.text);
}

static void view_report(const void *state, const struct presenter *presenter, void *to)
{
	const struct memory_view *view = state;
	size_t count = 0, key = question_sort_key(view->question, sort_keys);
	/* NOLINTNEXTLINE: pointers are meant */
	const struct memory_row **sorted = xcalloc(view->count, sizeof(*sorted));
	struct column shown[COLUMNS];

	for (size_t i = 0; i < view->count; i++)
		if (row_is_shown(view, &view->row[i]))
			sorted[count++] = &view->row[i];
	qsort_r(sorted, count, sizeof(struct memory_row *), row_compare, &key);
	if (view->left_out)
		health_note(view->question->health,
		            "more than %u tasks in want of memory: %" PRIu64
		            " times of others are left out",
		            ROWS_MAX, view->left_out);
	question_choose_columns(view->question, columns, COLUMNS, shown);
	presenter->section_begin(to, "memory", "Memory", /* is_list= */ false);
	if (count || !analysis_tell_lack(&memory_analysis, view->question, presenter, to)) {
		view_tell(view, sorted, count, presenter, to);
		view_tell_places(view, presenter, to);
	}
	presenter->table_begin(to, "tasks", "What tasks paid for memory", shown, COLUMNS,
	                       /* is_single= */ false);
	for (size_t i = 0; i < count; i++)
		view_row(view, sorted[i], presenter, to);
	presenter->table_end(to);
	if (count)
		view_show_histogram(view, sorted[0], presenter, to);
	presenter->section_end(to);
	free(sorted);
}

const struct analysis memory_analysis = {
	.name = "memory",
	.about = "reclaim, compaction, throttling, faults, swap: asleep or not",
	.sort_keys = sort_keys,
	.heeds = HEEDS_TASKS | HEEDS_KINDS | HEEDS_CPUS | HEEDS_MIN,
	.needs = EVENT_LIST(EVENT_MEMORY_BEGIN, EVENT_MEMORY_THROTTLE, EVENT_MEMORY_THROTTLED),
	.groups = "mm",
	.begin = view_begin,
	.on_span = view_on_span,
	.on_interval = view_on_interval,
	.interval_kinds = INTERVAL_MASK(INTERVAL_MEMORY),
	.resolve = view_resolve,
	.report = view_report,
	.end = view_end,
};
