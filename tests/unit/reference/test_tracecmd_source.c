/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reference/tracecmd_source.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "suites.h"
#include "unit/source/page_builder.h"
#include "unit/source/source_drain.h"
#include "unit/source/trace_builder.h"

static struct buffer why;

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
START_TEST(test_crash_while_reading)
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
	ck_assert_msg(reference_open(path, &source, &why) == 0, "%s", why.text);
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
START_TEST(test_failure_is_one_line)
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
	ck_assert_int_eq(source_open(path, &source, &why), 0);
	source_close(source);
	ck_assert_int_lt(reference_open(path, &source, &why), 0);
	ck_assert_msg(strstr(why.text, "libtracecmd ") != NULL, "%s", why.text);
	ck_assert_ptr_null(strchr(why.text, '\n'));
	buffer_release(&why);
	(void)unlink(path);
	free(path);
	trace_builder_release(&builder);
}
END_TEST

/* A program without the library says so, of any file, in one line. */
START_TEST(test_absence_is_one_line)
{
	struct source *source = NULL;

	buffer_init(&why, 1000);
	ck_assert_int_eq(reference_open("/nonexistent/trace.dat", &source, &why), -ENOTSUP);
	ck_assert_ptr_null(source);
	ck_assert_ptr_nonnull(strstr(why.text, "use --reader native"));
	ck_assert_ptr_null(strchr(why.text, '\n'));
	buffer_release(&why);
}
END_TEST

Suite *tracecmd_source_suite(void)
{
	Suite *suite = suite_create("tracecmd_source");
	TCase *all = tcase_create("all");

	if (reference_is_built()) {
		tcase_add_test(all, test_crash_while_reading);
		tcase_add_test(all, test_failure_is_one_line);
	} else {
		tcase_add_test(all, test_absence_is_one_line);
	}
	suite_add_tcase(suite, all);
	return suite;
}
