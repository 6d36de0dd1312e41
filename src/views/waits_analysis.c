/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One row a wait, in order of time. */
#include <stdlib.h>
#include <string.h>

#include "analysis/analysis.h"
#include "analysis/cells.h"
#include "analysis/prose.h"
#include "analysis/wait_list.h"
#include "base/array.h"
#include "base/buffer.h"
#include "base/cleanup.h"
#include "graph/fold.h"
#include "wait_times.h"
#include "words/cause_words.h"

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
	/* the name of spurious wakeups when these keys were made */
	[COLUMN_SPURIOUS_WAKEUPS] = {"false_wakes", "SPURIOUS", CELL_COUNT, COLUMN_SPARE(4)},
	[COLUMN_SPURIOUS_WAKERS] = {"false_wakers", NULL, CELL_LINKS, COLUMN_DATA_ONLY},
	[COLUMN_CAUSE] = {"cause", "CAUSE", CELL_CAUSE, COLUMN_DATA_ONLY},
	[COLUMN_WHY] = {NULL, "CAUSE", CELL_CAUSE, COLUMN_TEXT_ONLY},
};

/* Listed spurious wakers of one wait; the count includes all. */
#define SPURIOUS_WAKERS_MAX 32

static struct cause wait_cause(const struct timeline *timeline, const struct wait *wait)
{
	if (wait->cause)
		return timeline_cause(timeline, wait->cause, wait->end);
	return (struct cause){.kind = CAUSE_UNKNOWN, .origin = NSEC_NEVER};
}

/* Instead of a cause, for a wait that has not ended: what is known of it. */
static void wait_describe_open(const struct cause *cause, struct buffer *to)
{
	open_text_append(to, "not ended in this trace", cause);
}

/* The tasks that woke it spuriously; the caller provides the links and causes. */
static size_t wait_spurious_wakers(const struct timeline *timeline, const struct wait *wait,
				    struct chain_link *links, struct cause *causes, size_t *ret_all)
{
	const struct spurious_wakeup *wake =
		timeline_spurious_wakeups(&timeline->line[wait->line], wait->segment, ret_all);
	size_t count = *ret_all < SPURIOUS_WAKERS_MAX ? *ret_all : SPURIOUS_WAKERS_MAX;

	for (size_t i = 0; i < count; i++) {
		causes[i] = timeline_cause(timeline, timeline_cause_at(timeline, wake[i].cause),
		                           wake[i].time);
		links[i] = (struct chain_link){
			.comm = causes[i].has_waker ? causes[i].waker.comm
			                            : cause_kind_name(causes[i].kind),
			.state = "waiting",
			.cause = &causes[i],
		};
	}
	return count;
}

static void waits_row(const struct question *question, const struct output *to,
                      const struct wait *wait, uint64_t number)
{
	const struct timeline *timeline = question->timeline;
	struct cause cause = wait_cause(timeline, wait), causes[SPURIOUS_WAKERS_MAX];
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
	cell[COLUMN_TASK].task = timeline_task(timeline, wait->line, wait->begin);
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
	if (wait->is_open) {
		buffer_init(&why, 512);
		wait_describe_open(&cause, &why);
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
	nsec_t key; /* smallest first; equal ones stay in order of time */
	uint64_t number;
	uint32_t line, segment;
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
	"What a wait consisted of: --critical-path --wait #, with the same filters.";

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
			.line = wait.line,
			.segment = wait.segment,
		};
	}
	if (count)
		qsort(order, count, sizeof(*order), wait_order_compare);
	for (size_t i = 0; i < count; i++) {
		wait = wait_at(question, order[i].line, order[i].segment);
		waits_row(question, to, &wait, order[i].number);
	}
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
	.heeds = HEEDS_TASKS | HEEDS_KINDS | HEEDS_CPUS | HEEDS_MIN | HEEDS_FOLD | HEEDS_WAIT |
	         HEEDS_HISTOGRAM | HEEDS_BY,
	.needs_history = true,
	.has_answer = waits_has_answer,
	.report = waits_report,
};
