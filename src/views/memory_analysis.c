/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The time that memory management cost tasks. Reclaims and compactions come from the kernel's own
 * events, asleep or not. The other kinds are known by their sleeps: throttling, faults and swap-ins
 * that read, pages under writeback. If reclaims were not recorded, the sleeps in them count
 * instead. A stretch that the end of the trace cuts counts up to the end; a window contains the
 * stretches that began in it, as a whole.
 */

#include "analysis/analysis.h"
#include "analysis/recorded.h"
#include "analysis/tables/distribution.h"
#include "analysis/tables/interval_gate.h"
#include "analysis/tables/relation.h"
#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/text/buffer.h"
#include "sentences/say.h"

/* Further tasks are left out: with this many the view takes some hundred MB. */
#define ROWS_MAX (1u << 18)

/* Kinds for which the kernel has events at begin and end. */
#define STRETCHES (1u << MEMORY_RECLAIM | 1u << MEMORY_MEMCG_RECLAIM | 1u << MEMORY_COMPACTION)

/* The kinds among STRETCHES whose end event reports a number of pages. */
#define GAINING (1u << MEMORY_RECLAIM | 1u << MEMORY_MEMCG_RECLAIM)

/* The cost of one kind for one task. */
struct memory_row {
	struct memory_key {
		uint32_t track;
		uint16_t what;     /* enum memory_what */
		uint16_t is_slept; /* the kind is one of STRETCHES, but the row has only sleeps */
	} key;
	struct distribution length;
	nsec_t waiting;
	uint64_t pages;
};

struct memory_view {
	GATED_VIEW;
	struct tally rows;
};

static void memory_add(void *state, const struct interval *interval)
{
	struct memory_view *view = state;
	const struct memory_interval *memory = &interval->memory;
	/* memory_on_span() marks sleeps like that */
	bool is_sleep = interval->other == interval->task;
	struct memory_key key = {
		.track = interval->task,
		.what = memory->what,
		.is_slept = is_sleep && STRETCHES & 1u << memory->what,
	};
	struct memory_row *row = tally_row(&view->rows, &key);

	if (!row)
		return;
	distribution_add(&row->length, interval->end - interval->begin, interval->begin);
	row->waiting += memory->waiting;
	row->pages += memory->pages;
}

static void memory_pass(struct memory_view *view, const struct interval *interval)
{
	const struct question *question = view->question;

	if (interval->end - interval->begin >= question->asked->min &&
	    question_asks_cpu(question, interval->cpu) &&
	    question->asked->kinds & 1u << CAUSE_MEMORY)
		interval_gate_pass(view, interval);
}

static void memory_on_interval(void *state, const struct interval *interval)
{
	memory_pass(state, interval);
}

/* A sleep for memory, whatever ended it. It is marked by `other`, which stretches do not use. */
static void memory_on_span(void *state, const struct span *span)
{
	struct interval interval;

	if (span->kind != SEGMENT_WAIT || !span->cause || span->cause->memory == MEMORY_NONE)
		return;
	interval = interval_of_span(INTERVAL_MEMORY, span);
	interval.other = span->track;
	interval.memory.what = span->cause->memory;
	interval.memory.waiting = span->end - span->begin;
	memory_pass(state, &interval);
}

static const char *const sort_keys[] = {"total", "waiting", "count", "max", NULL};

#define AT(member) RELATION_AT(struct memory_row, member)

static const struct measure by_key[] = {
	{AT(length.total)},
	{AT(waiting)},
	{AT(length.count)},
	{AT(length.max)},
};
_Static_assert(ARRAY_SIZE(by_key) + 1 == ARRAY_SIZE(sort_keys), "a figure for each key");

enum {
	COLUMN_WHAT = 1,
	COLUMN_PAGES = 7,
};

static const struct field fields[] = {
	{"task", "TASK", CELL_TASK, 0, AT(key.track)},
	[COLUMN_WHAT] = {"what", "WHAT", CELL_TEXT, 0, FILLED},
	{"count", "COUNT", CELL_COUNT, COLUMN_SPARE(3), AT(length.count)},
	{"total_ns", "TOTAL", CELL_DURATION, 0, AT(length.total)},
	{"waiting_ns", "ASLEEP", CELL_DURATION, COLUMN_USEFUL(1), AT(waiting)},
	{"max_ns", "LONGEST", CELL_DURATION, COLUMN_USEFUL(2), AT(length.max)},
	{"max_at_ns", "AT", CELL_INSTANT, COLUMN_SPARE(2), AT(length.max_at)},
	[COLUMN_PAGES] = {"pages", "PAGES", CELL_COUNT, COLUMN_SPARE(1), AT(pages)},
};

static void memory_row_fill(const void *view, const void *of, struct cell *cell,
			    struct buffer *text)
{
	const struct memory_row *row = of;

	(void)view;
	(void)text;
	cell[COLUMN_WHAT].text = memory_what_name(row->key.what);
	if (row->key.is_slept || !(1u << row->key.what & GAINING))
		cell[COLUMN_PAGES].type = CELL_EMPTY;
}

/* Whether the row is asked for, and no row of stretches shows the same time better. */
static bool row_is_shown(const void *state, const void *of)
{
	const struct memory_view *view = state;
	const struct memory_row *row = of;
	const struct resolved *resolved = view->question->resolved;
	bool has_stretches = resolved->seen.has[EVENT_MEMORY_BEGIN];

	return resolved->is_asked[row->key.track] && !(row->key.is_slept && has_stretches);
}

static const struct relation_form form = {
	"tasks",
	"Time that tasks spent on memory",
	FIELDS(fields),
	.next = LINK_STRETCH("task", "max_at_ns", "max_at_ns+max_ns"),
	.sort_keys = sort_keys,
	.by_key = by_key,
	.is_shown = row_is_shown,
	.fill = memory_row_fill,
	.rows_named = "tasks that needed memory",
	.lost_named = "times",
};

/* Names only the largest row: rows must not be added up, as sleeps may lie inside each other and
   inside reclaims. */
static void memory_print_largest(const struct memory_view *view, const struct relation_rows *rows,
                                 const struct output *to)
{
	const struct memory_row *most = rows->count ? rows->row[0] : NULL;

	if (!most) {
		prose_put(to, "No task had to wait or work for memory.");
		return;
	}
	for (size_t i = 1; i < rows->count; i++) {
		const struct memory_row *row = rows->row[i];

		if (row->length.total > most->length.total)
			most = row;
	}
	say_to(to, view->question->timeline,
	       "Most time for memory was spent by {task}: {text}, {count} time{|s}, {time}, {time} "
	       "of it asleep.",
	       TASK(most->key.track), TEXT(memory_what_name(most->key.what)),
	       COUNT(most->length.count), TIME(most->length.total), TIME(most->waiting));
}

static void memory_show_histogram(const struct memory_view *view, const struct memory_row *row,
                                  const struct output *to)
{
	_cleanup_(buffer_release) struct buffer title = {0};

	say(&title, view->question->timeline, "How long each {text} of {task} took",
	    TEXT(memory_what_name(row->key.what)), TASK(row->key.track));
	histogram_show_of(&row->length, title.text, to);
}

/* Says that faults and swap-ins are missing without stacks: they are known only by the place of the
   sleep. */
static void memory_print_places(const struct memory_view *view, const struct output *to)
{
	_cleanup_(buffer_release) struct buffer hint = {0};

	if (view->question->resolved->seen.has[EVENT_STACK])
		return;
	(void)record_hint_append(&hint, " (", &view->question->resolved->recorded, "",
	                         /* stacks= */ true, ")");
	say_to(to, NULL, "Page faults, swap-ins and pages being written are seen only with "
	                 "stacks{text}.", TEXT(hint.text));
}

static void memory_report(const void *state, const struct output *to)
{
	const struct memory_view *view = state;
	const struct question *question = view->question;
	struct relation_rows rows = relation_choose(&view->rows, &form, view, question);

	output_section_begin(to, "memory", "Memory", /* is_list= */ false);
	if (rows.count || !analysis_print_lack(&memory_analysis, question, to)) {
		memory_print_largest(view, &rows, to);
		memory_print_places(view, to);
	}
	relation_show(&form, &rows, view, question, to);
	if (rows.count)
		memory_show_histogram(view, rows.row[0], to);
	output_section_end(to);
	relation_rows_release(&rows);
}

static void memory_begin(void *state)
{
	struct memory_view *view = state;

	tally_init(&view->rows, sizeof(struct memory_row), sizeof(struct memory_key), ROWS_MAX);
	view->gate.take = memory_add;
}

static void memory_end(void *state)
{
	struct memory_view *view = state;

	for (size_t i = 0; i < view->rows.count; i++)
		distribution_release(&((struct memory_row *)tally_at(&view->rows, i))->length);
	tally_release(&view->rows);
	interval_gate_release(&view->gate);
}

const struct analysis memory_analysis = {
	.name = "memory",
	.about = "reclaim, compaction, throttling, faults, swap: asleep or not",
	.sort_keys = sort_keys,
	.heeds = HEEDS_TASKS | HEEDS_KINDS | HEEDS_CPUS | HEEDS_MIN,
	.needs = EVENT_LIST(EVENT_MEMORY_BEGIN, EVENT_MEMORY_THROTTLE, EVENT_MEMORY_THROTTLED),
	.groups = "mm",
	.state_bytes = sizeof(struct memory_view),
	.begin = memory_begin,
	.on_span = memory_on_span,
	.span_kinds = 1u << SEGMENT_WAIT,
	.on_interval = memory_on_interval,
	.interval_kinds = INTERVAL_MASK(INTERVAL_MEMORY),
	.resolve = interval_gate_resolve,
	.report = memory_report,
	.end = memory_end,
};
