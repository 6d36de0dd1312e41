/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One row a wait, in order of time. */
#include <stdlib.h>
#include <string.h>

#include "analysis/analysis.h"
#include "analysis/tables/cells.h"
#include "analysis/tables/distribution.h"
#include "analysis/histogram.h"
#include "analysis/prose.h"
#include "analysis/recorded.h"
#include "analysis/wait_list.h"
#include "base/data/array.h"
#include "base/text/buffer.h"
#include "base/cleanup.h"
#include "base/text/format.h"
#include "base/data/intern.h"
#include "graph/aim.h"
#include "graph/brief_aim.h"
#include "graph/walk/fold.h"
#include "words/cause/cause_words.h"
#include "words/instant_words.h"
#include "words/cause/unknown_words.h"

enum waits_column {
	COLUMN_NUMBER_OF,
	COLUMN_BEGIN,
	COLUMN_END,
	COLUMN_WOKEN,
	COLUMN_RUN,
	COLUMN_WAITED,
	COLUMN_DELAY,
	COLUMN_TASK,
	COLUMN_STATE,
	COLUMN_OPEN,
	COLUMN_FOR_WORK,
	COLUMN_CONFIDENCE,
	COLUMN_IO_WAIT,
	COLUMN_STACK,
	COLUMN_WAKER_STACK,
	COLUMN_USER_STACK,
	COLUMN_SPURIOUS_WAKEUPS,
	COLUMN_SPURIOUS_WAKERS,
	COLUMN_CAUSE,
	COLUMN_WHY,
	COLUMN_AIM,
	COLUMN_COUNT,
};

static const struct column columns[COLUMN_COUNT] = {
	[COLUMN_NUMBER_OF] = {NULL, "#", CELL_COUNT, COLUMN_TEXT_ONLY | COLUMN_NUMBER},
	[COLUMN_BEGIN] = {"begin_ns", "BEGIN", CELL_INSTANT, COLUMN_USEFUL(2)},
	[COLUMN_END] = {"end_ns", "END", CELL_INSTANT, COLUMN_DATA_ONLY},
	[COLUMN_WOKEN] = {NULL, "WOKEN", CELL_INSTANT, COLUMN_TEXT_ONLY | COLUMN_SPARE(3)},
	[COLUMN_RUN] = {"run_ns", "RUN", CELL_INSTANT, COLUMN_SPARE(1)},
	[COLUMN_WAITED] = {NULL, "WAITED", CELL_DURATION, COLUMN_TEXT_ONLY},
	[COLUMN_DELAY] = {NULL, "DELAY", CELL_DURATION, COLUMN_TEXT_ONLY | COLUMN_SPARE(5)},
	[COLUMN_TASK] = {"task", "TASK", CELL_TASK, 0},
	[COLUMN_STATE] = {"state", "ST", CELL_TEXT, COLUMN_USEFUL(1)},
	[COLUMN_OPEN] = {"open", "OPEN", CELL_BOOL, COLUMN_DATA_ONLY},
	[COLUMN_FOR_WORK] = {"for_work", "FOR WORK", CELL_BOOL, COLUMN_DATA_ONLY},
	[COLUMN_CONFIDENCE] = {"confidence", "CONF", CELL_CONFIDENCE, COLUMN_SPARE(2)},
	[COLUMN_IO_WAIT] = {"io_wait", "IO WAIT", CELL_BOOL, COLUMN_DATA_ONLY},
	[COLUMN_STACK] = {"stack", "ASLEEP IN", CELL_FRAMES, COLUMN_SPARE(6)},
	[COLUMN_WAKER_STACK] = {"waker_stack", "WAKER IN", CELL_FRAMES, COLUMN_DATA_ONLY},
	[COLUMN_USER_STACK] = {"user_stack", "FROM", CELL_FRAMES, COLUMN_DATA_ONLY},
	/* the older name of spurious wakeups: keys in JSON do not change */
	[COLUMN_SPURIOUS_WAKEUPS] = {"false_wakes", "SPURIOUS", CELL_COUNT, COLUMN_SPARE(4)},
	[COLUMN_SPURIOUS_WAKERS] = {"false_wakers", NULL, CELL_LINKS, COLUMN_DATA_ONLY},
	[COLUMN_CAUSE] = {"cause", "CAUSE", CELL_CAUSE, COLUMN_DATA_ONLY},
	[COLUMN_WHY] = {NULL, "CAUSE", CELL_CAUSE, COLUMN_TEXT_ONLY},
	[COLUMN_AIM] = {"aim", "FOR", CELL_AIM, COLUMN_DATA_ONLY},
};

/* Maximal number of spurious wakers that are listed for one wait; their count includes all. */
#define SPURIOUS_WAKERS_MAX 32

static struct cause wait_cause(const struct timeline *timeline, const struct wait *wait)
{
	if (wait->cause)
		return timeline_cause(timeline, wait->cause, wait->end);
	return (struct cause){.kind = CAUSE_UNKNOWN, .origin = NSEC_NEVER};
}

/* The tasks that woke the waiter spuriously; the caller provides the links and causes. */
static size_t wait_spurious_wakers(const struct timeline *timeline, const struct wait *wait,
				    struct chain_link *links, struct cause *causes, size_t *ret_all)
{
	const struct spurious_wakeup *wake =
		timeline_spurious_wakeups(&timeline->track[wait->track], wait->segment, ret_all);
	size_t count = *ret_all < SPURIOUS_WAKERS_MAX ? *ret_all : SPURIOUS_WAKERS_MAX;

	for (size_t i = 0; i < count; i++) {
		causes[i] = timeline_cause(timeline, timeline_cause_at(timeline, wake[i].cause),
		                           wake[i].time);
		links[i] = (struct chain_link){
			.comm = causes[i].has_waker ? causes[i].waker.comm
			                            : cause_kind_name(causes[i].kind),
			.state = "waiting",
			.cause = &causes[i],
			.aim = brief_aim_of_cause(timeline, wait->track,
		                                  timeline_cause_at(timeline, wake[i].cause)),
		};
	}
	return count;
}

static void waits_row(const struct question *question, const struct output *to,
                      const struct wait *wait, uint64_t number)
{
	const struct timeline *timeline = question->timeline;
	struct cause cause = wait_cause(timeline, wait), causes[SPURIOUS_WAKERS_MAX];
	struct aim aim = timeline_aim_shown(timeline, wait->track, wait->segment);
	struct chain_link wakers[SPURIOUS_WAKERS_MAX];
	_cleanup_(buffer_release) struct buffer why = {0};
	struct cell cell[COLUMN_COUNT];
	char letter[2] = {(char)wait->letter, '\0'};
	size_t count, all;

	for (size_t i = 0; i < COLUMN_COUNT; i++)
		cell[i].type = columns[i].type;
	cell[COLUMN_NUMBER_OF].count = number;
	cell[COLUMN_BEGIN].time = wait->begin;
	cell[COLUMN_END].time = cell[COLUMN_WOKEN].time = wait->end;
	cell[COLUMN_RUN].time = wait->run;
	cell[COLUMN_WAITED].time = wait->end - wait->begin;
	cell[COLUMN_DELAY].time = wait->run - wait->end;
	cell[COLUMN_TASK].task = timeline_task(timeline, wait->track, wait->begin);
	cell[COLUMN_STATE].text = letter;
	cell[COLUMN_OPEN].boolean = wait->is_open;
	cell[COLUMN_FOR_WORK].boolean = wait->is_for_work;
	cell[COLUMN_CONFIDENCE].confidence =
		wait->cause ? (enum confidence)wait->cause->confidence : CONFIDENCE_LOW;
	cell[COLUMN_IO_WAIT].boolean = wait->place.io_wait == IO_WAIT_YES;
	cell[COLUMN_STACK] = cell_of_name(timeline, CELL_FRAMES, wait->place.frames);
	cell[COLUMN_WAKER_STACK] = cell_of_name(timeline, CELL_FRAMES, wait->place.waker);
	cell[COLUMN_USER_STACK] = cell_of_name(timeline, CELL_FRAMES, wait->place.user);
	count = wait_spurious_wakers(timeline, wait, wakers, causes, &all);
	cell[COLUMN_SPURIOUS_WAKEUPS].count = all;
	cell[COLUMN_SPURIOUS_WAKERS].links = (struct links){.link = wakers, .count = count};
	cell[COLUMN_CAUSE].cause = &cause;
	cell[COLUMN_WHY].cause = &cause;
	cell[COLUMN_AIM].aim = &aim;
	if (wait->is_open) {
		buffer_init(&why, 512);
		open_text_append(&why, WORDS_STILL_WAITING, &cause);
		cell[COLUMN_WHY] = (struct cell){.type = CELL_TEXT, .text = why.text};
		cell[COLUMN_WOKEN].type = CELL_EMPTY;
	}
	if (wait->place.io_wait == IO_WAIT_UNKNOWN)
		cell[COLUMN_IO_WAIT].type = CELL_EMPTY;
	if (question->asked->fold_limit == 0)
		cell[COLUMN_SPURIOUS_WAKEUPS].type = cell[COLUMN_SPURIOUS_WAKERS].type = CELL_EMPTY;
	if (wait->run == NSEC_NEVER)
		cell[COLUMN_RUN].type = cell[COLUMN_DELAY].type = CELL_EMPTY;
	output_row(to, cell);
}

/* Text omits columns that are always empty. */
static void waits_choose_columns(const struct question *question, struct column *ret)
{
	question_choose_columns(question, columns, COLUMN_COUNT, ret);
	if (question->timeline->place_count == 0) /* most traces have no stacks */
		ret[COLUMN_STACK].flags |= COLUMN_DATA_ONLY;
	if (question->asked->fold_limit == 0)
		ret[COLUMN_SPURIOUS_WAKEUPS].flags |= COLUMN_DATA_ONLY;
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

static void waits_report_in_time(struct wait_stream *waits, const struct output *to)
{
	const struct question *question = waits->question;
	struct wait wait;

	for (uint64_t number = 1; wait_stream_next(waits, &wait); number++)
		if (question->asked->wait == 0 || question->asked->wait == number)
			waits_row(question, to, &wait, number);
}

static int wait_order_compare(const void *a, const void *b)
{
	const struct wait_order *x = a, *y = b;

	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	return x->number < y->number ? -1 : x->number > y->number;
}

static void waits_report_sorted(struct wait_stream *waits, size_t key, const struct output *to)
{
	_cleanup_(freep) struct wait_order *order = NULL;
	const struct question *question = waits->question;
	size_t count = 0, capacity = 0;
	struct wait wait;

	for (uint64_t number = 1; wait_stream_next(waits, &wait); number++) {
		if (question->asked->wait && question->asked->wait != number)
			continue;
		ARRAY_GROW(order, count, capacity);
		order[count++] = (struct wait_order){
			.key = wait_key(&wait, key),
			.number = number,
			.track = wait.track,
			.segment = wait.segment,
		};
	}
	if (count)
		qsort(order, count, sizeof(*order), wait_order_compare);
	for (size_t i = 0; i < count; i++) {
		wait = wait_at(question, order[i].track, order[i].segment);
		waits_row(question, to, &wait, order[i].number);
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

	ARRAY_GROW(times->group, times->count, times->capacity);
	times->group[times->count++] = (struct wait_group){.name = 0};
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

static int wait_group_compare(const void *a, const void *b)
{
	const struct wait_group *x = a, *y = b;

	if (x->length.total != y->length.total)
		return x->length.total > y->length.total ? -1 : 1;
	if (x->length.count != y->length.count)
		return x->length.count > y->length.count ? -1 : 1;
	return x->name < y->name ? -1 : x->name > y->name;
}

static void group_row(const struct wait_times *times, const struct wait_group *group,
                      const struct output *to)
{
	struct distribution_sum length, delay;
	struct cell name = {.type = CELL_TEXT, .text = intern_text(&times->names, group->name)};

	distribution_sum(&group->length, &length);
	distribution_sum(&group->delay, &delay);
	if (group->name == 0)
		name.type = CELL_EMPTY;
	output_row(to, (struct cell[]){
				name,
				{.type = CELL_COUNT, .count = length.count},
				{.type = CELL_DURATION, .time = length.total},
				{.type = CELL_DISTRIBUTION, .distribution = &length},
				{.type = delay.count ? CELL_DISTRIBUTION : CELL_EMPTY,
	                        .distribution = &delay},
			});
}

static void groups_show(const struct wait_times *times, const struct output *to)
{
	static const struct {
		const char *key, *title;
	} names[] = {
		[BY_NOTHING] = {NULL, NULL}, [BY_COMM] = {"comm", "COMM"},
		[BY_KIND] = {"kind", "KIND"}, [BY_FUNCTION] = {"function", "ASLEEP IN"},
	};
	const enum grouping by = wait_times_by(times);
	const struct column group_columns[] = {
		{names[by].key, names[by].title, CELL_TEXT, COLUMN_TAILED},
		{"count", "COUNT", CELL_COUNT, COLUMN_TEXT_ONLY | COLUMN_SPARE(1)},
		{"total_ns", "TOTAL", CELL_DURATION, COLUMN_TEXT_ONLY},
		{"length", "P50 / P99 / MAX", CELL_DISTRIBUTION, 0},
		{"delay", "DELAY P50 / P99 / MAX", CELL_DISTRIBUTION, COLUMN_USEFUL(1)},
	};

	/* without groups the table has one row, which only CSV needs: CSV does not show the
	   fields */
	output_table_begin(to, "groups", by ? "Groups, by their time" : NULL, group_columns,
	                   ARRAY_SIZE(group_columns), /* is_single= */ false);
	for (size_t i = by ? 1 : 0; i < times->count; i++)
		group_row(times, &times->group[i], to);
	output_table_end(to);
}

static void bars_show(const struct wait_times *times, const struct output *to)
{
	_cleanup_(buffer_release) struct buffer title = {0};

	buffer_init(&title, BUFFER_LIMIT_DEFAULT);
	histogram_show_of(&times->group[0].length, "Lengths of all waits", to);
	for (size_t i = 1; i < times->count && i <= BARS_MAX; i++) {
		const char *name = intern_text(&times->names, times->group[i].name);

		buffer_clear(&title);
		buffer_puts(&title, "Lengths of waits of ");
		buffer_puts_clean(&title, name[0] ? name : "-", strlen(name[0] ? name : "-"));
		histogram_show_of(&times->group[i].length, title.text, to);
	}
}

static void times_print(const struct wait_times *times, const struct output *to)
{
	_cleanup_(buffer_release) struct buffer line = {0};
	struct distribution_sum sum;

	buffer_init(&line, BUFFER_LIMIT_DEFAULT);
	distribution_sum(&times->group[0].length, &sum);
	if (sum.count == 0) {
		prose_put(to, "No waits.");
		return;
	}
	buffer_printf(&line, "%s wait%s%s: half within %s, 99 of 100 within %s, the longest %s (at "
	              "%s).", COUNT_TEXT(sum.count), format_plural(sum.count),
	              question_scope(times->question), DURATION_TEXT(sum.p50),
	              DURATION_TEXT(sum.p99), DURATION_TEXT(sum.max),
	              INSTANT_OF(&times->question->instants, sum.max_at));
	prose_put(to, line.text);
	if (wait_times_by(times) != BY_FUNCTION || times->question->timeline->place_count)
		return;
	buffer_clear(&line);
	buffer_puts(&line, "Where tasks slept is not known");
	(void)record_hint_append(&line, " (", &times->question->resolved->recorded, "",
	                         /* stacks= */ true, " shows it)");
	buffer_puts(&line, ".");
	prose_put(to, line.text);
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
	struct column shown[COLUMN_COUNT];
	struct wait_stream waits;

	if (question->asked->lengths.are_shown)
		wait_times_show(question, to);
	waits_choose_columns(question, shown);
	wait_stream_init(&waits, question);
	output_section_begin(to, "waits", "Waits", /* is_list= */ true);
	if (waits.count && question->asked->wait == 0)
		prose_put(to, path_hint);
	question_print_memory(question, to);
	output_table_begin(to, "waits", NULL, shown, COLUMN_COUNT, false);
	if (key != SORT_BEGIN)
		waits_report_sorted(&waits, key, to);
	else
		waits_report_in_time(&waits, to);
	output_table_end(to);
	output_section_end(to);
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
