/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "source/source.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "page_builder.h"
#include "source_drain.h"
#include "suites.h"
#include "trace_builder.h"

static struct buffer why;

static void check_failure(const char *path, const char *reader, int error, const char *text)
{
	struct source *source = NULL;

	buffer_init(&why, 1000);
	ck_assert_int_eq(source_open(path, reader, &source, &why), error);
	ck_assert_ptr_null(source);
	ck_assert_msg(strstr(why.text, text) != NULL, "%s", why.text);
	buffer_release(&why);
}

START_TEST(test_failures)
{
	char *empty = trace_builder_write("", 0);

	check_failure("/nonexistent/trace.dat", NULL, -ENOENT, "No such file");
	check_failure("/", NULL, -EISDIR, "folder");
	check_failure(empty, NULL, -ENODATA, "empty");
	check_failure(empty, "nobody", -EINVAL, "native and libtracecmd");
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
	ck_assert_uint_eq(source.note_count, SOURCE_NOTES_MAX);
	ck_assert_str_eq(source.notes[1], "line 1");
	ck_assert(source.damaged);
	text_store_release(&text);
}
END_TEST

#ifndef WITHOUT_LIBTRACECMD
/* The only child of this process; 0 where the kernel does not tell. */
static pid_t only_child(void)
{
	char path[64];
	FILE *children;
	int child = 0;

	(void)snprintf(path, sizeof(path), "/proc/%d/task/%d/children", getpid(), getpid());
	children = fopen(path, "r");
	if (children && fscanf(children, "%d", &child) != 1)
		child = 0;
	if (children)
		(void)fclose(children);
	return child;
}

/* Whatever happens to the library while it reads is a line, and the end of the streams. */
START_TEST(test_reference_crash_while_reading)
{
	static struct drained drained;
	struct trace_builder builder;
	struct source *source = NULL;
	char *path;

	trace_builder_init(&builder, &page_layouts[0]);
	trace_builder_add_pages(&builder, 0, 50, 20);
	trace_builder_add_pages(&builder, 1, 50, 20);
	trace_builder_v6(&builder);
	path = trace_builder_write(builder.file.text, builder.file.length);
	buffer_init(&why, 1000);
	ck_assert_msg(source_open(path, "libtracecmd", &source, &why) == 0, "%s", why.text);
	source_drain(source, 1, &drained);
	ck_assert_uint_ge(drained.records, 2);
	if (only_child() > 0) {
		ck_assert_int_eq(kill(only_child(), SIGSEGV), 0);
		source_drain(source, 0, &drained);
		ck_assert_uint_eq(drained.records, 0);
		ck_assert(source->damaged);
		ck_assert_ptr_nonnull(strstr(source->notes[0], "libtracecmd crashed"));
	}
	source_close(source);
	ck_assert_int_eq(only_child(), 0);
	buffer_release(&why);
	(void)unlink(path);
	free(path);
	trace_builder_release(&builder);
}
END_TEST

/* libtracecmd never opens a truncated file of version 6; ours does. */
START_TEST(test_reference_failure_is_one_line)
{
	struct trace_builder builder;
	struct source *source = NULL;
	char *path;

	trace_builder_init(&builder, &page_layouts[0]);
	trace_builder_add_pages(&builder, 0, 5, 20);
	trace_builder_add_pages(&builder, 1, 5, 20);
	trace_builder_v6(&builder);
	path = trace_builder_write(builder.file.text, builder.file.length - 9000);
	buffer_init(&why, 1000);
	ck_assert_int_eq(source_open(path, "native", &source, &why), 0);
	source_close(source);
	ck_assert_int_lt(source_open(path, "libtracecmd", &source, &why), 0);
	ck_assert_msg(strstr(why.text, "libtracecmd ") != NULL, "%s", why.text);
	ck_assert_ptr_null(strchr(why.text, '\n'));
	buffer_release(&why);
	(void)unlink(path);
	free(path);
	trace_builder_release(&builder);
}
END_TEST
#endif

Suite *source_suite(void)
{
	Suite *suite = suite_create("source");
	TCase *all = tcase_create("all");

	tcase_add_test(all, test_failures);
	tcase_add_test(all, test_close_accepts_null);
	tcase_add_test(all, test_notes);
#ifndef WITHOUT_LIBTRACECMD
	tcase_add_test(all, test_reference_crash_while_reading);
	tcase_add_test(all, test_reference_failure_is_one_line);
#endif
	suite_add_tcase(suite, all);
	return suite;
}
