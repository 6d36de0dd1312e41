/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "loan_list.h"

#include <inttypes.h>

#include "analysis/tables/cells.h"
#include "base/data/array.h"

static void loan_list_take(void *state, const struct interval *interval)
{
	struct loan_list *list = state;
	nsec_t begin = interval->begin, end = interval->end;
	const struct loan_key key = {
		.task = interval->task,
		.lender = interval->other,
		.priority = interval->loan.priority,
		.own = interval->loan.own,
	};
	struct loan *loan;

	if (list->gate.question->resolved && !question_clip(list->gate.question, &begin, &end))
		return;
	loan = relation_row(&list->loans, &key);
	if (!loan)
		return;
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
	relation_init(&list->loans, sizeof(struct loan), sizeof(struct loan_key), LOANS_MAX);
	interval_gate_init(&list->gate, question, loan_list_take);
	list->gate.wide_kinds = INTERVAL_MASK_ALL;
}

void loan_list_release(struct loan_list *list)
{
	interval_gate_release(&list->gate);
	relation_release(&list->loans, NULL);
}

void loan_list_add(struct loan_list *list, const struct interval *interval)
{
	interval_gate_pass(&list->gate, list, interval);
}

static int loan_key_compare(const struct loan_key *x, const struct loan_key *y)
{
	if (x->task != y->task)
		return x->task < y->task ? -1 : 1;
	if (x->lender != y->lender)
		return x->lender < y->lender ? -1 : 1;
	return x->priority != y->priority ? x->priority - y->priority : x->own - y->own;
}

static int loan_compare(const void *a, const void *b)
{
	const struct loan *x = a, *y = b;

	if (x->total != y->total)
		return x->total > y->total ? -1 : 1;
	return loan_key_compare(&x->key, &y->key);
}

void loan_list_resolve(struct loan_list *list)
{
	interval_gate_resolve(&list->gate, list);
	/* no row is looked up by its key any more */
	array_sort(list->loans.row, list->loans.count, sizeof(struct loan), loan_compare);
}

const struct loan *loan_list_find(const struct loan_list *list, uint32_t task)
{
	for (size_t i = 0; i < list->loans.count; i++) {
		const struct loan *loan = relation_at(&list->loans, i);

		if (loan->key.task == task)
			return loan;
	}
	return NULL;
}

static void loan_row(const struct loan_list *list, const struct loan *loan, const struct output *to)
{
	const struct timeline *timeline = list->gate.question->timeline;

	output_row(to, (struct cell[]){
				cell_of_task(timeline, loan->key.task),
				{.type = CELL_PRIORITY, .integer = loan->key.own},
				{.type = CELL_PRIORITY, .integer = loan->key.priority},
				cell_of_task(timeline, loan->key.lender),
				{.type = CELL_COUNT, .count = loan->count},
				{.type = CELL_DURATION, .time = loan->total},
				{.type = CELL_DURATION, .time = loan->max},
				{.type = CELL_INSTANT, .time = loan->max_at},
				{.type = CELL_COUNT, .count = loan->unfinished},
			});
}

void loan_list_report(const struct loan_list *list,
                      bool (*is_shown)(const void *state, const struct loan *loan),
                      const void *state, const struct output *to)
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

	for (size_t i = 0; i < list->loans.count && !is_any; i++)
		is_any = is_shown(state, relation_at(&list->loans, i));
	/* locks rarely lend a priority, so the screen shows the table only if there are loans */
	output_table_begin(to, "loans", is_any ? "Priorities lent by locks" : NULL,
	                   is_any ? columns : empty_columns,
	                   is_any ? ARRAY_SIZE(columns) : ARRAY_SIZE(empty_columns),
	                   /* is_single= */ false);
	for (size_t i = 0; i < list->loans.count; i++)
		if (is_shown(state, relation_at(&list->loans, i)))
			loan_row(list, relation_at(&list->loans, i), to);
	output_table_end(to);
	if (list->loans.left_out)
		health_doubt(list->gate.question->health,
		             "priorities were lent too often: %" PRIu64 " are left out",
		             list->loans.left_out);
}
