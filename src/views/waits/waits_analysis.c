/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One row a wait, in order of time. */
#include <stdlib.h>
#include <string.h>

#include "analysis/analysis.h"
#include "analysis/recorded.h"
#include "analysis/tables/cells.h"
#include "analysis/tables/distribution.h"
#include "analysis/tables/relation.h"
#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/data/intern.h"
#include "base/data/order.h"
#include "base/text/buffer.h"
#include "described_wait.h"
#include "sentences/say.h"
#include "words/time_scale.h"

#define AT(member) RELATION_AT(struct described_wait, member)

enum {
	COLUMN_WOKEN = 3,
	COLUMN_RUN,
	COLUMN_WAITED,
	COLUMN_DELAY,
	COLUMN_STATE = 8,
	COLUMN_CONFIDENCE = 11,
	COLUMN_IO_WAIT,
	COLUMN_STACK,
	COLUMN_SPURIOUS_WAKEUPS = 16,
	COLUMN_SPURIOUS_WAKERS,
	COLUMN_CAUSE,
	COLUMN_WHY,
	COLUMN_AIM,
};

static const struct field fields[] = {
	{NULL, "#", CELL_COUNT, COLUMN_NUMBER, AT(number)},
	{"begin_ns", "BEGIN", CELL_INSTANT, COLUMN_USEFUL(2), AT(wait.begin)},
	{"end_ns", "END", CELL_INSTANT, COLUMN_DATA_ONLY, AT(wait.end)},
	[COLUMN_WOKEN] = {NULL, "WOKEN", CELL_INSTANT, COLUMN_SPARE(3), AT(wait.end)},
	[COLUMN_RUN] = {"run_ns", "RUN", CELL_INSTANT, COLUMN_SPARE(1), AT(wait.run)},
	[COLUMN_WAITED] = {NULL, "WAITED", CELL_DURATION, 0, FILLED},
	[COLUMN_DELAY] = {NULL, "DELAY", CELL_DURATION, COLUMN_SPARE(5), FILLED},
	{"task", "TASK", CELL_TASK, 0, AT(wait.track)},
	[COLUMN_STATE] = {"state", "ST", CELL_TEXT, COLUMN_USEFUL(1), FILLED},
	{"open", "OPEN", CELL_BOOL, COLUMN_DATA_ONLY, AT(wait.is_open)},
	{"for_work", "FOR WORK", CELL_BOOL, COLUMN_DATA_ONLY, AT(is_for_work)},
	[COLUMN_CONFIDENCE] = {"confidence", "CONF", CELL_CONFIDENCE, COLUMN_SPARE(2), FILLED},
	[COLUMN_IO_WAIT] = {"io_wait", "IO WAIT", CELL_BOOL, COLUMN_DATA_ONLY, FILLED},
	[COLUMN_STACK] = {"stack", "ASLEEP IN", CELL_FRAMES, COLUMN_SPARE(6),
	                  AT(wait.place.frames)},
	{"waker_stack", "WAKER IN", CELL_FRAMES, COLUMN_DATA_ONLY, AT(wait.place.waker)},
	{"user_stack", "FROM", CELL_FRAMES, COLUMN_DATA_ONLY, AT(wait.place.user)},
	/* the older name of spurious wakeups: keys in JSON do not change */
	[COLUMN_SPURIOUS_WAKEUPS] = {"false_wakes", "SPURIOUS", CELL_COUNT, COLUMN_SPARE(4),
	                             AT(spurious_wakeups)},
	[COLUMN_SPURIOUS_WAKERS] = {"false_wakers", NULL, CELL_LINKS, 0, FILLED},
	[COLUMN_CAUSE] = {"cause", "CAUSE", CELL_CAUSE, COLUMN_DATA_ONLY, FILLED},
	[COLUMN_WHY] = {NULL, "CAUSE", CELL_TEXT, 0, FILLED},
	[COLUMN_AIM] = {"aim", "FOR", CELL_AIM, COLUMN_DATA_ONLY, FILLED},
};

static void wait_fill(const void *view, const void *of, struct cell *cell, struct buffer *text)
{
	const struct question *question = view;
	const struct described_wait *wait = of;

	cell[COLUMN_WAITED].time = wait->length;
	cell[COLUMN_DELAY].time = wait->delay;
	buffer_putc(&text[COLUMN_STATE], (char)wait->wait.letter);
	cell[COLUMN_CONFIDENCE].confidence = wait->cause.confidence;
	cell[COLUMN_IO_WAIT].boolean = wait->wait.place.io_wait == IO_WAIT_YES;
	cell[COLUMN_SPURIOUS_WAKERS].links = wait->spurious_wakers;
	cell[COLUMN_CAUSE].cause = &wait->cause;
	cell[COLUMN_WHY].text = wait->why.text;
	cell[COLUMN_AIM].aim = &wait->aim;
	if (wait->wait.is_open)
		cell[COLUMN_WOKEN].type = CELL_EMPTY;
	if (wait->wait.run == NSEC_NEVER)
		cell[COLUMN_RUN].type = cell[COLUMN_DELAY].type = CELL_EMPTY;
	if (wait->wait.place.io_wait == IO_WAIT_UNKNOWN)
		cell[COLUMN_IO_WAIT].type = CELL_EMPTY;
	if (question->asked->fold_limit == 0)
		cell[COLUMN_SPURIOUS_WAKEUPS].type = cell[COLUMN_SPURIOUS_WAKERS].type = CELL_EMPTY;
}

/* Text omits columns that are always empty. */
static void waits_adapt(const void *view, const struct relation_rows *rows, struct column *columns)
{
	const struct question *question = view;

	(void)rows;
	if (question->timeline->place_count == 0) /* most traces have no stacks */
		columns[COLUMN_STACK].flags |= COLUMN_DATA_ONLY;
	if (question->asked->fold_limit == 0)
		columns[COLUMN_SPURIOUS_WAKEUPS].flags |= COLUMN_DATA_ONLY;
}

enum waits_sort {
	SORT_BEGIN, /* order of time */
	SORT_END,
	SORT_WAIT,
	SORT_DELAY,
	SORT_DURATION, /* the same as wait */
};

static const char *const sort_keys[] = {
	[SORT_BEGIN] = "begin", [SORT_END] = "end",           [SORT_WAIT] = "wait",
	[SORT_DELAY] = "delay", [SORT_DURATION] = "duration", NULL,
};

static struct evidence_claim wait_claim(const void *view, const void *of)
{
	const struct described_wait *wait = of;

	(void)view;
	return evidence_claim_of(wait->wait.track, wait->wait.begin, false);
}

static const struct relation_form form = {
	"waits", NULL, FIELDS(fields), .sort_keys = sort_keys,
	.task_time = {AT(wait.begin)}, .fill = wait_fill, .claim = wait_claim,
	.next = LINK_PATH("task", "begin_ns", "end_ns"),
	.adapt = waits_adapt,
};
#undef AT

static nsec_t wait_delay(const struct wait *wait)
{
	return wait->run == NSEC_NEVER ? 0 : wait->run - wait->end;
}

/* A wait's place in the shown order. */
struct wait_order {
	nsec_t key; /* smallest first; waits with equal keys stay in order of time */
	uint64_t number;
	uint32_t track, segment;
};

static nsec_t wait_key(const struct wait *wait, size_t key)
{
	if (key == SORT_WAIT || key == SORT_DURATION)
		return NSEC_NEVER - (wait->end - wait->begin);
	if (key == SORT_DELAY)
		return NSEC_NEVER - wait_delay(wait);
	return wait->end;
}

static bool waits_has_answer(const void *state, struct buffer *why)
{
	return wait_list_has_asked(state, why);
}

static const char path_hint[] =
	"What a wait consists of: --critical-path --wait #, with the same filters.";

/* Puts together only what is shown. */
static void row_show(struct described_wait *row, struct relation_table *to)
{
	if (!relation_table_is_full(to))
		wait_describe(row);
	relation_table_row(to, row);
}

static void waits_report_in_time(struct wait_stream *waits, struct described_wait *row,
                                 struct relation_table *to)
{
	const uint64_t asked = waits->question->asked->wait;

	for (row->number = 1; wait_stream_next(waits, &row->wait); row->number++)
		if (asked == 0 || asked == row->number)
			row_show(row, to);
}

ORDER_FUNCTION(wait_order_compare, struct wait_order, RISING(x, y, key), RISING(x, y, number))

static void waits_report_sorted(struct wait_stream *waits, size_t key, struct described_wait *row,
                                struct relation_table *to)
{
	_cleanup_(freep) struct wait_order *order = NULL;
	const struct question *question = waits->question;
	size_t count = 0, capacity = 0;
	struct wait wait;

	for (uint64_t number = 1; wait_stream_next(waits, &wait); number++) {
		if (question->asked->wait && question->asked->wait != number)
			continue;
		ARRAY_ADD(order, count, capacity) = (struct wait_order){
			.key = wait_key(&wait, key),
			.number = number,
			.track = wait.track,
			.segment = wait.segment,
		};
	}
	if (count)
		qsort(order, count, sizeof(*order), wait_order_compare);
	for (size_t i = 0; i < count; i++) {
		row->wait = wait_at(question, order[i].track, order[i].segment);
		row->number = order[i].number;
		row_show(row, to);
	}
}

/* The distribution of the lengths of the waits that --waits lists (--histogram, --by). */

/* Groups whose bars are shown, the largest ones. */
#define BARS_MAX 3
/* More than a machine has names; further names form one group. */
#define GROUPS_MAX (1u << 14)

struct wait_group {
	uint32_t name; /* name id; 0: not known */
	struct distribution length, delay;
};

struct wait_times {
	const struct question *question;
	struct intern names;
	struct wait_group *group; /* in order of appearance; the first one has all waits */
	size_t count, capacity;
	struct map by_name;
};

static void group_add(struct wait_group *group, const struct wait *wait)
{
	distribution_add(&group->length, wait->end - wait->begin, wait->begin);
	if (wait->run != NSEC_NEVER)
		distribution_add(&group->delay, wait->run - wait->end, wait->end);
}

static enum grouping wait_times_by(const struct wait_times *times)
{
	return times->question->asked->lengths.by;
}

/* The name that the wait is grouped by: its task's, its cause's kind's, or that of the sleeping
   function. */
static uint32_t wait_group_name(struct wait_times *times, const struct wait *wait)
{
	const struct timeline *timeline = times->question->timeline;
	const char *text = "";
	size_t length;

	if (wait_times_by(times) == BY_COMM)
		text = intern_text(&timeline->names,
		                   timeline_name_at(&timeline->track[wait->track], wait->begin));
	else if (wait_times_by(times) == BY_KIND)
		text = cause_kind_name(wait->cause ? (enum cause_kind)wait->cause->kind
		                                   : CAUSE_UNKNOWN);
	else
		text = intern_text(&timeline->names, wait->place.frames);
	length = wait_times_by(times) == BY_FUNCTION ? strcspn(text, ";") : strlen(text);
	return times->names.count < GROUPS_MAX ? intern_add(&times->names, text, length)
	                                       : INTERN_OVERFLOW;
}

static struct wait_group *times_find(struct wait_times *times, const struct wait *wait)
{
	uint32_t name = wait_group_name(times, wait);
	uint32_t at = map_get(&times->by_name, name);

	if (at != MAP_NONE)
		return &times->group[at];
	ARRAY_GROW(times->group, times->count, times->capacity);
	map_put(&times->by_name, name, (uint32_t)times->count);
	times->group[times->count] = (struct wait_group){.name = name};
	return &times->group[times->count++];
}

static void times_gather(struct wait_times *times)
{
	struct wait_stream stream;
	struct wait wait;

	ARRAY_ADD(times->group, times->count, times->capacity) = (struct wait_group){.name = 0};
	wait_stream_init(&stream, times->question);
	while (wait_stream_next(&stream, &wait)) {
		if (wait_is_stop(&wait))
			continue;
		group_add(&times->group[0], &wait);
		if (wait_times_by(times) != BY_NOTHING)
			group_add(times_find(times, &wait), &wait);
	}
	wait_stream_release(&stream);
}

ORDER_FUNCTION(wait_group_compare, struct wait_group, FALLING(x, y, length.total),
               FALLING(x, y, length.count), RISING(x, y, name))

#define AT(member) RELATION_AT(struct wait_group, member)

enum {GROUP_NAME, GROUP_LENGTH = 3};

static const struct field group_fields[] = {
	[GROUP_NAME] = {"name", "NAME", CELL_TEXT, COLUMN_TAILED, FILLED},
	{"count", "COUNT", CELL_COUNT, COLUMN_TEXT_ONLY | COLUMN_SPARE(1), AT(length.count)},
	{"total_ns", "TOTAL", CELL_DURATION, COLUMN_TEXT_ONLY, AT(length.total)},
	[GROUP_LENGTH] = {"length", "P50 / P99 / MAX", CELL_DISTRIBUTION, 0, AT(length)},
	{"delay", "DELAY P50 / P99 / MAX", CELL_DISTRIBUTION, COLUMN_USEFUL(1), AT(delay)},
};
#undef AT

static void group_fill(const void *view, const void *of, struct cell *cell, struct buffer *text)
{
	const struct wait_times *times = view;
	const struct wait_group *group = of;

	(void)text;
	cell[GROUP_NAME].text = intern_text(&times->names, group->name);
	if (group->name == 0)
		cell[GROUP_NAME].type = CELL_EMPTY;
	cell[GROUP_LENGTH].type = CELL_DISTRIBUTION; /* also of no waits */
}

static void groups_adapt(const void *view, const struct relation_rows *rows, struct column *shown)
{
	static const struct {
		const char *key, *title;
	} names[] = {
		[BY_NOTHING] = {NULL, NULL}, [BY_COMM] = {"comm", "COMM"},
		[BY_KIND] = {"kind", "KIND"}, [BY_FUNCTION] = {"function", "ASLEEP IN"},
	};
	const enum grouping by = wait_times_by(view);

	(void)rows;
	shown[GROUP_NAME].key = names[by].key;
	shown[GROUP_NAME].title = names[by].title;
}

static void groups_show(const struct wait_times *times, const struct output *to)
{
	/* without groups the table has one row, which only CSV needs: CSV does not show the
	   fields */
	const enum grouping by = wait_times_by(times);
	size_t first = by ? 1 : 0;
	struct tally groups = relation_of(times->group + first, sizeof(*times->group),
	                                     times->count - first);
	const struct relation_form groups_form = {
		"groups", by ? "Groups, by their time" : NULL, FIELDS(group_fields),
		.next = "--waits --sort wait --comm {glob:comm}|"
		        "--waits --sort wait --kind {kind}|"
		        "--waits --sort wait --from {from:length} --to {to:length+length}",
		.fill = group_fill, .adapt = groups_adapt,
	};

	relation_put(&groups, &groups_form, times, times->question, to);
}

static void bars_show(const struct wait_times *times, const struct output *to)
{
	_cleanup_(buffer_release) struct buffer title = {0};

	histogram_show_of(&times->group[0].length, "Lengths of all waits", to);
	for (size_t i = 1; i < times->count && i <= BARS_MAX; i++) {
		const char *name = intern_text(&times->names, times->group[i].name);

		buffer_clear(&title);
		say(&title, NULL, "Lengths of waits of {foreign}", FOREIGN(name[0] ? name : "-"));
		histogram_show_of(&times->group[i].length, title.text, to);
	}
}

static void times_print(const struct wait_times *times, const struct output *to)
{
	_cleanup_(buffer_release) struct buffer hint = {0};
	struct distribution_sum sum;

	distribution_sum(&times->group[0].length, &sum);
	if (sum.count == 0) {
		prose_put(to, "No waits.");
		return;
	}
	say_to(to, NULL, "{count} wait{|s}{text}: half within {time}, 99 of 100 within {time}, the "
	                 "longest {time} (at {instant}).",
	       COUNT(sum.count), TEXT(question_scope(times->question)), TIME(sum.p50),
	       TIME(sum.p99), TIME(sum.max), INSTANT(&times->question->instants, sum.max_at));
	if (wait_times_by(times) != BY_FUNCTION || times->question->timeline->place_count)
		return;
	(void)record_hint_append(&hint, " (", &times->question->resolved->recorded, "",
	                         /* stacks= */ true, " shows it)");
	say_to(to, NULL, "Where tasks slept is not known{text}.", TEXT(hint.text));
}

static void distribution_field(const struct distribution *distribution, const char *key,
                               const struct output *to)
{
	struct distribution_sum sum;

	distribution_sum(distribution, &sum);
	output_field(to, key, NULL,
	             &(struct cell){.type = CELL_DISTRIBUTION, .distribution = &sum});
}

/* Prints a section of its own: for all waits, and for each group that is asked for. */
static void wait_times_show(const struct question *question, const struct output *to)
{
	struct wait_times times = {.question = question};

	intern_init(&times.names);
	map_init(&times.by_name);
	times_gather(&times);
	if (times.count > 2)
		qsort(times.group + 1, times.count - 1, sizeof(*times.group), wait_group_compare);
	output_section_begin(to, "wait_times", "Lengths of waits", /* is_list= */ false);
	times_print(&times, to);
	distribution_field(&times.group[0].length, "length", to);
	distribution_field(&times.group[0].delay, "delay", to);
	groups_show(&times, to);
	bars_show(&times, to);
	output_section_end(to);
	for (size_t i = 0; i < times.count; i++) {
		distribution_release(&times.group[i].length);
		distribution_release(&times.group[i].delay);
	}
	free(times.group);
	map_release(&times.by_name);
	intern_release(&times.names);
}

static void waits_report(const void *state, const struct output *to)
{
	const struct question *question = state;
	size_t key = question_sort_key(question, sort_keys);
	struct described_wait row = {
		.timeline = question->timeline,
		.is_for_people = !to->presenter->has_data,
	};
	struct relation_table *table;
	struct wait_stream waits;

	if (question->asked->lengths.are_shown)
		wait_times_show(question, to);
	buffer_init(&row.why, 512);
	wait_stream_init(&waits, question);
	output_section_begin(to, "waits", "Waits", /* is_list= */ true);
	if (waits.count && question->asked->wait == 0)
		prose_put(to, path_hint);
	question_print_memory(question, to);
	table = relation_table_begin(&form, question, question, to);
	if (key != SORT_BEGIN)
		waits_report_sorted(&waits, key, &row, table);
	else
		waits_report_in_time(&waits, &row, table);
	relation_table_end(table);
	output_section_end(to);
	buffer_release(&row.why);
	wait_stream_release(&waits);
}

const struct analysis waits_analysis = {
	.name = "waits",
	.about = "one line for each wait",
	.sort_keys = sort_keys,
	.heeds = HEEDS_TASKS | HEEDS_KINDS | HEEDS_AIMS | HEEDS_CPUS | HEEDS_MIN | HEEDS_FOLD |
	         HEEDS_WAIT | HEEDS_HISTOGRAM | HEEDS_BY,
	.needs_history = true,
	.has_answer = waits_has_answer,
	.report = waits_report,
};
