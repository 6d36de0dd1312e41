/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "recorder/machine/control_group.h"
#include "suites.h"

/* What the processes 7 and 8 with these groups add to the file. */
static void check_notes(const char *first, const char *second, const char *expected)
{
	struct group_notes notes;
	struct buffer to;

	group_notes_init(&notes);
	buffer_init(&to, BUFFER_LIMIT_DEFAULT);
	group_notes_add(&notes, 7, 1, first, /* is_late= */ false, &to);
	group_notes_add(&notes, 8, 7, second, /* is_late= */ true, &to);
	ck_assert_str_eq(to.text, expected);
	buffer_release(&to);
	group_notes_release(&notes);
}

START_TEST(groups_of_version_2)
{
	check_notes("0::/a.service\n", "0::/b c:d\n",
	            "hierarchies 0\ncgroup 0 0 /a.service\nprocess 7 1 0\n"
	            "cgroup 1 0 /b c:d\nend-process 8 7 1\n");
	/* a group has one line */
	check_notes("0::/a\n", "0::/a\n",
	            "hierarchies 0\ncgroup 0 0 /a\nprocess 7 1 0\nend-process 8 7 0\n");
	/* of a process that has not been reaped */
	check_notes("0::/a (deleted)\n", "0::/ (deleted)\n",
	            "hierarchies 0\ncgroup 0 0 /a\nprocess 7 1 0\n"
	            "cgroup 1 0 /\nend-process 8 7 1\n");
}
END_TEST

/* The first hierarchy in which it is not in the root. */
START_TEST(groups_of_version_1)
{
	check_notes("9:name=systemd:/s\n4:memory:/m\n2:cpuacct,cpu:/c\n0::/\n",
	            "9:name=systemd:/\n4:memory:/m\n2:cpuacct,cpu:/\n0::/\n",
	            "hierarchies 0 9 2 4\ncgroup 0 9 /s\nprocess 7 1 0\n"
	            "cgroup 1 4 /m\nend-process 8 7 1\n");
	check_notes("3:cpu,memory:/\n", "3:cpu,memory:/x\n",
	            "hierarchies 3\ncgroup 0 3 /\nprocess 7 1 0\ncgroup 1 3 /x\nend-process 8 7 1\n");
}
END_TEST

START_TEST(groups_that_are_not_known)
{
	check_notes("", "0::/a\n",
	            "process 7 1 -\nhierarchies 0\ncgroup 0 0 /a\nend-process 8 7 0\n");
	check_notes("rubbish\n::\nx:cpu\n5:pids:/p\n", "", "process 7 1 -\nend-process 8 7 -\n");
}
END_TEST

START_TEST(a_process_is_noted_once)
{
	struct group_notes notes;
	struct buffer to;

	group_notes_init(&notes);
	buffer_init(&to, BUFFER_LIMIT_DEFAULT);
	group_notes_add(&notes, 7, 1, "0::/a\n", /* is_late= */ false, &to);
	buffer_clear(&to);
	group_notes_add(&notes, 7, 1, "0::/b\n", /* is_late= */ true, &to);
	ck_assert_str_eq(to.text, "");
	buffer_release(&to);
	group_notes_release(&notes);
}
END_TEST

Suite *group_notes_suite(void)
{
	Suite *suite = suite_create("group_notes");
	TCase *tests = tcase_create("group_notes");

	tcase_add_test(tests, groups_of_version_2);
	tcase_add_test(tests, groups_of_version_1);
	tcase_add_test(tests, groups_that_are_not_known);
	tcase_add_test(tests, a_process_is_noted_once);
	suite_add_tcase(suite, tests);
	return suite;
}
