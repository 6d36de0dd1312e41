/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "state/places/place_rows.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "suites.h"

/* Loops over functions, each with its releases behind a space, and what follows behind a comma. */
#define EACH_FUNCTION(row, function)                                                          \
	EACH_ROW(row)                                                                         \
		for (const char *function = row->functions; function;                         \
		     function = place_function_next(function))

#define EACH_ROW(row)                                                                         \
	for (size_t group_ = 0; group_ < PLACE_GROUP_COUNT; group_++)                         \
		for (const struct place_row *row = place_groups[group_]; row->functions; row++)

/* "4.14", "4.14" of "4.14-5.4": a number that later releases have greater; 0: it is none. */
static unsigned release_parse(const char **text)
{
	unsigned number[2] = {0};

	for (size_t i = 0; i < 2; i++) {
		if (!isdigit((unsigned char)**text))
			return 0;
		while (isdigit((unsigned char)**text))
			number[i] = number[i] * 10 + (unsigned)(*(*text)++ - '0');
		if (i == 0 && *(*text)++ != '.')
			return 0;
	}
	return number[0] * 1000 + number[1];
}

START_TEST(releases_are_in_order)
{
	EACH_FUNCTION(row, function) {
		const char *rest = strchr(function, ' ') ? strchr(function, ' ') + 1 : "";
		unsigned from = release_parse(&rest), to;

		ck_assert_msg(from && *rest == '-', "%s", function);
		rest++;
		to = *rest && *rest != ',' ? release_parse(&rest) : from;
		ck_assert_msg(from <= to && (*rest == '\0' || *rest == ','), "%s", function);
	}
}
END_TEST

/* Each row is found by its name, so none stands twice; and with what compilers append. */
START_TEST(each_is_found)
{
	struct place_index index = {0};
	char name[128];

	EACH_FUNCTION(row, function) {
		int length = (int)strcspn(function, " ");

		(void)snprintf(name, sizeof(name), "%.*s", length, function);
		ck_assert_ptr_null(strchr(name, '.'));
		ck_assert_ptr_eq(place_index_find(&index, name), row);
		(void)snprintf(name, sizeof(name), "%.*s.isra.0", length, function);
		ck_assert_ptr_eq(place_index_find(&index, name), row);
		(void)snprintf(name, sizeof(name), "%.*s.constprop.0.cold", length, function);
		ck_assert_ptr_eq(place_index_find(&index, name), row);
		(void)snprintf(name, sizeof(name), "%.*s_not_that", length, function);
		ck_assert_ptr_null(place_index_find(&index, name));
	}
	place_index_release(&index);
}
END_TEST

START_TEST(none_of_these)
{
	static const char *const names[] = {"", ".", ".isra.0", "pipe_rea", "schedule", "Pipe_read"};
	struct place_index index = {0};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		ck_assert_ptr_null(place_index_find(&index, names[i]));
	place_index_release(&index);
	place_index_release(&(struct place_index){0});
}
END_TEST

/* What a row says can be said, and is something. */
START_TEST(rows_say_something)
{
	EACH_ROW(row) {
		ck_assert_msg(row->purpose || row->kind || row->call || row->memory ||
		                      row->is_no_memory || row->is_frozen,
		              "%s says nothing", row->functions);
		if (row->purpose)
			ck_assert_ptr_nonnull(purpose_words(row->purpose));
		/* a place without work is one next to the scheduler */
		ck_assert_msg(!row->is_for_work || (row->within && row->purpose), "%s",
		              row->functions);
		ck_assert_msg(!row->kind || row->within, "%s", row->functions);
		ck_assert_msg(row->purpose || (!row->is_vague && !row->instead_of), "%s",
		              row->functions);
		ck_assert_uint_lt(row->memory, MEMORY_WHAT_COUNT);
	}
}
END_TEST

/* No words are empty, stand twice, or are those of no function. */
START_TEST(purposes_have_words)
{
	/* these are told by events, or by what the recorder saw */
	bool is_used[PURPOSE_COUNT] = {
		true,
		[PURPOSE_BINDER_ANSWER] = true,
		[PURPOSE_BINDER_QUEUE] = true,
		[PURPOSE_BARRIER] = true,
		[PURPOSE_CONDITION] = true,
		[PURPOSE_POSIX_SEM] = true,
		[PURPOSE_ANSWER] = true,
		[PURPOSE_CHILD_SIGNAL] = true,
		[PURPOSE_READ] = true,
		[PURPOSE_WRITE] = true,
	};

	EACH_ROW(row)
		is_used[row->purpose] = true;
	ck_assert_ptr_null(purpose_words(PURPOSE_NONE));
	ck_assert_ptr_null(purpose_words(PURPOSE_COUNT));
	for (unsigned i = 1; i < PURPOSE_COUNT; i++) {
		ck_assert_msg(is_used[i], "%s is of no function", purpose_words(i));
		ck_assert_uint_gt(strlen(purpose_words(i)), 2);
		/* they stand in parentheses */
		ck_assert_ptr_null(strpbrk(purpose_words(i), "()\";|"));
		for (unsigned other = 1; other < i; other++)
			ck_assert_str_ne(purpose_words(i), purpose_words(other));
	}
}
END_TEST

Suite *place_rows_suite(void)
{
	Suite *suite = suite_create("place_rows");
	TCase *tests = tcase_create("place_rows");

	tcase_add_test(tests, releases_are_in_order);
	tcase_add_test(tests, each_is_found);
	tcase_add_test(tests, none_of_these);
	tcase_add_test(tests, rows_say_something);
	tcase_add_test(tests, purposes_have_words);
	suite_add_tcase(suite, tests);
	return suite;
}
