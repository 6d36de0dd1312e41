/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/text/buffer.h"
#include "base/xalloc.h"
#include "cmd/memory_end.h"
#include "suites.h"

#define FAR_LIMIT (UINT64_C(1) << 48) /* above what a sanitizer reserves */

/* In a child: memory ends. */
static void memory_end_meet(int fd, bool is_limited)
{
	struct rlimit limit = {FAR_LIMIT, FAR_LIMIT};

	(void)dup2(fd, STDERR_FILENO);
	if (is_limited)
		(void)setrlimit(RLIMIT_DATA, &limit);
	memory_end_say("report", "ask for less");
	(void)!xreallocarray(NULL, SIZE_MAX, 2);
	_exit(0);
}

static void check_words(bool is_limited, const char *words)
{
	char said[1000] = "";
	int pair[2], status;
	pid_t pid;

	ck_assert_int_eq(pipe(pair), 0);
	pid = fork();
	if (pid == 0)
		memory_end_meet(pair[1], is_limited);
	(void)close(pair[1]);
	ck_assert_int_gt(read(pair[0], said, sizeof(said) - 1), 0);
	(void)close(pair[0]);
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert(WIFEXITED(status));
	ck_assert_int_eq(WEXITSTATUS(status), 1);
	ck_assert_str_eq(said, words);
}

/* Programs of another machine run by qemu have no such limit. */
static bool limits_are_heeded(void)
{
	struct rlimit limit = {FAR_LIMIT, FAR_LIMIT};
	pid_t pid = fork();
	int status;

	if (pid == 0) {
		bool is_set = setrlimit(RLIMIT_DATA, &limit) == 0 &&
		              getrlimit(RLIMIT_DATA, &limit) == 0 &&
		              limit.rlim_cur == FAR_LIMIT;

		_exit(is_set ? 0 : 1);
	}
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

START_TEST(the_end_is_one_line)
{
	struct rlimit memory, data;

	ck_assert_int_eq(getrlimit(RLIMIT_AS, &memory), 0);
	ck_assert_int_eq(getrlimit(RLIMIT_DATA, &data), 0);
	if (memory.rlim_cur == RLIM_INFINITY && data.rlim_cur == RLIM_INFINITY)
		check_words(false, "ftwait: report: out of memory; ask for less\n");
	if (!limits_are_heeded()) {
		printf("SKIP memory_end, a limit: setrlimit() has no effect here\n");
		return;
	}
	check_words(true, "ftwait: report: out of memory: at most 256.0 TiB (ulimit -d); ask "
	                  "for less\n");
}
END_TEST

Suite *memory_end_suite(void)
{
	Suite *suite = suite_create("memory_end");
	TCase *tests = tcase_create("memory_end");

	tcase_add_test(tests, the_end_is_one_line);
	suite_add_tcase(suite, tests);
	return suite;
}
