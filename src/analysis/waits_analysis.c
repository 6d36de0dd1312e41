/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One line a wait, in order of time. */
#include <stdlib.h>
#include <string.h>

#include "analysis.h"
#include "base/array.h"
#include "base/cleanup.h"
#include "wait_list.h"

static void *waits_begin(const struct question *question)
{
	const struct question **state = xmalloc(sizeof(const struct question *));

	*state = question;
	return state;
}

static const struct column columns[] = {
	{NULL, "#", CELL_COUNT, COLUMN_TEXT_ONLY | COLUMN_NUMBER},
	{"begin_ns", "BEGIN", CELL_INSTANT, 0},
	{"end_ns", "WOKEN", CELL_INSTANT, 0},
	{"run_ns", "RUN", CELL_INSTANT, 0},
	{NULL, "WAITED", CELL_DURATION, COLUMN_TEXT_ONLY},
	{NULL, "DELAY", CELL_DURATION, COLUMN_TEXT_ONLY},
	{"task", "TASK", CELL_TASK, 0},
	{"state", "ST", CELL_TEXT, 0},
	{"open", "OPEN", CELL_BOOL, COLUMN_DATA_ONLY},
	{"for_work", "FOR WORK", CELL_BOOL, COLUMN_DATA_ONLY},
	{"confidence", "CONF", CELL_CONFIDENCE, 0},
	{"io_wait", "IO WAIT", CELL_BOOL, COLUMN_DATA_ONLY},
	{"stack", "ASLEEP IN", CELL_FRAMES, 0},
	{"cause", "CAUSE", CELL_CAUSE, 0},
};
#define COLUMN_STACK 12

static void waits_row(const struct question *question, const struct presenter *presenter, void *to,
                      const struct wait *wait, uint64_t number)
{
	const struct timeline *timeline = question->timeline;
	struct cell cell[ARRAY_SIZE(columns)];
	struct cause cause;
	char letter[2] = {(char)wait->letter, '\0'};

	for (size_t i = 0; i < ARRAY_SIZE(columns); i++)
		cell[i].type = columns[i].type;
	cell[0].count = number;
	cell[1].time = wait->begin;
	cell[2].time = wait->end;
	cell[3].time = wait->run;
	cell[4].time = wait->end - wait->begin;
	cell[5].time = wait->run - wait->end;
	cell[6].task = timeline_task(timeline, wait->line, wait->begin);
	cell[7].text = letter;
	cell[8].boolean = wait->is_open;
	cell[9].boolean = wait->is_for_work;
	cell[10].confidence = wait->cause ? (enum confidence)wait->cause->confidence
	                                 : CONFIDENCE_LOW;
	if (wait->cause)
		cause = timeline_cause(timeline, wait->cause, wait->end);
	else
		cause = (struct cause){.kind = CAUSE_UNKNOWN, .origin = NSEC_NEVER};
	cell[11].boolean = wait->place.io_wait == IO_WAIT_YES;
	if (wait->place.io_wait == IO_WAIT_UNKNOWN)
		cell[11].type = CELL_EMPTY;
	cell[COLUMN_STACK].text = intern_text(&timeline->names, wait->place.frames);
	if (wait->place.frames == 0)
		cell[COLUMN_STACK].type = CELL_EMPTY;
	cell[13].cause = &cause;
	if (wait->run == NSEC_NEVER)
		cell[3].type = cell[5].type = CELL_EMPTY;
	presenter->row(to, cell);
}

static const char *const sort_keys[] = {"begin", "end", "wait", "delay", NULL};

static nsec_t wait_delay(const struct wait *wait)
{
	return wait->run == NSEC_NEVER ? 0 : wait->run - wait->end;
}

/* Numbers of waits, longest first or by another instant; equal ones stay in order of time. */
struct wait_order {
	const struct wait_list *list;
	const char *key;
};

static int wait_order_compare(const void *a, const void *b, void *state)
{
	const struct wait_order *order = state;
	size_t left = *(const size_t *)a, right = *(const size_t *)b;
	const struct wait *x = &order->list->wait[left], *y = &order->list->wait[right];
	nsec_t one = x->end, two = y->end;

	if (strcmp(order->key, "wait") == 0) {
		one = y->end - y->begin;
		two = x->end - x->begin;
	} else if (strcmp(order->key, "delay") == 0) {
		one = wait_delay(y);
		two = wait_delay(x);
	}
	if (one != two)
		return one < two ? -1 : 1;
	return left < right ? -1 : left > right;
}

/* The order in which waits are shown; NULL: as they stand in the list. */
static size_t *waits_sort(const struct wait_list *list, const char *key)
{
	struct wait_order order = {list, key};
	size_t *number;

	if (!key || strcmp(key, "begin") == 0)
		return NULL;
	number = xreallocarray(NULL, list->count, sizeof(*number));
	for (size_t i = 0; i < list->count; i++)
		number[i] = i;
	qsort_r(number, list->count, sizeof(*number), wait_order_compare, &order);
	return number;
}

static bool key_is_known(const char *key)
{
	for (size_t i = 0; key && sort_keys[i]; i++)
		if (strcmp(sort_keys[i], key) == 0)
			return true;
	return false;
}

static bool waits_has_answer(const void *state, struct buffer *why)
{
	return wait_list_has_asked(*(const struct question *const *)state, why);
}

static const char path_hint[] =
	"What a wait consisted of: --critical-path --wait #, with the same filters.";

static void waits_report(void *state, const struct presenter *presenter, void *to)
{
	const struct question *question = *(const struct question **)state;
	_cleanup_(freep) size_t *number = NULL;
	struct wait_list list;

	struct column shown[ARRAY_SIZE(columns)];

	memcpy(shown, columns, sizeof(shown));
	if (question->timeline->place_count == 0) /* most traces have no stacks */
		shown[COLUMN_STACK].flags |= COLUMN_DATA_ONLY;
	wait_list_fill(&list, question);
	number = waits_sort(&list, key_is_known(question->sort) ? question->sort : NULL);
	presenter->section_begin(to, "waits", "Waits", /* is_list= */ true);
	if (list.count && question->wait == 0)
		presenter->field(to, NULL, NULL,
		                 &(struct cell){.type = CELL_TEXT, .text = path_hint});
	presenter->table_begin(to, "waits", NULL, shown, ARRAY_SIZE(shown), false);
	for (size_t i = 0; i < list.count; i++) {
		size_t at = number ? number[i] : i;

		if (question->wait == 0 || question->wait == at + 1)
			waits_row(question, presenter, to, &list.wait[at], at + 1);
	}
	presenter->table_end(to);
	presenter->section_end(to);
	wait_list_release(&list);
}

const struct analysis waits_analysis = {
	.name = "waits",
	.title = "Waits",
	.sort_keys = sort_keys,
	.needs_history = true,
	.begin = waits_begin,
	.has_answer = waits_has_answer,
	.report = waits_report,
	.end = free,
};
