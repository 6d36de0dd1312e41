/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is read from a tracefs, on folders that look like one.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/xalloc.h"
#include "recorder/file/datfile_head.h"
#include "recorder/instance/capture_session.h"
#include "recorder/machine/machine_notes.h"
#include "recorder/machine/text_file.h"
#include "suites.h"

static char folder[64];
static struct buffer why;

static void file_make(const char *name, const char *text)
{
	_cleanup_(freep) char *path = xasprintf("%s/%s", folder, name);
	FILE *file;

	for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		if (mkdir(path, 0700) < 0)
			ck_assert_int_eq(errno, EEXIST);
		*slash = '/';
	}
	file = fopen(path, "we");
	ck_assert_ptr_nonnull(file);
	ck_assert_int_ge(fputs(text, file), 0);
	ck_assert_int_eq(fclose(file), 0);
}

static void setup(void)
{
	(void)snprintf(folder, sizeof(folder), "/tmp/ftwait-unit.XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(folder));
	buffer_init(&why, 1000);
}

static void teardown(void)
{
	_cleanup_(freep) char *command = xasprintf("rm -r %s", folder);

	ck_assert_int_eq(system(command), 0);
	buffer_release(&why);
}

START_TEST(stats_of_old_and_new_kernels)
{
	struct capture_session session = {.dir = folder};
	struct capture_stats stats;

	file_make("per_cpu/cpu0/stats",
	          "entries: 3\noverrun: 40\ncommit overrun: 5\nbytes: 100\n"
	          "oldest event ts:    33.480834\nnow ts:    33.627960\ndropped events: 600\n"
	          "read events: 488\n");
	file_make("per_cpu/cpu1/stats", "entries: 7\noverrun: 0\n");
	ck_assert_int_eq(capture_session_stats(&session, 0, &stats, &why), 0);
	ck_assert_uint_eq(stats.left, 3);
	ck_assert_uint_eq(stats.overwritten, 40);
	ck_assert_uint_eq(stats.dropped, 605);
	ck_assert_uint_eq(stats.read, 488);
	ck_assert_ptr_nonnull(strstr(why.text, "now ts:    33.627960\n"));
	ck_assert_int_eq(capture_session_stats(&session, 1, &stats, NULL), 0);
	ck_assert_uint_eq(stats.left, 7);
	ck_assert_uint_eq(stats.read, 0);
	ck_assert_int_eq(capture_session_stats(&session, 2, &stats, NULL), -ENOENT);
}
END_TEST

START_TEST(the_default_buffer_fits_the_memory)
{
	uint64_t bytes = capture_buffer_bytes_default();

	ck_assert_uint_ge(bytes, 64u << 10);
	ck_assert_uint_le(bytes, 16u << 20);
	ck_assert(bytes == 64u << 10 || bytes <= free_memory_bytes() / 8);
}
END_TEST

static void tracefs_make(void)
{
	file_make("events/header_page",
	          "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
	          "\tfield: local_t commit;\toffset:8;\tsize:4;\tsigned:1;\n");
	file_make("events/header_event", "# compressed entry header\n");
	file_make("events/ftrace/print/format", "name: print\n");
	file_make("events/irq/softirq_entry/format", "name: softirq_entry\n");
	file_make("events/sched/sched_switch/format", "name: sched_switch\n");
	file_make("events/sched/sched_waking/format", "name: sched_waking\n");
	/* names of one system need not stand together */
	file_make("available_events", "sched:sched_switch\nirq:softirq_entry\nsched:sched_waking\n");
	file_make("printk_formats", "");
}

START_TEST(a_head_holds_the_selected_formats)
{
	struct capture_session session = {.dir = folder, .cpu_count = 4, .page_bytes = 8192};
	struct event_selection selection;
	struct event_catalog catalog;
	struct buffer formats, head, cmdlines;
	struct datfile_head parts;

	tracefs_make();
	buffer_init(&formats, DATFILE_HEAD_BYTES_MAX);
	buffer_init(&head, DATFILE_HEAD_BYTES_MAX);
	buffer_init(&cmdlines, 100);
	buffer_puts(&cmdlines, "1 init\n");
	ck_assert_int_eq(event_catalog_load(folder, &catalog), 0);
	event_selection_init(&selection, &catalog);
	ck_assert_int_eq(event_selection_add(&selection, "sched:*", &why), 0);
	ck_assert_int_eq(datfile_head_read_formats(folder, &selection, &formats, &why), 0);
	ck_assert_int_eq(datfile_head_build(folder, &session, &formats, &cmdlines, &head, &why), 0);
	ck_assert_int_eq(datfile_head_parse(head.text, head.length, &parts), 0);
	ck_assert_uint_eq(parts.cpu_count, 4);
	ck_assert_uint_eq(parts.page_bytes, 8192);
	ck_assert_uint_eq(parts.cmdlines_bytes, 7);
	/* the kernel's long is that of the page header */
	ck_assert_int_eq(head.text[13], 4);
	ck_assert_ptr_nonnull(memmem(head.text, head.length, "name: sched_waking", 18));
	ck_assert_ptr_nonnull(memmem(head.text, head.length, "name: print", 11));
	ck_assert_ptr_null(memmem(head.text, head.length, "name: softirq", 13));

	ck_assert_int_eq(event_selection_add(&selection, "softirq_entry", &why), 0);
	buffer_clear(&formats);
	buffer_clear(&head);
	ck_assert_int_eq(datfile_head_read_formats(folder, &selection, &formats, &why), 0);
	ck_assert_int_eq(datfile_head_build(folder, &session, &formats, &cmdlines, &head, &why), 0);
	ck_assert_int_eq(datfile_head_parse(head.text, head.length, &parts), 0);
	ck_assert_ptr_nonnull(memmem(head.text, head.length, "name: softirq", 13));
	event_selection_release(&selection);
	event_catalog_release(&catalog);
	buffer_release(&formats);
	buffer_release(&head);
	buffer_release(&cmdlines);
}
END_TEST

START_TEST(hidden_symbols_are_known_as_such)
{
	static const struct {
		const char *text;
		bool are_hidden;
	} cases[] = {
		{"", true},
		{"0000000000000000 A fixed_percpu_data\n0000000000000000 T _text\n", true},
		{"0000000000000000 A fixed_percpu_data\nffffffff81000000 T _text\n", false},
		{"c0008000 T _text", false},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		buffer_clear(&why);
		buffer_puts(&why, cases[i].text);
		ck_assert_int_eq(symbols_are_hidden(&why), cases[i].are_hidden);
	}
}
END_TEST

START_TEST(text_files_are_bounded)
{
	_cleanup_(freep) char *path = xasprintf("%s/small", folder);
	struct buffer text;

	file_make("small", "12345678");
	buffer_init(&text, 8);
	ck_assert_int_eq(text_file_read(path, &text), 0);
	ck_assert_str_eq(text.text, "12345678");
	ck_assert_int_eq(text_file_read(path, &text), -EFBIG);
	ck_assert_int_eq(text_file_read_at(folder, "none", &text), -ENOENT);
	ck_assert_int_eq(text_file_write_at(folder, "none", "1"), -ENOENT);
	ck_assert_int_eq(text_file_write(path, "abc"), 0);
	buffer_clear(&text);
	ck_assert_int_eq(text_file_read(path, &text), 0);
	ck_assert_str_eq(text.text, "abc45678");
	buffer_release(&text);
}
END_TEST

Suite *capture_session_suite(void)
{
	Suite *suite = suite_create("capture_session");
	TCase *tests = tcase_create("capture_session");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, stats_of_old_and_new_kernels);
	tcase_add_test(tests, the_default_buffer_fits_the_memory);
	tcase_add_test(tests, a_head_holds_the_selected_formats);
	tcase_add_test(tests, hidden_symbols_are_known_as_such);
	tcase_add_test(tests, text_files_are_bounded);
	suite_add_tcase(suite, tests);
	return suite;
}
