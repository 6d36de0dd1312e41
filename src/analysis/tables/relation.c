/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "relation.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/data/array.h"
#include "base/xalloc.h"
#include "cells.h"
#include "distribution.h"

/* of a form, those of the evidence, and the link */
#define FIELDS_MAX 29

void relation_release(struct tally *relation, const struct relation_form *form)
{
	EACH_OF(form->field, form->field_count, const struct field, field) {
		if (field->type != CELL_DISTRIBUTION || field->size != sizeof(struct distribution))
			continue;
		for (size_t row = 0; row < relation->count; row++)
			distribution_release(
				(void *)((char *)tally_at(relation, row) + field->offset));
	}
	tally_release(relation);
}

static uint64_t unsigned_of(const void *member, size_t size)
{
	if (size == sizeof(uint64_t))
		return *(const uint64_t *)member;
	if (size == sizeof(uint32_t))
		return *(const uint32_t *)member;
	if (size == sizeof(uint16_t))
		return *(const uint16_t *)member;
	assert(size == sizeof(uint8_t));
	return *(const uint8_t *)member;
}

static bool measure_is_set(const struct measure *measure)
{
	return measure->size || measure->of;
}

static uint64_t measure_of(const struct measure *measure, const void *row)
{
	if (measure->of)
		return measure->of(row);
	return unsigned_of((const char *)row + measure->offset, measure->size);
}

/* `state`: measures, ended by one that is not set. */
static int relation_row_compare(const void *a, const void *b, void *state)
{
	const void *x = *(const void *const *)a, *y = *(const void *const *)b;

	for (const struct measure *by = state; measure_is_set(by); by++) {
		uint64_t left = measure_of(by, x), right = measure_of(by, y);

		if (left != right)
			return left > right ? -1 : 1;
	}
	/* in the order in which the rows were made */
	return x < y ? -1 : x > y;
}

void relation_note_left_out(const struct tally *relation, const struct relation_form *form,
			    const struct question *question)
{
	if (relation->left_out && form->rows_named)
		health_doubt(question->health,
			     "%smore than %zu %s: %" PRIu64 "%s%s of others are left out",
			     form->of_named ? form->of_named : "", relation->most,
			     form->rows_named, relation->left_out, form->lost_named ? " " : "",
			     form->lost_named ? form->lost_named : "");
}

static bool row_is_shown(const struct relation_form *form, const void *row, const void *view,
                         const struct question *question)
{
	return (!measure_is_set(&form->unless_zero) || measure_of(&form->unless_zero, row)) &&
	       (!measure_is_set(&form->if_asked) ||
	        question->resolved->is_asked[measure_of(&form->if_asked, row)]) &&
	       (!form->is_shown || form->is_shown(view, row));
}

struct relation_rows relation_choose(const struct tally *relation,
				     const struct relation_form *form, const void *view,
				     const struct question *question)
{
	size_t key = form->sort_keys ? question_sort_key(question, form->sort_keys) : 0;
	/* NOLINTNEXTLINE: pointers are meant */
	struct relation_rows rows = {.row = xcalloc(relation->count, sizeof(*rows.row))};
	struct measure by[ARRAY_SIZE(form->order) + 2] = {0}, *to = by;

	for (size_t i = 0; i < relation->count; i++)
		if (row_is_shown(form, tally_at(relation, i), view, question))
			rows.row[rows.count++] = tally_at(relation, i);
	if (form->by_key)
		*to++ = form->by_key[key];
	memcpy(to, form->order, sizeof(form->order));
	if (rows.count)
		qsort_r(rows.row, rows.count, sizeof(void *), relation_row_compare, by);
	relation_note_left_out(relation, form, question);
	return rows;
}

void relation_rows_release(struct relation_rows *rows)
{
	free(rows->row);
	*rows = (struct relation_rows){0};
}

/* The state while the table is made: its columns, and the cells of one row. */
struct relation_table {
	const struct relation_form *form;
	const void *view;
	const struct question *question;
	const struct output *to;
	size_t rows;  /* that came; the first `limit` of them are shown */
	size_t limit;
	size_t first; /* column that is shown: 1 leaves out that of the machine */
	struct column shown[FIELDS_MAX];
	struct cell cell[FIELDS_MAX];
	struct buffer text[FIELDS_MAX]; /* for the columns of CELL_TEXT without a member */
	struct distribution_sum sum[FIELDS_MAX];
	/* Columns by number. `loaded`: each row loads its member; `text_columns` and `row_columns`:
	   fill() sets a text, or a table. */
	size_t loaded[FIELDS_MAX], text_columns[FIELDS_MAX], row_columns[FIELDS_MAX];
	size_t loaded_count, text_count, rows_count;
	size_t columns; /* those of the form, of the evidence, and the link */
	size_t evidence, link; /* columns; 0: there are none */
	struct cell blank[FIELDS_MAX]; /* what each row begins with: only the types are set */
};

static const struct column evidence_columns[] = {EVIDENCE_COLUMNS_OF_ROW};
static const struct column link_column = LINK_COLUMN;

static void table_init(struct relation_table *table, const struct relation_form *form,
			const struct question *question)
{
	struct column column[FIELDS_MAX];

	assert(form->field_count + ARRAY_SIZE(evidence_columns) < FIELDS_MAX);
	table->form = form;
	table->question = question;
	if (form->field[0].type == CELL_MACHINE)
		table->first = machine_column_skip(question->timeline);
	for (size_t i = 0; i < form->field_count; i++) {
		const struct field *field = &form->field[i];

		column[i] = (struct column){field->key, field->title, field->type,
		                            field->flags | form->flags |
		                                    (field->key ? 0 : COLUMN_TEXT_ONLY)};
		table->blank[i].type = field->type;
		if (field->type == CELL_TEXT && field->size == 0) {
			buffer_init(&table->text[i], BUFFER_LIMIT_DEFAULT);
			table->text_columns[table->text_count++] = i;
		} else if (field->type == CELL_ROWS) {
			table->row_columns[table->rows_count++] = i;
		} else if (field->size) {
			table->loaded[table->loaded_count++] = i;
		}
	}
	/* --sort may be meant for another view */
	if (form->sort_keys)
		question_choose_columns(question, column, form->field_count, table->shown);
	else
		memcpy(table->shown, column, form->field_count * sizeof(*column));
	table->columns = form->field_count;
	if (form->claim && question->evidence) {
		table->evidence = table->columns;
		memcpy(table->shown + table->columns, evidence_columns, sizeof(evidence_columns));
		table->columns += ARRAY_SIZE(evidence_columns);
	}
	if (form->next && question_has_links(question)) {
		table->link = table->columns++;
		table->shown[table->link] = link_column;
		table->shown[table->link].flags |= form->flags;
		buffer_init(&table->text[table->link], BUFFER_LIMIT_DEFAULT);
	}
}

static void distribution_load(const void *member, size_t size, struct distribution_sum *sum,
                              struct cell *cell)
{
	const struct distribution *of =
		size == sizeof(void *) ? *(const struct distribution *const *)member : member;

	if (of)
		distribution_sum(of, sum);
	else if (sum->count) /* of the row before */
		*sum = (struct distribution_sum){0};
	cell->distribution = sum;
	if (sum->count == 0)
		cell->type = CELL_EMPTY;
}

/* The text, or a name of the timeline. */
static void text_load(const struct relation_table *table, const struct field *field,
                      const void *member, struct cell *cell)
{
	if (field->is_string)
		cell->text = *(const char *const *)member;
	else
		cell->text = *(const uint32_t *)member
		                     ? intern_text(&table->question->timeline->names,
		                                   *(const uint32_t *)member)
		                     : NULL;
	if (!cell->text)
		cell->type = CELL_EMPTY;
}

static void cell_load(struct relation_table *table, size_t at, const void *row)
{
	const struct field *field = &table->form->field[at];
	const struct measure *time = &table->form->task_time;
	const void *member = (const char *)row + field->offset;
	struct cell *cell = &table->cell[at];

	/* the most frequent types first */
	if (field->type == CELL_DURATION || field->type == CELL_INSTANT)
		cell->time = unsigned_of(member, field->size);
	else if (field->type == CELL_COUNT)
		cell->count = unsigned_of(member, field->size);
	else if (field->type == CELL_TEXT || field->type == CELL_FRAMES)
		text_load(table, field, member, cell);
	else if (field->type == CELL_BOOL)
		cell->boolean = *(const bool *)member;
	else if (field->type == CELL_TASK)
		*cell = cell_of_task_at(table->question->timeline, *(const uint32_t *)member,
		                        measure_is_set(time) ? measure_of(time, row) : NSEC_NEVER);
	else if (field->type == CELL_DISTRIBUTION)
		distribution_load(member, field->size, &table->sum[at], cell);
	else if (field->type == CELL_BY_KIND)
		cell->by_kind = member;
	else if (field->type == CELL_INTEGER)
		cell->integer = field->size == sizeof(int64_t) ? *(const int64_t *)member
		                                               : *(const int32_t *)member;
	else if (field->type == CELL_PRIORITY)
		cell->integer = *(const int16_t *)member;
	else {
		/* only fill() fills a column of any other type */
		assert(field->type == CELL_MACHINE);
		*cell = cell_of_machine(table->question->timeline,
		                        (uint32_t)unsigned_of(member, field->size));
	}
}

bool relation_table_is_full(const struct relation_table *table)
{
	return table->rows >= table->limit;
}

void relation_table_row(struct relation_table *table, const void *row)
{
	const struct relation_form *form = table->form;

	if (table->rows++ >= table->limit)
		return;
	memcpy(table->cell, table->blank, form->field_count * sizeof(*table->cell));
	for (size_t i = 0; i < table->loaded_count; i++)
		cell_load(table, table->loaded[i], row);
	for (size_t i = 0; i < table->text_count; i++)
		buffer_clear(&table->text[table->text_columns[i]]);
	if (form->fill)
		form->fill(table->view, row, table->cell, table->text);
	for (size_t i = 0; i < table->text_count; i++) {
		size_t at = table->text_columns[i];

		if (table->cell[at].type == CELL_TEXT && !table->cell[at].text)
			table->cell[at].text = table->text[at].text;
	}
	if (table->evidence)
		evidence_fill(table->question, form->claim(table->view, row),
		              table->cell + table->evidence);
	if (table->link)
		row_link_fill(&table->text[table->link], form->next, table->shown, table->cell,
		              table->columns, table->question);
	output_row(table->to, table->cell + table->first);
	for (size_t i = 0; i < table->rows_count; i++) {
		const struct cell *cell = &table->cell[table->row_columns[i]];

		if (cell->type == CELL_ROWS)
			free((void *)(uintptr_t)cell->rows.cells);
	}
}

/* Adapts the columns to the rows, and shows their titles. */
static struct relation_table *table_begin(const struct relation_form *form,
                                          const struct relation_rows *rows, bool is_hidden,
                                          const void *view, const struct question *question,
                                          const struct output *to)
{
	struct relation_table *table = xcalloc(1, sizeof(*table));

	table_init(table, form, question);
	table->view = view;
	table->to = to;
	table->limit = output_row_count(to, SIZE_MAX);
	if (form->adapt)
		form->adapt(view, rows, table->shown);
	for (size_t i = 0; is_hidden && i < form->field_count; i++)
		table->shown[i].flags |= COLUMN_DATA_ONLY;
	for (size_t i = 1; is_hidden && form->is_bare_if_empty && i < form->field_count; i++)
		relation_drop(&table->shown[i]);
	output_table_begin(to, form->key, is_hidden ? NULL : form->title,
	                   table->shown + table->first, table->columns - table->first,
	                   form->is_single);
	return table;
}

struct relation_table *relation_table_begin(const struct relation_form *form, const void *view,
                                            const struct question *question,
                                            const struct output *to)
{
	return table_begin(form, &(struct relation_rows){0}, /* is_hidden= */ false, view,
	                   question, to);
}

void relation_table_end(struct relation_table *table)
{
	output_leave_rows(table->to, table->rows - output_row_count(table->to, table->rows));
	output_table_end(table->to);
	for (size_t i = 0; i < table->text_count; i++)
		buffer_release(&table->text[table->text_columns[i]]);
	if (table->link)
		buffer_release(&table->text[table->link]);
	free(table);
}

void relation_show(const struct relation_form *form, const struct relation_rows *rows,
                   const void *view, const struct question *question, const struct output *to)
{
	bool is_hidden = form->is_hidden_if_empty && rows->count == 0;
	struct relation_table *table = table_begin(form, rows, is_hidden, view, question, to);

	for (size_t i = 0; i < rows->count; i++)
		relation_table_row(table, rows->row[i]);
	relation_table_end(table);
}

void relation_put(const struct tally *relation, const struct relation_form *form,
                  const void *view, const struct question *question, const struct output *to)
{
	struct relation_rows rows = relation_choose(relation, form, view, question);

	relation_show(form, &rows, view, question, to);
	relation_rows_release(&rows);
}
