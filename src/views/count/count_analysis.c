/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How often any event of the recording occurred: by name, by the task that ran, by CPU, by stack,
 * or by a field; what a field sums to; and when.
 */
#include <string.h>

#include "analysis/analysis.h"
#include "analysis/tables/cells.h"
#include "analysis/tables/relation.h"
#include "base/cleanup.h"
#include "base/data/array.h"
#include "event_counts.h"
#include "sentences/say.h"

struct count_view {
	const struct question *question;
	struct event_counts counts;
	bool is_known; /* the events were counted */
	struct buffer why; /* else: the reason */
};

static void count_begin(void *state)
{
	struct count_view *view = state;
	const char *spec = view->question->asked->count.spec;

	/* a view may be asked for without its option, by tests of all views */
	event_counts_init(&view->counts, view->question, spec ? spec : "*");
}

static struct events_taking count_take_events(void *state)
{
	struct count_view *view = state;

	return (struct events_taking){&counts_taker, &view->counts, &view->is_known, &view->why};
}

static void count_end(void *state)
{
	struct count_view *view = state;

	event_counts_release(&view->counts);
	buffer_release(&view->why);
}

static bool count_has_answer(const void *state, struct buffer *why)
{
	const struct count_view *view = state;

	if (!view->is_known)
		say(why, NULL, "--count {foreign}: {text}",
		    FOREIGN(view->question->asked->count.spec), TEXT(view->why.text));
	return view->is_known;
}

static const char *const sort_keys[] = {"count", "sum", NULL};

enum {
	COLUMN_KEY = 1,
	COLUMN_TASK,
	COLUMN_STACK,
	COLUMN_COUNT,
	COLUMN_PART,
	COLUMN_SUM,
	COLUMN_MEAN,
	COLUMN_SLICES,
};

#define AT(member) RELATION_AT(struct count_row, member)

static uint64_t row_sum(const void *row)
{
	/* negative sums come last */
	return (uint64_t)((const struct count_row *)row)->sum + (UINT64_C(1) << 63);
}

static const struct measure by_key[] = {{AT(count)}, {.of = row_sum}};
_Static_assert(ARRAY_SIZE(by_key) + 1 == ARRAY_SIZE(sort_keys), "a figure for each key");

static const struct field fields[] = {
	{MACHINE_COLUMN, AT(key.machine)},
	[COLUMN_KEY] = {"key", "VALUE", CELL_TEXT, COLUMN_POINT,
	                RELATION_STRING(struct count_row, name)},
	[COLUMN_TASK] = {"task", "TASK", CELL_TASK, 0, AT(track)},
	[COLUMN_STACK] = {"stack", NULL, CELL_FRAMES, COLUMN_DATA_ONLY,
	                  RELATION_STRING(struct count_row, name)},
	[COLUMN_COUNT] = {"count", "COUNT", CELL_COUNT, 0, AT(count)},
	[COLUMN_PART] = {NULL, "OF ALL", CELL_RATIO, COLUMN_SPARE(1), FILLED},
	[COLUMN_SUM] = {"sum", "SUM", CELL_INTEGER, 0, AT(sum)},
	[COLUMN_MEAN] = {"mean", "MEAN", CELL_RATE, COLUMN_SPARE(2), FILLED},
	[COLUMN_SLICES] = {"slices", "OVER TIME", CELL_SERIES, 0, FILLED},
};
#undef AT

/* A row of another key has no task and no stack; without a field or a time there is no sum and no
   slice. */
static void count_adapt(const void *of_view, const struct relation_rows *rows,
                        struct column *column)
{
	const struct event_counts *counts = &((const struct count_view *)of_view)->counts;
	static const char *const titles[] = {
		[EVENT_BY_EVENT] = "EVENT", [EVENT_BY_TASK] = "TASK", [EVENT_BY_CPU] = "CPU",
		[EVENT_BY_STACK] = "STACK", [EVENT_BY_FIELD] = "VALUE",
	};
	bool has_tasks = counts->by == EVENT_BY_TASK;

	(void)rows;
	column[COLUMN_KEY].title = titles[counts->by];
	column[COLUMN_TASK].flags |= COLUMN_DATA_ONLY;
	if (has_tasks && counts->question->timeline->hosts.count)
		column[COLUMN_KEY].flags |= COLUMN_TAILED;
	if (!counts->spec.sum)
		column[COLUMN_SUM].flags = column[COLUMN_MEAN].flags = COLUMN_DATA_ONLY;
	if (!counts->slice_count)
		column[COLUMN_SLICES].flags |= COLUMN_DATA_ONLY;
}

static void count_fill(const void *of_view, const void *of, struct cell *cell, struct buffer *text)
{
	const struct event_counts *counts = &((const struct count_view *)of_view)->counts;
	const struct count_row *row = of;

	(void)text;
	if (counts->by != EVENT_BY_STACK)
		cell[COLUMN_STACK].type = CELL_EMPTY;
	if (!counts->spec.sum)
		cell[COLUMN_SUM].type = cell[COLUMN_MEAN].type = CELL_EMPTY;
	cell[COLUMN_MEAN].ratio = (double)row->sum / (double)row->count;
	cell[COLUMN_PART].ratio = (double)row->count / (double)counts->total;
	if (row->slice)
		cell[COLUMN_SLICES].series = (struct series){row->slice, counts->slice_count};
	else
		cell[COLUMN_SLICES].type = CELL_EMPTY;
}

static const struct relation_form form = {
	"rows", NULL, FIELDS(fields),
	.next = "--events --tid {task}",
	.sort_keys = sort_keys, .by_key = by_key, .adapt = count_adapt, .fill = count_fill,
	.is_hidden_if_empty = true, .rows_named = "values", .lost_named = "events",
};

static void fields_put(const struct event_counts *counts, const struct output *to)
{
	const struct count_spec *spec = &counts->spec;

	output_field(to, "event", NULL, &(struct cell){.type = CELL_TEXT, .text = spec->event});
	output_field(to, "by", NULL, &(struct cell){.type = CELL_TEXT, .text = spec->by});
	output_field(to, "sum_of", NULL,
	             &(struct cell){.type = spec->sum ? CELL_TEXT : CELL_EMPTY,
	                            .text = spec->sum});
	output_field(to, "per_ns", NULL,
	             &(struct cell){.type = spec->per ? CELL_DURATION : CELL_EMPTY,
	                            .time = spec->per});
	output_field(to, "count", NULL,
	             &(struct cell){.type = CELL_COUNT, .count = counts->total});
	output_field(to, "others", NULL,
	             &(struct cell){.type = CELL_COUNT, .count = counts->others});
	output_field(to, "sum", NULL,
	             &(struct cell){.type = spec->sum ? CELL_INTEGER : CELL_EMPTY,
	                            .integer = counts->sum});
}

static void count_print(const struct event_counts *counts, const struct output *to)
{
	const struct question *question = counts->question;
	const struct count_spec *spec = &counts->spec;
	const struct recorded *recorded = &question->resolved->recorded;
	_cleanup_(buffer_release) struct buffer line = buffer_of(BUFFER_LIMIT_DEFAULT);
	_cleanup_(buffer_release) struct buffer sum = buffer_of(BUFFER_LIMIT_DEFAULT);
	nsec_t length = question_length(question);

	if (spec->sum)
		buffer_put_i64(&sum, counts->sum);
	say(&line, NULL,
	    "[{count} event{|s}|No event][ {foreign}]{text}[, {decimal} a second][; {foreign} sums "
	    "to {text}][; {count} more {is|are} not asked for]",
	    WHEN(counts->total, COUNT(counts->total)),
	    WHEN(strcmp(spec->event, "*") != 0, FOREIGN(spec->event)),
	    TEXT(question_scope(question)),
	    WHEN(length && counts->total, DECIMAL((double)counts->total * 1e9 / (double)length)),
	    FOREIGN(spec->sum), TEXT(sum.text), WHEN(counts->others, COUNT(counts->others)));
	if (counts->total + counts->others == 0 && !recorded->notes.recorded)
		(void)record_hint_append(&line, "; none occurred, or none was recorded (",
		                         recorded, spec->event, /* stacks= */ false, ")");
	prose_end(to, &line);
}

static void count_report(const void *state, const struct output *to)
{
	const struct count_view *view = state;
	const struct event_counts *counts = &view->counts;
	const struct question *question = view->question;

	output_section_begin(to, "count", "Counts", /* is_list= */ false);
	fields_put(counts, to);
	count_print(counts, to);
	relation_put(&counts->rows, &form, view, question, to);
	histogram_show_numbers(question->asked->lengths.are_shown ? &counts->values
	                                                          : &(struct distribution){0},
	                       counts->spec.sum, to);
	output_section_end(to);
}

static void count_take_argument(struct asked *asked, const char *text)
{
	asked->count.spec = text;
}

static bool count_check_argument(const char *text, struct buffer *why)
{
	_cleanup_(count_spec_release) struct count_spec spec = {0};

	return count_spec_read(text, &spec, why);
}

const struct analysis count_analysis = {
	.name = "count",
	.about = "how often any event occurred, by task, CPU, stack or a field, and when",
	.argument = "EVENT,...",
	.take_argument = count_take_argument,
	.check_argument = count_check_argument,
	.needs_argument = true,
	.sort_keys = sort_keys,
	.reads_again = true,
	.heeds = HEEDS_TASKS | HEEDS_CPUS | HEEDS_HISTOGRAM,
	.state_bytes = sizeof(struct count_view),
	.begin = count_begin,
	.take_events = count_take_events,
	.has_answer = count_has_answer,
	.report = count_report,
	.end = count_end,
};
