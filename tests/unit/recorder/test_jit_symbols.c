/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "recorder/programs/symbol_lists.h"

#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/xalloc.h"
#include "suites.h"

static struct peek peek;

#define STRANGER 65534

/* The number of a process that has ended. */
static pid_t ended_process(void)
{
	pid_t pid = fork();

	if (pid == 0)
		_exit(0);
	ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
	return pid;
}

/* Whether names of the ended process's file are taken, where the file is that user's. */
static bool takes(uid_t file_owner, uid_t process_owner)
{
	pid_t pid = ended_process();
	_cleanup_(freep) char *path = xasprintf("/tmp/perf-%d.map", (int)pid);
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
	uint64_t address[] = {0x1008};
	struct buffer text;
	bool is_taken;

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, "1000 10 planted\n", 16), 16);
	ck_assert(file_owner == geteuid() || fchown(fd, file_owner, (gid_t)-1) == 0);
	(void)close(fd);
	buffer_init(&text, 1000);
	peek_init(&peek, PEEK_PATIENCE_NS);
	jit_symbols_append(&peek, pid, process_owner, address, 1, &text);
	peek_release(&peek);
	(void)unlink(path);
	is_taken = text.length > 0;
	if (is_taken)
		ck_assert_str_eq(text.text, "jit 1000 10 planted\n");
	buffer_release(&text);
	return is_taken;
}

START_TEST(test_file_is_of_the_processes_user)
{
	uid_t us = geteuid();

	ck_assert(takes(us, us));
	ck_assert(takes(us, JIT_OWNER_UNKNOWN));
	if (us != 0)
		return; /* nobody else can give files away */
	ck_assert(takes(STRANGER, STRANGER));
	ck_assert(takes(0, STRANGER));
	ck_assert(!takes(STRANGER, 0));
	ck_assert(!takes(STRANGER, 1));
	ck_assert(!takes(STRANGER, JIT_OWNER_UNKNOWN));
}
END_TEST

START_TEST(test_link_is_not_followed)
{
	pid_t pid = ended_process();
	_cleanup_(freep) char *path = xasprintf("/tmp/perf-%d.map", (int)pid);
	uint64_t address[] = {0};
	struct buffer text;

	ck_assert_int_eq(symlink("/proc/self/maps", path), 0);
	buffer_init(&text, 1000);
	peek_init(&peek, PEEK_PATIENCE_NS);
	jit_symbols_append(&peek, pid, geteuid(), address, 1, &text);
	peek_release(&peek);
	(void)unlink(path);
	ck_assert_uint_eq(text.length, 0);
	buffer_release(&text);
}
END_TEST

START_TEST(test_lines_that_hold_an_address)
{
	static const char lines[] = "1000 10 first\n2000 zz bad\n3000 1 third\n4000 10 fourth part";
	uint64_t address[] = {0x400f, 0x1000, 0x3001};
	struct buffer text;

	buffer_init(&text, 1000);
	jit_symbols_pick(lines, strlen(lines), address, 3, &text);
	ck_assert_str_eq(text.text, "jit 1000 10 first\njit 4000 10 fourth part\n");
	buffer_release(&text);
}
END_TEST

Suite *jit_symbols_suite(void)
{
	Suite *suite = suite_create("jit_symbols");
	TCase *tcase = tcase_create("jit_symbols");

	tcase_add_test(tcase, test_file_is_of_the_processes_user);
	tcase_add_test(tcase, test_link_is_not_followed);
	tcase_add_test(tcase, test_lines_that_hold_an_address);
	suite_add_tcase(suite, tcase);
	return suite;
}
