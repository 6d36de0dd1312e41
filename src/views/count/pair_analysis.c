/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How long it takes from one event to another with the same key: a request to its completion, a
 * function to its return. Pairs count in the window in which they begin.
 */
#include <stdlib.h>

#include "analysis/analysis.h"
#include "analysis/events/event_pairs.h"
#include "analysis/tables/cells.h"
#include "analysis/tables/distribution.h"
#include "analysis/tables/relation.h"
#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/data/heap.h"
#include "base/xalloc.h"
#include "sentences/say.h"

#define SLOWEST_MAX 1000
/* Further pairs of tasks are left out: each may take 4 KB. */
#define TASKS_MAX (1u << 14)

struct slow_pair {
	struct event_pair pair;
	nsec_t length;
	char *key;       /* the value that both events have; NULL: none; owned */
	uint64_t number; /* in order of arrival: breaks ties */
};

/* Who opened, and who ended. */
struct task_row {
	struct task_key {
		uint32_t opener, closer;
	} key;
	struct distribution latency;
};

struct pair_view {
	const struct question *question;
	struct pair_spec spec;
	struct pairing pairing;
	struct distribution latency;
	struct tally tasks;     /* struct task_row */
	struct slow_pair *slow; /* a heap: the shortest first */
	size_t slow_count, slow_capacity;
	bool is_known;          /* the pairs were read */
	struct buffer why;      /* else: the reason */
};

static void pair_begin(void *state)
{
	struct pair_view *view = state;
	const char *spec = view->question->asked->pair.spec;

	/* a view may be asked for without its option, by tests of all views */
	(void)pair_spec_read(spec ? spec : "*/*,by=cpu", &view->spec, &view->why);
	tally_init(&view->tasks, sizeof(struct task_row), sizeof(struct task_key), TASKS_MAX);
}

static bool slow_is_less(const struct slow_pair *a, const struct slow_pair *b)
{
	return a->length != b->length ? a->length < b->length : a->number > b->number;
}

static void slow_add(struct pair_view *view, const struct slow_pair *slow,
                     const struct asked_events *events, const struct raw_event *end,
                     const struct event_field *field)
{
	_cleanup_(buffer_release) struct buffer key = buffer_of(BUFFER_LIMIT_DEFAULT);
	bool is_full = view->slow_count == SLOWEST_MAX;
	struct slow_pair added = *slow;

	if (is_full && !slow_is_less(&view->slow[0], slow))
		return;
	if (field)
		event_value_append(&key, events, end, field);
	added.key = field ? xstrdup(key.text) : NULL;
	if (is_full) {
		free(view->slow[0].key);
		view->slow[0] = added;
		HEAP_SIFT_DOWN(view->slow, view->slow_count, 0, slow_is_less);
		return;
	}
	ARRAY_ADD(view->slow, view->slow_count, view->slow_capacity) = added;
	HEAP_SIFT_UP(view->slow, view->slow_count - 1, slow_is_less);
}

static void pair_add(void *state, const struct event_pair *pair, const struct asked_events *events,
                     const struct raw_event *end, const struct event_field *field)
{
	struct pair_view *view = state;
	nsec_t length = pair->end - pair->begin;
	struct task_row *row;

	if (length < view->question->asked->min)
		return;
	distribution_add(&view->latency, length, pair->begin);
	row = tally_row(&view->tasks, &(struct task_key){pair->opener, pair->closer});
	if (row)
		distribution_add(&row->latency, length, pair->begin);
	slow_add(view,
	         &(struct slow_pair){.pair = *pair, .length = length,
	                             .number = view->latency.count},
	         events, end, field);
}

static struct events_taking pair_take_events(void *state)
{
	struct pair_view *view = state;

	view->pairing = (struct pairing){.spec = &view->spec, .take = pair_add, .state = view};
	return (struct events_taking){&pairs_taker, &view->pairing, &view->is_known, &view->why};
}

static bool pair_has_answer(const void *state, struct buffer *why)
{
	const struct pair_view *view = state;

	if (!view->is_known)
		say(why, NULL, "--pair {foreign}: {text}",
		    FOREIGN(view->question->asked->pair.spec), TEXT(view->why.text));
	return view->is_known;
}

static const char *const sort_keys[] = {"total", "count", "max", NULL};

#define AT(member) RELATION_AT(struct task_row, member)

static const struct measure by_key[] = {
	{AT(latency.total)}, {AT(latency.count)}, {AT(latency.max)},
};
_Static_assert(ARRAY_SIZE(by_key) + 1 == ARRAY_SIZE(sort_keys), "a figure for each key");

static const struct field task_fields[] = {
	{"task", "TASK", CELL_TASK, 0, AT(key.opener)},
	{"ended_by", "ENDED BY", CELL_TASK, 0, AT(key.closer)},
	{"count", "COUNT", CELL_COUNT, COLUMN_SPARE(1), AT(latency.count)},
	{"latency", "P50 / P99 / MAX", CELL_DISTRIBUTION, 0, AT(latency)},
};
#undef AT

static const struct relation_form task_form = {
	"tasks", "By task", FIELDS(task_fields),
	.next = LINK_STRETCH("task", "latency", "latency+latency") "|"
	        LINK_STRETCH("ended_by", "latency", "latency+latency"),
	.sort_keys = sort_keys, .by_key = by_key, .is_hidden_if_empty = true,
	.rows_named = "pairs of tasks", .lost_named = "pairs",
};

enum {SLOW_KEY = 3};

#define AT(member) RELATION_AT(struct slow_pair, member)

static const struct field slow_fields[] = {
	{MACHINE_COLUMN, AT(pair.machine)},
	{"begin_ns", "AT", CELL_INSTANT, 0, AT(pair.begin)},
	{"task", "TASK", CELL_TASK, 0, AT(pair.opener)},
	[SLOW_KEY] = {"key", "VALUE", CELL_TEXT, COLUMN_SPARE(1),
	              RELATION_STRING(struct slow_pair, key)},
	{"ended_by", "ENDED BY", CELL_TASK, COLUMN_USEFUL(1), AT(pair.closer)},
	{"duration_ns", "TOOK", CELL_DURATION, 0, AT(length)},
};

static void slow_adapt(const void *of_view, const struct relation_rows *rows,
                       struct column *column)
{
	const struct pair_view *view = of_view;

	(void)rows;
	if (!view->spec.field[0])
		column[SLOW_KEY].flags |= COLUMN_DATA_ONLY;
}

static const struct relation_form slow_form = {
	"slowest", "Slowest", FIELDS(slow_fields),
	.next = LINK_STRETCH("task", "begin_ns", "begin_ns+duration_ns") "|"
	        LINK_STRETCH("ended_by", "begin_ns", "begin_ns+duration_ns"),
	.order = {{AT(length)}}, .task_time = {AT(pair.end)}, .adapt = slow_adapt,
	.is_hidden_if_empty = true,
};
#undef AT

static void fields_put(const struct pair_view *view, const struct distribution_sum *latency,
                       const struct output *to)
{
	output_field(to, "a", NULL, &(struct cell){.type = CELL_TEXT, .text = view->spec.begin});
	output_field(to, "b", NULL, &(struct cell){.type = CELL_TEXT, .text = view->spec.end});
	output_field(to, "by", NULL, &(struct cell){.type = CELL_TEXT, .text = view->spec.by_text});
	output_field(to, "latency", NULL,
	             &(struct cell){.type = latency->count ? CELL_DISTRIBUTION : CELL_EMPTY,
	                            .distribution = latency});
	output_field(to, "unpaired", NULL,
	             &(struct cell){.type = CELL_COUNT, .count = view->pairing.counts.unpaired});
	output_field(to, "unopened", NULL,
	             &(struct cell){.type = CELL_COUNT, .count = view->pairing.counts.unopened});
}

static void pair_print(const struct pair_view *view, const struct distribution_sum *latency,
                       const struct output *to)
{
	const struct pair_counts *counts = &view->pairing.counts;

	say_to(to, NULL,
	       "From {foreign} to {foreign}: [{count} pair{|s}|no pair]{text}[, half within "
	       "{time}, 99 of 100 within {time}, the longest {time}][; {count} not ended or begun "
	       "anew]"
	       "[; {count} ended without a begin].",
	       FOREIGN(view->spec.begin), FOREIGN(view->spec.end),
	       WHEN(latency->count, COUNT(latency->count)), TEXT(question_scope(view->question)),
	       WHEN(latency->count, TIME(latency->p50)), TIME(latency->p99), TIME(latency->max),
	       WHEN(counts->unpaired, COUNT(counts->unpaired)),
	       WHEN(counts->unopened, COUNT(counts->unopened)));
}

static void pair_report(const void *state, const struct output *to)
{
	const struct pair_view *view = state;
	struct tally slow = relation_of(view->slow, sizeof(*view->slow), view->slow_count);
	struct distribution_sum latency;

	distribution_sum(&view->latency, &latency);
	output_section_begin(to, "pair", "Pairs", /* is_list= */ false);
	fields_put(view, &latency, to);
	pair_print(view, &latency, to);
	relation_put(&view->tasks, &task_form, view, view->question, to);
	relation_put(&slow, &slow_form, view, view->question, to);
	histogram_show_of(&view->latency, "Durations of pairs", to);
	output_section_end(to);
}

static void pair_end(void *state)
{
	struct pair_view *view = state;

	for (size_t i = 0; i < view->slow_count; i++)
		free(view->slow[i].key);
	free(view->slow);
	relation_release(&view->tasks, &task_form);
	distribution_release(&view->latency);
	buffer_release(&view->why);
	pair_spec_release(&view->spec);
}

static void pair_take_argument(struct asked *asked, const char *text)
{
	asked->pair.spec = text;
}

static bool pair_check_argument(const char *text, struct buffer *why)
{
	_cleanup_(pair_spec_release) struct pair_spec spec = {0};

	return pair_spec_read(text, &spec, why);
}

const struct analysis pair_analysis = {
	.name = "pair",
	.about = "how long it takes from an event to another one of the same task, CPU or field",
	.argument = "A/B,...",
	.take_argument = pair_take_argument,
	.check_argument = pair_check_argument,
	.needs_argument = true,
	.sort_keys = sort_keys,
	.reads_again = true,
	.heeds = HEEDS_TASKS | HEEDS_CPUS | HEEDS_MIN,
	.state_bytes = sizeof(struct pair_view),
	.begin = pair_begin,
	.take_events = pair_take_events,
	.has_answer = pair_has_answer,
	.report = pair_report,
	.end = pair_end,
};
