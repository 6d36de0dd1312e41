/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analysis/tables/relation.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/xalloc.h"
#include "analysis/tables/cells.h"
#include "analysis/tables/distribution.h"

#define FIELDS_MAX 24

void relation_init(struct relation *relation, size_t row_bytes, size_t key_bytes, uint32_t limit)
{
	*relation = (struct relation){
		.row_bytes = row_bytes,
		.key_bytes = key_bytes,
		.limit = limit,
	};
	map_init(&relation->by_hash);
}

void relation_release(struct relation *relation, const struct relation_form *form)
{
	for (size_t i = 0; form && i < form->field_count; i++) {
		const struct field *field = &form->field[i];

		if (field->type != CELL_DISTRIBUTION || field->size == 0)
			continue;
		for (size_t row = 0; row < relation->count; row++)
			distribution_release(
				(void *)((char *)relation_at(relation, row) + field->offset));
	}
	free(relation->row);
	map_release(&relation->by_hash);
	*relation = (struct relation){0};
}

void *relation_add(struct relation *relation)
{
	if (relation->count == relation->limit) {
		relation->left_out++;
		return NULL;
	}
	if (relation->count == relation->capacity) {
		relation->capacity = relation->capacity ? relation->capacity * 2 : 8;
		relation->row =
			xreallocarray(relation->row, relation->capacity, relation->row_bytes);
	}
	return memset(relation_at(relation, relation->count++), 0, relation->row_bytes);
}

static uint64_t key_hash(const char *key, size_t bytes)
{
	uint64_t hash = 0, word;

	for (; bytes >= sizeof(word); bytes -= sizeof(word), key += sizeof(word)) {
		memcpy(&word, key, sizeof(word));
		hash = hash_mix(hash, word);
	}
	if (bytes == 0)
		return hash;
	word = 0;
	memcpy(&word, key, bytes);
	return hash_mix(hash, word);
}

void *relation_row(struct relation *relation, const void *key)
{
	uint64_t hash = key_hash(key, relation->key_bytes);
	uint32_t index;
	void *row;

	MAP_HASH_EACH(&relation->by_hash, hash, index)
		if (memcmp(relation_at(relation, index), key, relation->key_bytes) == 0)
			return relation_at(relation, index);
	row = relation_add(relation);
	if (!row)
		return NULL;
	map_put(&relation->by_hash, hash, (uint32_t)relation->count - 1);
	return memcpy(row, key, relation->key_bytes);
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

struct order {
	struct measure first, then;
};

static uint64_t measure_of(const struct measure *measure, const void *row)
{
	if (measure->of)
		return measure->of(row);
	return unsigned_of((const char *)row + measure->offset, measure->size);
}

static int relation_row_compare(const void *a, const void *b, void *state)
{
	const struct order *order = state;
	const void *x = *(const void *const *)a, *y = *(const void *const *)b;
	uint64_t left = measure_of(&order->first, x), right = measure_of(&order->first, y);

	if (left == right && (order->then.of || order->then.size)) {
		left = measure_of(&order->then, x);
		right = measure_of(&order->then, y);
	}
	if (left != right)
		return left > right ? -1 : 1;
	/* in the order in which the rows were made */
	return x < y ? -1 : x > y;
}

void relation_note_left_out(const struct relation *relation, const struct relation_form *form,
			    const struct question *question)
{
	if (relation->left_out && form->rows_named)
		health_doubt(question->health,
			     "%smore than %" PRIu32 " %s: %" PRIu64 "%s%s of others are left out",
			     form->of_named ? form->of_named : "", relation->limit,
			     form->rows_named, relation->left_out, form->lost_named ? " " : "",
			     form->lost_named ? form->lost_named : "");
}

struct relation_rows relation_choose(const struct relation *relation,
				     const struct relation_form *form, const void *view,
				     const struct question *question)
{
	size_t key = form->sort_keys ? question_sort_key(question, form->sort_keys) : 0;
	struct order order = {form->by_key[key], form->then};
	/* NOLINTNEXTLINE: pointers are meant */
	struct relation_rows rows = {.row = xcalloc(relation->count, sizeof(*rows.row))};

	for (size_t i = 0; i < relation->count; i++)
		if (!form->is_shown || form->is_shown(view, relation_at(relation, i)))
			rows.row[rows.count++] = relation_at(relation, i);
	qsort_r(rows.row, rows.count, sizeof(void *), relation_row_compare, &order);
	relation_note_left_out(relation, form, question);
	return rows;
}

void relation_rows_release(struct relation_rows *rows)
{
	free(rows->row);
	*rows = (struct relation_rows){0};
}

/* The state while the table is made: its columns, and the cells of one row. */
struct making {
	const struct relation_form *form;
	const struct question *question;
	size_t first; /* column that is shown: 1 leaves out that of the machine */
	struct column shown[FIELDS_MAX];
	struct cell cell[FIELDS_MAX];
	struct buffer text[FIELDS_MAX]; /* for the columns of CELL_TEXT without a member */
	struct distribution_sum sum[FIELDS_MAX];
};

static bool field_has_text(const struct field *field)
{
	return field->type == CELL_TEXT && field->size == 0;
}

static void making_init(struct making *making, const struct relation_form *form,
			const struct question *question)
{
	struct column column[FIELDS_MAX];

	assert(form->field_count <= FIELDS_MAX);
	making->form = form;
	making->question = question;
	if (form->field[0].type == CELL_MACHINE)
		making->first = machine_column_skip(question->timeline);
	for (size_t i = 0; i < form->field_count; i++) {
		const struct field *field = &form->field[i];

		column[i] = (struct column){field->key, field->title, field->type, field->flags};
		if (field_has_text(field))
			buffer_init(&making->text[i], BUFFER_LIMIT_DEFAULT);
	}
	/* --sort may be meant for another view */
	if (form->sort_keys)
		question_choose_columns(question, column, form->field_count, making->shown);
	else
		memcpy(making->shown, column, form->field_count * sizeof(*column));
}

static void making_release(struct making *making)
{
	for (size_t i = 0; i < making->form->field_count; i++)
		if (field_has_text(&making->form->field[i]))
			buffer_release(&making->text[i]);
	free(making);
}

static void distribution_load(const void *member, struct distribution_sum *sum, struct cell *cell)
{
	distribution_sum(member, sum);
	cell->distribution = sum;
	if (sum->count == 0)
		cell->type = CELL_EMPTY;
}

static void cell_load(struct making *making, size_t at, const void *row)
{
	const struct field *field = &making->form->field[at];
	const void *member = (const char *)row + field->offset;
	struct cell *cell = &making->cell[at];

	if (field->type == CELL_MACHINE)
		*cell = cell_of_machine(making->question->timeline, *(const uint32_t *)member);
	else if (field->type == CELL_TASK)
		*cell = cell_of_task(making->question->timeline, *(const uint32_t *)member);
	else if (field->type == CELL_TEXT)
		*cell = cell_of_name(making->question->timeline, CELL_TEXT,
				     *(const uint32_t *)member);
	else if (field->type == CELL_DISTRIBUTION)
		distribution_load(member, &making->sum[at], cell);
	else if (field->type == CELL_BY_KIND)
		cell->by_kind = member;
	else if (field->type == CELL_BOOL)
		cell->boolean = *(const bool *)member;
	else if (field->type == CELL_COUNT)
		cell->count = unsigned_of(member, field->size);
	else {
		/* only fill() fills a column of any other type */
		assert(field->type == CELL_DURATION || field->type == CELL_INSTANT);
		cell->time = unsigned_of(member, field->size);
	}
}

static void row_show(struct making *making, const void *view, const void *row,
                     const struct output *to)
{
	const struct relation_form *form = making->form;

	for (size_t i = 0; i < form->field_count; i++) {
		making->cell[i] = (struct cell){.type = form->field[i].type};
		if (form->field[i].size)
			cell_load(making, i, row);
		else if (field_has_text(&form->field[i]))
			buffer_clear(&making->text[i]);
	}
	if (form->fill)
		form->fill(view, row, making->cell, making->text);
	for (size_t i = 0; i < form->field_count; i++)
		if (making->cell[i].type == CELL_TEXT && !making->cell[i].text)
			making->cell[i].text = making->text[i].text;
	output_row(to, making->cell + making->first);
	for (size_t i = 0; i < form->field_count; i++)
		if (making->cell[i].type == CELL_ROWS)
			free((void *)(uintptr_t)making->cell[i].rows.cells);
}

void relation_show(const struct relation_form *form, const struct relation_rows *rows,
                   const void *view, const struct question *question, const struct output *to)
{
	size_t count = output_row_count(to, rows->count);
	bool is_hidden = form->is_hidden_if_empty && rows->count == 0;
	struct making *making = xcalloc(1, sizeof(*making));

	making_init(making, form, question);
	if (form->adapt)
		form->adapt(view, rows, making->shown);
	for (size_t i = 0; is_hidden && i < form->field_count; i++)
		making->shown[i].flags |= COLUMN_DATA_ONLY;
	output_table_begin(to, form->key, is_hidden ? NULL : form->title,
			   making->shown + making->first, form->field_count - making->first,
			   /* is_single= */ false);
	for (size_t i = 0; i < count; i++)
		row_show(making, view, rows->row[i], to);
	output_leave_rows(to, rows->count - count);
	output_table_end(to);
	making_release(making);
}

void relation_put(const struct relation *relation, const struct relation_form *form,
                  const void *view, const struct question *question, const struct output *to)
{
	struct relation_rows rows = relation_choose(relation, form, view, question);

	relation_show(form, &rows, view, question, to);
	relation_rows_release(&rows);
}
