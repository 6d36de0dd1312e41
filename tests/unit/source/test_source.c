/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "source/source.h"
#include "source/source_notes.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "source_drain.h"
#include "suites.h"
#include "trace_builder.h"

static struct buffer why;

static void check_failure(const char *path, int error, const char *text)
{
	struct source *source = NULL;

	buffer_init(&why, 1000);
	ck_assert_int_eq(source_open(path, &source, &why), error);
	ck_assert_ptr_null(source);
	ck_assert_msg(strstr(why.text, text) != NULL, "%s", why.text);
	buffer_release(&why);
}

START_TEST(test_failures)
{
	char *empty = trace_builder_write("", 0);

	check_failure("/nonexistent/trace.dat", -ENOENT, "No such file");
	check_failure("/", -EISDIR, "directory");
	check_failure(empty, -ENODATA, "empty");
	(void)unlink(empty);
	free(empty);
}
END_TEST

START_TEST(test_close_accepts_null)
{
	ck_assert_ptr_null(source_close(NULL));
}
END_TEST

START_TEST(test_notes)
{
	struct source source = {0};
	struct text_store text = {0};

	for (int i = 0; i < 100; i++) {
		source_damage(&source, &text, "line %d", i);
		source_damage(&source, &text, "line %d", i);
	}
	ck_assert_uint_eq(source.health.note_count, SOURCE_NOTES_MAX);
	ck_assert_str_eq(source.health.notes[1], "line 1");
	ck_assert(source.health.damaged);
	text_store_release(&text);
}
END_TEST

Suite *source_suite(void)
{
	Suite *suite = suite_create("source");
	TCase *all = tcase_create("all");

	tcase_add_test(all, test_failures);
	tcase_add_test(all, test_close_accepts_null);
	tcase_add_test(all, test_notes);
	suite_add_tcase(suite, all);
	return suite;
}
