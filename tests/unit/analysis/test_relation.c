/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analysis/tables/relation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/tables/distribution.h"
#include "base/data/array.h"
#include "suites.h"

struct row {
	struct key {
		uint32_t name, kind;
	} key;
	uint32_t small;
	uint64_t count;
	struct distribution time;
};

#define AT(member) RELATION_AT(struct row, member)

enum { COLUMN_WORDS = 1, COLUMN_LIST = 4 };

static const struct column list_columns[] = {{"at", "AT", CELL_COUNT, 0}};

static const struct field fields[] = {
	{"name", "NAME", CELL_TEXT, 0, AT(key.name)},
	[COLUMN_WORDS] = {"words", "WORDS", CELL_TEXT, 0, FILLED},
	{"small", "SMALL", CELL_COUNT, COLUMN_SPARE(1), AT(small)},
	{"time", "TIME", CELL_DISTRIBUTION, 0, AT(time)},
	[COLUMN_LIST] = {"list", "LIST", CELL_ROWS, 0, FILLED},
};

static uint64_t small_of(const void *row)
{
	return ((const struct row *)row)->small;
}

static const char *const sort_keys[] = {"count", "small", NULL};
static const struct measure by_key[] = {{AT(count)}, {.of = small_of}};

static bool row_is_shown(const void *view, const void *row)
{
	return ((const struct row *)row)->key.kind != *(const uint32_t *)view;
}

static void row_fill(const void *view, const void *of, struct cell *cell, struct buffer *text)
{
	const struct row *row = of;
	struct cell *list = calloc(1, sizeof(*list));

	(void)view;
	list->type = CELL_COUNT;
	list->count = row->count;
	buffer_printf(&text[COLUMN_WORDS], "kind %u", row->key.kind);
	cell[COLUMN_LIST].rows = (struct cell_rows){list_columns, 1, list, 1};
}

static void words_hide(const void *view, const struct relation_rows *rows, struct column *shown)
{
	(void)view;
	(void)rows;
	shown[COLUMN_WORDS].flags |= COLUMN_DATA_ONLY;
}

static const struct relation_form form = {
	"rows",
	"Rows",
	fields,
	ARRAY_SIZE(fields),
	.sort_keys = sort_keys,
	.by_key = by_key,
	.order = {{AT(small)}},
	.is_shown = row_is_shown,
	.fill = row_fill,
	.is_hidden_if_empty = true,
	.of_named = "of ",
	.rows_named = "rows",
	.lost_named = "times",
};

/* What is shown, as words. */
static char shown[1000];
static unsigned limit;

static void table_begin(void *state, const char *key, const char *title,
			const struct column *columns, size_t count, bool is_single)
{
	(void)state;
	(void)is_single;
	(void)snprintf(shown, sizeof(shown), "%s (%s)", key, title ? title : "-");
	for (size_t i = 0; i < count; i++)
		if (!(columns[i].flags & COLUMN_DATA_ONLY))
			(void)snprintf(shown + strlen(shown), sizeof(shown) - strlen(shown),
				       " %s:%u", columns[i].title, COLUMN_RANK(columns[i].flags));
}

static void row_put(void *state, const struct cell *cell)
{
	(void)state;
	(void)snprintf(shown + strlen(shown), sizeof(shown) - strlen(shown), "|%s,%s,%u,%u,%u",
		       cell[0].type == CELL_EMPTY ? "-" : cell[0].text, cell[1].text,
		       (unsigned)cell[2].count,
		       cell[3].type == CELL_EMPTY ? 0 : (unsigned)cell[3].distribution->max,
		       (unsigned)cell[4].rows.cells[0].count);
}

static void table_end(void *state)
{
	(void)state;
}

static unsigned row_limit(const void *state)
{
	(void)state;
	return limit;
}

static void rows_left(void *state, size_t count)
{
	(void)state;
	(void)snprintf(shown + strlen(shown), sizeof(shown) - strlen(shown), "|%zu more", count);
}

static const struct presenter presenter = {
	.table_begin = table_begin,
	.row = row_put,
	.table_end = table_end,
	.row_limit = row_limit,
	.rows_left = rows_left,
};

static struct timeline timeline;
static struct health health;
static struct asked asked;
static struct question question;

static void setup(void)
{
	timeline_init(&timeline, /* keep_segments= */ false);
	health = (struct health){0};
	asked = (struct asked)ASKED_EVERYTHING;
	question = (struct question){.asked = &asked, .timeline = &timeline, .health = &health};
	limit = 0;
}

static void teardown(void)
{
	timeline_release(&timeline);
	health_release(&health);
}

static void rows_fill(struct tally *rows)
{
	uint32_t name = intern_adds(&timeline.names, "one");
	const struct key key[] = {{name, 1}, {0, 2}, {name, 1}, {name, 3}, {0, 4}, {0, 2}};

	tally_init(rows, sizeof(struct row), sizeof(struct key), 3);
	for (size_t i = 0; i < ARRAY_SIZE(key); i++) {
		struct row *row = tally_row(rows, &key[i]);

		if (!row)
			continue;
		row->count++;
		row->small = 10 * key[i].kind;
		if (key[i].kind == 1)
			distribution_add(&row->time, 7 + i, 0);
	}
}

static const char *rows_show(const struct tally *rows, const struct relation_form *as,
			     uint32_t hidden)
{
	struct relation_rows chosen = relation_choose(rows, as, &hidden, &question);

	relation_show(as, &chosen, &hidden, &question, &(struct output){.presenter = &presenter});
	relation_rows_release(&chosen);
	return shown;
}

/* Equal keys are one row; those beyond the limit are counted, and noted with the health. */
START_TEST(rows_are_found_by_key)
{
	struct tally rows;

	rows_fill(&rows);
	ck_assert_uint_eq(rows.count, 3);
	ck_assert_uint_eq(rows.left_out, 1);
	ck_assert_uint_eq(((struct row *)tally_at(&rows, 0))->count, 2);
	ck_assert_uint_eq(((struct row *)tally_at(&rows, 1))->key.kind, 2);
	(void)rows_show(&rows, &form, 0);
	ck_assert_uint_eq(health.note_count, 1);
	ck_assert_str_eq(health.notes[0], "of more than 3 rows: 1 times of others are left out");
	relation_release(&rows, &form);
}
END_TEST

START_TEST(rows_have_an_order)
{
	struct tally rows;

	rows_fill(&rows);
	/* by count, then by what `order` says */
	ck_assert_str_eq(rows_show(&rows, &form, 0),
			 "rows (Rows) NAME:0 WORDS:0 SMALL:1 TIME:0 LIST:0"
			 "|-,kind 2,20,0,2|one,kind 1,10,9,2|one,kind 3,30,0,1");
	/* by what --sort names, whose column a narrow terminal keeps */
	asked.sort = "small";
	ck_assert_str_eq(rows_show(&rows, &form, 2),
			 "rows (Rows) NAME:0 WORDS:0 SMALL:0 TIME:0 LIST:0"
			 "|one,kind 3,30,0,1|one,kind 1,10,9,2");
	relation_release(&rows, &form);
}
END_TEST

/* Without `order`, equal rows stay as they were made. */
START_TEST(equal_rows_stay)
{
	struct relation_form plain = form;
	struct tally rows;

	rows_fill(&rows);
	plain.order[0] = (struct measure){0};
	plain.adapt = words_hide;
	ck_assert_str_eq(rows_show(&rows, &plain, 3), "rows (Rows) NAME:0 SMALL:1 TIME:0 LIST:0"
						      "|one,kind 1,10,9,2|-,kind 2,20,0,2");
	relation_release(&rows, &form);
}
END_TEST

/* What --sort names is of another view. */
START_TEST(an_order_of_its_own_stays)
{
	struct relation_form plain = form;
	struct tally rows;

	rows_fill(&rows);
	plain.sort_keys = NULL;
	asked.sort = "small";
	ck_assert_str_eq(rows_show(&rows, &plain, 3),
			 "rows (Rows) NAME:0 WORDS:0 SMALL:1 TIME:0 LIST:0"
			 "|-,kind 2,20,0,2|one,kind 1,10,9,2");
	relation_release(&rows, &form);
}
END_TEST

START_TEST(rows_beyond_the_presenters_are_counted)
{
	struct tally rows;

	rows_fill(&rows);
	limit = 1;
	ck_assert_str_eq(rows_show(&rows, &form, 0),
			 "rows (Rows) NAME:0 WORDS:0 SMALL:1 TIME:0 LIST:0"
			 "|-,kind 2,20,0,2|2 more");
	relation_release(&rows, &form);
}
END_TEST

START_TEST(nothing_may_be_hidden)
{
	struct relation_form plain = form;
	struct tally rows;

	tally_init(&rows, sizeof(struct row), 0, 2);
	ck_assert_str_eq(rows_show(&rows, &form, 0), "rows (-)");
	plain.is_hidden_if_empty = false;
	ck_assert_str_eq(rows_show(&rows, &plain, 0),
			 "rows (Rows) NAME:0 WORDS:0 SMALL:1 TIME:0 LIST:0");
	ck_assert_uint_eq(health.note_count, 0);
	relation_release(&rows, &form);
}
END_TEST

/* Without keys each row is a new one. */
START_TEST(a_list_has_no_keys)
{
	struct tally rows;

	tally_init(&rows, sizeof(struct row), 0, 20);
	for (uint32_t i = 0; i < 21; i++) {
		struct row *row = tally_add(&rows);

		ck_assert((row == NULL) == (i == 20));
		if (row)
			row->small = i + row->small;
	}
	ck_assert_uint_eq(rows.left_out, 1);
	ck_assert_uint_eq(((struct row *)tally_at(&rows, 19))->small, 19);
	tally_release(&rows);
}
END_TEST

Suite *relation_suite(void)
{
	Suite *suite = suite_create("relation");
	TCase *tests = tcase_create("relation");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, rows_are_found_by_key);
	tcase_add_test(tests, rows_have_an_order);
	tcase_add_test(tests, equal_rows_stay);
	tcase_add_test(tests, an_order_of_its_own_stays);
	tcase_add_test(tests, rows_beyond_the_presenters_are_counted);
	tcase_add_test(tests, nothing_may_be_hidden);
	tcase_add_test(tests, a_list_has_no_keys);
	suite_add_tcase(suite, tests);
	return suite;
}
