/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One line a wait, in order of time. */
#include <stdlib.h>

#include "analysis.h"
#include "base/array.h"
#include "wait_list.h"

static void *waits_begin(const struct question *question)
{
	const struct question **state = xmalloc(sizeof(const struct question *));

	*state = question;
	return state;
}

static const struct column columns[] = {
	{NULL, "#", CELL_COUNT, COLUMN_TEXT_ONLY},
	{"begin_ns", "BEGIN", CELL_INSTANT, 0},
	{"end_ns", "WOKEN", CELL_INSTANT, 0},
	{"run_ns", "RUN", CELL_INSTANT, 0},
	{NULL, "WAITED", CELL_DURATION, COLUMN_TEXT_ONLY},
	{NULL, "DELAY", CELL_DURATION, COLUMN_TEXT_ONLY},
	{"task", "TASK", CELL_TASK, 0},
	{"state", "ST", CELL_TEXT, 0},
	{"open", "OPEN", CELL_BOOL, COLUMN_DATA_ONLY},
	{"confidence", "CONF", CELL_CONFIDENCE, 0},
	{"cause", "CAUSE", CELL_CAUSE, 0},
};

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
	cell[9].confidence = wait->cause ? (enum confidence)wait->cause->confidence
	                                 : CONFIDENCE_LOW;
	if (wait->cause)
		cause = timeline_cause(timeline, wait->cause, wait->end);
	else
		cause = (struct cause){.kind = CAUSE_UNKNOWN, .origin = NSEC_NEVER};
	cell[10].cause = &cause;
	if (wait->run == NSEC_NEVER)
		cell[3].type = cell[5].type = CELL_EMPTY;
	presenter->row(to, cell);
}

static void waits_report(void *state, const struct presenter *presenter, void *to)
{
	const struct question *question = *(const struct question **)state;
	struct wait_list list;

	wait_list_fill(&list, question);
	presenter->section_begin(to, "waits", "Waits", /* is_list= */ true);
	presenter->table_begin(to, "waits", NULL, columns, ARRAY_SIZE(columns), false);
	for (size_t i = 0; i < list.count; i++)
		if (question->wait == 0 || question->wait == i + 1)
			waits_row(question, presenter, to, &list.wait[i], i + 1);
	presenter->table_end(to);
	presenter->section_end(to);
	wait_list_release(&list);
}

const struct analysis waits_analysis = {
	.name = "waits",
	.title = "Waits",
	.needs_history = true,
	.begin = waits_begin,
	.report = waits_report,
	.end = free,
};
