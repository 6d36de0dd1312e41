/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs every unit test: each in a process of its own, or with CK_FORK=no in this one (for a
 * debugger), but for those that would change it. CK_RUN_SUITE=name runs one suite. With --apart,
 * each suite has a process, as many at a time as there are CPUs, and most of its tests none of
 * their own: under the address sanitizer every process looks for leaks when it ends, which takes
 * longer than most tests.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/data/array.h"
#include "suites.h"

/* Their tests change their process: its output, its signals, its folder, its limits, the system
   calls that it has. */
static Suite *(*const forking_suites[])(void) = {
	file_lock_suite,     status_line_suite, spool_suite,         event_selection_suite,
	capture_watch_suite, page_queue_suite,  control_group_suite, ring_reader_suite,
	report_output_suite, memory_end_suite,  input_file_suite,    raw_terminal_suite,
	seal_suite,          chunk_store_suite, output_guard_suite,  shot_names_suite,
	stale_instances_suite, file_tree_suite,
};

struct tally {
	int passed, failed;
};

#define SUITE_ROW(name) name##_suite,
static Suite *(*const suites[])(void) = {UNIT_SUITES(SUITE_ROW)};
#define SUITE_NAME(name) #name,
static const char *const suite_names[] = {UNIT_SUITES(SUITE_NAME)};

/* Runs its suites and frees it. */
static struct tally runner_run(SRunner *runner)
{
	struct tally tally;

	srunner_run_all(runner, CK_ENV);
	tally.failed = srunner_ntests_failed(runner);
	tally.passed = srunner_ntests_run(runner) - tally.failed;
	srunner_free(runner);
	return tally;
}

static bool suite_forks(Suite *(*suite)(void))
{
	for (size_t i = 0; i < ARRAY_SIZE(forking_suites); i++)
		if (forking_suites[i] == suite)
			return true;
	return false;
}

/* Runs all suites. No test can run after one that changes its process, so with CK_FORK=no, too,
   such a suite forks, while the process is as new; not if it is the only one. */
static int suites_run(void)
{
	SRunner *here = srunner_create(NULL), *forking = srunner_create(NULL);
	struct tally apart, together;

	for (size_t i = 0; i < ARRAY_SIZE(suites); i++)
		srunner_add_suite(suite_forks(suites[i]) ? forking : here, suites[i]());
	if (!getenv("CK_RUN_SUITE"))
		srunner_set_fork_status(forking, CK_FORK);
	apart = runner_run(forking);
	together = runner_run(here);
	return apart.failed + together.failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

/* A suite that has a process of its own. */
struct apart {
	pid_t child; /* 0: it has ended */
	bool is_again;
	struct tally tally;
};

static void suite_run_apart(size_t at, struct apart *apart)
{
	(void)setenv("CK_FORK", apart->is_again || suite_forks(suites[at]) ? "yes" : "no", 1);
	apart->tally = runner_run(srunner_create(suites[at]()));
	exit(EXIT_SUCCESS);
}

static void apart_start(struct apart *apart, size_t at)
{
	pid_t child;

	(void)fflush(NULL);
	child = fork();
	if (child == 0)
		suite_run_apart(at, &apart[at]);
	apart[at].child = child; /* not by the child, which shares it */
	if (child < 0) {
		printf("FAIL unit: no process for suite %s\n", suite_names[at]);
		apart[at].tally.failed++;
	}
}

/*
 * A suite that dies takes with it what Check would say at its end of the tests before. Each of its
 * tests gets a process then, so that all are named that fail. The suite has one failure at least.
 */
static void apart_died(struct apart *apart, size_t at)
{
	printf("FAIL unit: suite %s died, or leaks memory", suite_names[at]);
	if (!apart[at].is_again) {
		puts("; again, with a process for each test:");
		apart[at].is_again = true;
		apart_start(apart, at);
		return;
	}
	puts(" in the process that starts its tests");
	apart[at].tally.failed++;
}

/* Waits for one of the suites to end. */
static void apart_wait(struct apart *apart)
{
	int status;
	pid_t child = wait(&status);

	for (size_t at = 0; at < ARRAY_SIZE(suites); at++) {
		if (child <= 0 || apart[at].child != child)
			continue;
		apart[at].child = 0;
		if (status != 0)
			apart_died(apart, at);
		else if (apart[at].is_again && apart[at].tally.failed == 0)
			apart[at].tally.failed++; /* only its tests together die */
		return;
	}
}

static size_t apart_running(const struct apart *apart)
{
	size_t running = 0;

	for (size_t at = 0; at < ARRAY_SIZE(suites); at++)
		running += apart[at].child > 0;
	return running;
}

static struct tally apart_sum(const struct apart *apart)
{
	struct tally sum = {0};

	for (size_t at = 0; at < ARRAY_SIZE(suites); at++) {
		sum.passed += apart[at].tally.passed;
		sum.failed += apart[at].tally.failed;
	}
	return sum;
}

/* Adds up all suites, each run in a process of its own. */
static int suites_run_apart(void)
{
	struct apart *apart = mmap(NULL, ARRAY_SIZE(suites) * sizeof(*apart),
	                           PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	struct tally sum;

	if (apart == MAP_FAILED)
		return EXIT_FAILURE;
	for (size_t at = 0; at < ARRAY_SIZE(suites); at++) {
		while (apart_running(apart) >= (cpus > 1 ? (size_t)cpus : 1))
			apart_wait(apart);
		apart_start(apart, at);
	}
	while (apart_running(apart) > 0)
		apart_wait(apart);
	sum = apart_sum(apart);
	printf("%d passed, %d failed, 0 skipped\n", sum.passed, sum.failed);
	return sum.failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

int main(int count, char *arguments[])
{
	/* Check allows 4 s by default, which a test may take beside other work; tcase_create()
	   reads it */
	(void)setenv("CK_DEFAULT_TIMEOUT", "60", /* overwrite= */ 0);
	if (count == 2 && strcmp(arguments[1], "--apart") == 0)
		return suites_run_apart();
	return suites_run();
}
