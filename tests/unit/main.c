/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs every unit test: each in a process of its own, or all in this one with CK_FORK=no (for a
 * debugger). CK_RUN_SUITE=name runs one suite. With --apart, each suite has a process, and most of
 * its tests none of their own: under the address sanitizer every process looks for leaks when it
 * ends, which takes longer than most tests.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/array.h"
#include "suites.h"

/* Their tests change their process: its output, its signals, its folder. */
static Suite *(*const forking_suites[])(void) = {
	file_lock_suite,     status_line_suite, spool_suite,         event_selection_suite,
	capture_watch_suite, page_queue_suite,  control_group_suite, ring_reader_suite,
	report_output_suite, memory_end_suite,  input_file_suite,    raw_terminal_suite,
};

struct tally {
	int passed, failed;
};

#define SUITE_ROW(name) name##_suite,
static Suite *(*const suites[])(void) = {UNIT_SUITES(SUITE_ROW)};

/* Runs one suite, or all if `only` is NULL. */
static int suites_run(Suite *(*only)(void), int *ret_checks)
{
	SRunner *runner = srunner_create(only ? only() : NULL);
	int failed;

	for (size_t i = 0; !only && i < ARRAY_SIZE(suites); i++)
		srunner_add_suite(runner, suites[i]());
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	*ret_checks = srunner_ntests_run(runner);
	srunner_free(runner);
	return failed;
}

static bool suite_forks(Suite *(*suite)(void))
{
	for (size_t i = 0; i < ARRAY_SIZE(forking_suites); i++)
		if (forking_suites[i] == suite)
			return true;
	return false;
}

/* A suite that dies has one failure more. */
static void suite_run_apart(size_t at, struct tally *tally)
{
	const struct tally before = *tally;
	int status, checks;
	pid_t child;

	(void)fflush(NULL);
	child = fork();
	if (child == 0) {
		(void)setenv("CK_FORK", suite_forks(suites[at]) ? "yes" : "no", 1);
		tally->failed += suites_run(suites[at], &checks);
		tally->passed += checks - (tally->failed - before.failed);
		exit(EXIT_SUCCESS);
	}
	if (child < 0 || waitpid(child, &status, 0) != child || status != 0) {
		printf("FAIL unit: suite %zu of suites.h died, or leaks memory\n", at);
		tally->failed++;
	}
}

/* Adds up all suites, each run in a process of its own. */
static int suites_run_apart(void)
{
	struct tally *tally = mmap(NULL, sizeof(*tally), PROT_READ | PROT_WRITE,
	                           MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (tally == MAP_FAILED)
		return EXIT_FAILURE;
	for (size_t i = 0; i < ARRAY_SIZE(suites); i++)
		suite_run_apart(i, tally);
	printf("%d passed, %d failed, 0 skipped\n", tally->passed, tally->failed);
	return tally->failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

int main(int count, char *arguments[])
{
	int checks;

	/* Check allows 4 s by default, which a test may take beside other work; tcase_create()
	   reads it */
	(void)setenv("CK_DEFAULT_TIMEOUT", "60", /* overwrite= */ 0);
	if (count == 2 && strcmp(arguments[1], "--apart") == 0)
		return suites_run_apart();
	return suites_run(NULL, &checks) ? EXIT_FAILURE : EXIT_SUCCESS;
}
