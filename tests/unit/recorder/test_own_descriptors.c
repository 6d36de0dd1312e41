/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "recorder/programs/own_descriptors.h"

#include <linux/kcmp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "suites.h"

static int ends[2];

static void setup(void)
{
	ck_assert_int_eq(pipe(ends), 0);
}

static void teardown(void)
{
	(void)close(ends[0]);
}

/* Until the other end is closed. */
static void wait_for_end(void)
{
	char byte;

	(void)!read(ends[0], &byte, 1);
}

static bool is_own(int32_t process)
{
	const int32_t asked[] = {INT32_MAX, process}; /* one that does not exist */
	bool ret[2];

	own_descriptors_find(asked, 2, ret);
	return ret[1];
}

static bool kernel_compares(void)
{
	return syscall(SYS_kcmp, getpid(), getpid(), KCMP_FILES, 0, 0) == 0;
}

static void *thread_run(void *is_unshared)
{
	ck_assert(!is_unshared || unshare(CLONE_FILES) == 0);
	ck_assert(is_own((int32_t)getpid()) == !is_unshared);
	return NULL;
}

START_TEST(threads_share_or_not)
{
	pthread_t thread;

	for (int is_unshared = 0; is_unshared < 2 && kernel_compares(); is_unshared++) {
		ck_assert_int_eq(pthread_create(&thread, NULL, thread_run,
		                                is_unshared ? &thread : NULL), 0);
		(void)pthread_join(thread, NULL);
	}
	(void)close(ends[1]);
}
END_TEST

static int process_run(void *unused)
{
	(void)unused;
	wait_for_end();
	return 0;
}

START_TEST(another_process_may_share_them)
{
	static char stack[1 << 16] __attribute__((aligned(64)));
	pid_t child = clone(process_run, stack + sizeof(stack), CLONE_FILES | SIGCHLD, NULL);

	ck_assert_int_gt(child, 0);
	ck_assert(!is_own(child));
	ck_assert(!is_own((int32_t)getpid()));
	(void)close(ends[1]);
	(void)waitpid(child, NULL, 0);
	ck_assert(!kernel_compares() || is_own((int32_t)getpid()));
}
END_TEST

START_TEST(a_fork_has_its_own)
{
	pid_t child = fork();

	if (child == 0) {
		(void)close(ends[1]);
		wait_for_end();
		_exit(0);
	}
	ck_assert(!kernel_compares() || is_own(child));
	(void)close(ends[1]);
	(void)waitpid(child, NULL, 0);
}
END_TEST

Suite *own_descriptors_suite(void)
{
	Suite *suite = suite_create("own_descriptors");
	TCase *tests = tcase_create("own_descriptors");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, threads_share_or_not);
	tcase_add_test(tests, another_process_may_share_them);
	tcase_add_test(tests, a_fork_has_its_own);
	suite_add_tcase(suite, tests);
	return suite;
}
