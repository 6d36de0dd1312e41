/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "recorder/machine/process_search.h"
#include "suites.h"

/* A child that has a child of its own, whose pid it writes; both wait until they are killed. */
static pid_t child_begin(int32_t *ret_grandchild)
{
	int pipe_fds[2];
	pid_t child;

	ck_assert_int_eq(pipe(pipe_fds), 0);
	child = fork();
	ck_assert_int_ge(child, 0);
	if (child == 0) {
		int32_t grandchild;

		(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
		grandchild = fork();
		if (grandchild == 0)
			(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
		(void)prctl(PR_SET_NAME, grandchild ? "ftw-parent" : "ftw-child-longer-than-15");
		if (grandchild && write(pipe_fds[1], &grandchild, sizeof(grandchild)) < 0)
			_exit(1);
		for (;;)
			(void)pause();
	}
	ck_assert_int_eq(read(pipe_fds[0], ret_grandchild, sizeof(*ret_grandchild)),
	                 sizeof(*ret_grandchild));
	(void)close(pipe_fds[0]);
	(void)close(pipe_fds[1]);
	return child;
}

static void child_end(pid_t child, int32_t grandchild)
{
	(void)kill(grandchild, SIGKILL);
	(void)kill(child, SIGKILL);
	(void)waitpid(child, NULL, 0);
}

START_TEST(a_family_is_found)
{
	int32_t grandchild, child = child_begin(&grandchild), *family, none = 0;

	ck_assert_uint_eq(processes_find_family(&child, 1, &family), 2);
	ck_assert_int_eq(family[0], child);
	ck_assert_int_eq(family[1], grandchild);
	free(family);
	ck_assert_uint_eq(processes_find_family(&none, 0, &family), 0);
	ck_assert_ptr_null(family);
	child_end(child, grandchild);
}
END_TEST

START_TEST(a_name_is_found)
{
	int32_t grandchild, child = child_begin(&grandchild), *found;
	size_t count;

	count = processes_find_named("ftw-parent", &found);
	ck_assert_uint_eq(count, 1);
	ck_assert_int_eq(found[0], child);
	free(found);
	child_end(child, grandchild);
	ck_assert_uint_eq(processes_find_named("ftw-parent", &found), 0);
}
END_TEST

/* The own group is that of the child, too. */
START_TEST(a_group_is_found)
{
	int32_t grandchild, child = child_begin(&grandchild), *found;
	size_t count = processes_find_in_group("*", &found);
	bool has_child = false;

	for (size_t i = 0; i < count; i++) {
		has_child |= found[i] == child;
		ck_assert_int_ne(found[i], getpid());
	}
	ck_assert(has_child || access("/proc/self/cgroup", R_OK) < 0);
	free(found);
	ck_assert_uint_eq(processes_find_in_group("/no such group", &found), 0);
	child_end(child, grandchild);
}
END_TEST

Suite *process_search_suite(void)
{
	Suite *suite = suite_create("process_search");
	TCase *tests = tcase_create("process_search");

	tcase_add_test(tests, a_family_is_found);
	tcase_add_test(tests, a_name_is_found);
	tcase_add_test(tests, a_group_is_found);
	suite_add_tcase(suite, tests);
	return suite;
}
