/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "loan_list.h"

#include <inttypes.h>
#include <stdlib.h>

#include "analysis/cells.h"
#include "base/array.h"

static struct loan *loan_list_get(struct loan_list *list, const struct interval *interval)
{
	const struct loan wanted = {
		.task = interval->task,
		.lender = interval->other,
		.priority = interval->loan.priority,
		.own = interval->loan.own,
	};

	for (size_t i = 0; i < list->count; i++) {
		struct loan *loan = &list->loan[i];

		if (loan->task == wanted.task && loan->lender == wanted.lender &&
		    loan->priority == wanted.priority && loan->own == wanted.own)
			return loan;
	}
	if (list->count == LOANS_MAX)
		return NULL;
	ARRAY_GROW(list->loan, list->count, list->capacity);
	list->loan[list->count] = wanted;
	return &list->loan[list->count++];
}

static void loan_list_take(void *state, const struct interval *interval)
{
	struct loan_list *list = state;
	nsec_t begin = interval->begin, end = interval->end;
	struct loan *loan;

	if (list->gate.question->is_asked && !question_clip(list->gate.question, &begin, &end))
		return;
	loan = loan_list_get(list, interval);
	if (!loan) {
		list->left_out++;
		return;
	}
	loan->count++;
	loan->unfinished += interval->loan.is_unfinished;
	loan->total += end - begin;
	if (end - begin >= loan->max) {
		loan->max = end - begin;
		loan->max_at = begin;
	}
}

void loan_list_init(struct loan_list *list, const struct question *question)
{
	*list = (struct loan_list){0};
	interval_gate_init(&list->gate, question, loan_list_take);
	list->gate.is_wide = true;
}

void loan_list_release(struct loan_list *list)
{
	interval_gate_release(&list->gate);
	free(list->loan);
}

void loan_list_add(struct loan_list *list, const struct interval *interval)
{
	interval_gate_pass(&list->gate, list, interval);
}

static int loan_compare(const void *a, const void *b)
{
	const struct loan *x = a, *y = b;

	if (x->total != y->total)
		return x->total > y->total ? -1 : 1;
	if (x->task != y->task)
		return x->task < y->task ? -1 : 1;
	if (x->lender != y->lender)
		return x->lender < y->lender ? -1 : 1;
	return x->priority != y->priority ? x->priority - y->priority : x->own - y->own;
}

void loan_list_resolve(struct loan_list *list)
{
	interval_gate_resolve(&list->gate, list);
	array_sort(list->loan, list->count, sizeof(*list->loan), loan_compare);
}

const struct loan *loan_list_find(const struct loan_list *list, uint32_t task)
{
	for (size_t i = 0; i < list->count; i++)
		if (list->loan[i].task == task)
			return &list->loan[i];
	return NULL;
}

static void loan_row(const struct loan_list *list, const struct loan *loan,
                     const struct presenter *presenter, void *to)
{
	const struct timeline *timeline = list->gate.question->timeline;

	presenter->row(to, (struct cell[]){
				   cell_of_task(timeline, loan->task),
				   {.type = CELL_PRIORITY, .integer = loan->own},
				   {.type = CELL_PRIORITY, .integer = loan->priority},
				   cell_of_task(timeline, loan->lender),
				   {.type = CELL_COUNT, .count = loan->count},
				   {.type = CELL_DURATION, .time = loan->total},
				   {.type = CELL_DURATION, .time = loan->max},
				   {.type = CELL_INSTANT, .time = loan->max_at},
				   {.type = CELL_COUNT, .count = loan->unfinished},
			   });
}

void loan_list_report(const struct loan_list *list,
                      bool (*is_shown)(const void *state, const struct loan *loan),
                      const void *state, const struct presenter *presenter, void *to)
{
	static const struct column columns[] = {
		{"task", "TASK", CELL_TASK, 0},
		{"own_priority", "PRIO", CELL_PRIORITY, COLUMN_USEFUL(2)},
		{"priority", "LENT", CELL_PRIORITY, 0},
		{"lender", "BY", CELL_TASK, 0},
		{"count", "COUNT", CELL_COUNT, COLUMN_SPARE(2)},
		{"total_ns", "TOTAL", CELL_DURATION, COLUMN_USEFUL(1)},
		{"max_ns", "LONGEST", CELL_DURATION, COLUMN_USEFUL(3)},
		{"max_at_ns", "AT", CELL_INSTANT, COLUMN_SPARE(1)},
		{"unfinished", "UNFINISHED", CELL_COUNT, COLUMN_DATA_ONLY},
	};
	static const struct column empty_columns[] = {{"task", NULL, CELL_TASK, COLUMN_DATA_ONLY}};
	bool is_any = false;

	for (size_t i = 0; i < list->count && !is_any; i++)
		is_any = is_shown(state, &list->loan[i]);
	/* locks rarely lend a priority: a screen shows the table only if one did */
	presenter->table_begin(to, "loans", is_any ? "Priorities lent by locks" : NULL,
	                       is_any ? columns : empty_columns,
	                       is_any ? ARRAY_SIZE(columns) : ARRAY_SIZE(empty_columns),
	                       /* is_single= */ false);
	for (size_t i = 0; i < list->count; i++)
		if (is_shown(state, &list->loan[i]))
			loan_row(list, &list->loan[i], presenter, to);
	presenter->table_end(to);
	if (list->left_out)
		health_note(list->gate.question->health,
		            "too many priorities were lent: %" PRIu64 " are left out",
		            list->left_out);
}
