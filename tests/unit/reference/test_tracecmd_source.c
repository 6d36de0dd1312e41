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
		ck_assert(source->health.damaged);
		ck_assert_ptr_nonnull(strstr(source->health.notes[0], "libtracecmd crashed"));
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

static uint64_t seed;

static uint64_t random_below(uint64_t limit)
{
	/* the linear congruential generator of Knuth's MMIX */
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (seed >> 33) % limit;
}

static void put(const struct page_layout *layout, struct buffer *to, size_t bytes, uint64_t value)
{
	uint8_t stored[8];

	page_builder_store(layout, stored, bytes, value);
	buffer_append(to, (const char *)stored, bytes);
}

/* Stamps of the pages are from 1,000,000 on; the differences keep them positive: libtracecmd lets
   others wrap. Those that are interpolated are the same for both CPUs, as those of CPU 0 hold for
   all here, and for libtracecmd they do not. */
static void shift_put(const struct page_layout *layout, struct buffer *to)
{
	bool interpolates = random_below(2), has_bits = random_below(2);
	unsigned cpus = interpolates ? 2 : 1 + (unsigned)random_below(2), counts[2];
	uint64_t began = seed;

	put(layout, to, 8, 4711);
	put(layout, to, 4, interpolates);
	put(layout, to, 4, cpus);
	for (unsigned cpu = 0; cpu < cpus; cpu++) {
		seed = interpolates ? began : seed;
		counts[cpu] = 1 + (unsigned)random_below(5);
		put(layout, to, 4, counts[cpu]);
		for (unsigned i = 0; i < counts[cpu]; i++)
			put(layout, to, 8, 999000 + random_below(8) * 1000);
		for (unsigned i = 0; i < counts[cpu]; i++)
			put(layout, to, 8, random_below(2000) - 1000);
		for (unsigned i = 0; i < counts[cpu]; i++)
			put(layout, to, 8, has_bits ? 15 + i : 1 + random_below(3));
	}
	began = seed;
	for (unsigned cpu = 0; has_bits && cpu < cpus; cpu++) {
		seed = interpolates ? began : seed;
		for (unsigned i = 0; i < counts[cpu]; i++)
			put(layout, to, 8, 3 + random_below(2));
	}
}

static uint64_t times_sum(int (*open)(const char *, struct source **, struct buffer *),
                          const char *path)
{
	static struct drained drained;
	struct source *source = NULL;

	ck_assert_msg(open(path, &source, &why) == 0, "%s", why.text);
	source_drain(source, 0, &drained);
	ck_assert_uint_eq(drained.records, 2000);
	ck_assert_uint_eq(source->notes.machine.host_trace_id, 4711);
	source_close(source);
	return drained.sum;
}

/* trace-cmd has put the clocks of virtual machines on those of their hosts. */
START_TEST(test_clock_of_the_host)
{
	struct buffer option;

	buffer_init(&option, 1000);
	buffer_init(&why, 1000);
	for (seed = (uint64_t)_i * 50; seed < (uint64_t)_i * 50 + 50; seed++) {
		uint64_t began = seed;
		struct trace_builder builder;
		char *path;

		trace_builder_init(&builder, &page_layouts[_i]);
		trace_builder_add_pages(&builder, 0, 50, 20);
		trace_builder_add_pages(&builder, 1, 50, 20);
		buffer_clear(&option);
		shift_put(&page_layouts[_i], &option);
		trace_builder_add_option(&builder, 12, option.text, option.length);
		trace_builder_v6(&builder);
		path = trace_builder_write(builder.file.text, builder.file.length);
		ck_assert_msg(times_sum(source_open, path) == times_sum(reference_open, path),
		              "times differ with seed %llu", (unsigned long long)began);
		(void)unlink(path);
		free(path);
		trace_builder_release(&builder);
		seed = began;
	}
	buffer_release(&why);
	buffer_release(&option);
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
		tcase_add_loop_test(all, test_clock_of_the_host, 0, 4);
	} else {
		tcase_add_test(all, test_absence_is_one_line);
	}
	suite_add_tcase(suite, all);
	return suite;
}
