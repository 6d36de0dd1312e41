/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "recorder/machine/long_waits.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/monotonic.h"
#include "base/xalloc.h"
#include "recorder/machine/wait_object.h"
#include "suites.h"

static struct peek peek;

/* Whether the kernel shows the calls of tasks, by the numbers of this program's machine. */
static bool calls_are_shown(void)
{
	char text[256];
	struct task_call call;
	int fd = open("/proc/thread-self/syscall", O_RDONLY | O_CLOEXEC);
	ssize_t got = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);

	if (fd >= 0)
		(void)close(fd);
	text[got > 0 ? got : 0] = '\0';
	return task_call_parse(text, &call) && call.number == SYS_read;
}

/* The line of the task; NULL: there is none. */
static const char *line_of(const struct buffer *lines, pid_t tid)
{
	_cleanup_(freep) char *wanted = xasprintf("waits %d ", (int)tid);
	const char *found = lines->length ? strstr(lines->text, wanted) : NULL;

	return found && (found == lines->text || found[-1] == '\n') ? found : NULL;
}

static void look(struct long_waits *waits, struct buffer *lines)
{
	buffer_clear(lines);
	long_waits_look(waits, lines);
}

/* Looks until a look describes the task's sleep. */
static const char *look_for(struct long_waits *waits, struct buffer *lines, pid_t tid)
{
	const char *line = NULL;

	for (int i = 0; i < 1000 && !line; i++) {
		(void)usleep(5000);
		look(waits, lines);
		line = line_of(lines, tid);
	}
	return line;
}

/* A child that waits for a flock, here and there with a pause in which it runs. */
struct sleeper {
	char path[32];
	int fd, wakes[2];
	pid_t pid;
};

static void sleeper_begin(struct sleeper *sleeper)
{
	char byte;

	(void)strcpy(sleeper->path, "/tmp/ftwait-test-XXXXXX");
	sleeper->fd = mkstemp(sleeper->path);
	ck_assert_int_ge(sleeper->fd, 0);
	ck_assert_int_eq(flock(sleeper->fd, LOCK_EX), 0);
	ck_assert_int_eq(pipe(sleeper->wakes), 0);
	sleeper->pid = fork();
	ck_assert_int_ge(sleeper->pid, 0);
	if (sleeper->pid > 0)
		return;
	(void)read(sleeper->wakes[0], &byte, 1);
	(void)flock(open(sleeper->path, O_RDWR), LOCK_EX);
	_exit(0);
}

static void sleeper_wake(const struct sleeper *sleeper)
{
	ck_assert_int_eq(write(sleeper->wakes[1], "x", 1), 1);
}

static void sleeper_end(struct sleeper *sleeper)
{
	int status;

	(void)flock(sleeper->fd, LOCK_UN);
	ck_assert_int_eq(waitpid(sleeper->pid, &status, 0), sleeper->pid);
	(void)close(sleeper->fd);
	(void)close(sleeper->wakes[0]);
	(void)close(sleeper->wakes[1]);
	(void)unlink(sleeper->path);
}

/* Nobody asked for the task: each of its sleeps is described, that for a lock again and again. */
START_TEST(test_sleeps_of_a_child)
{
	_cleanup_(buffer_release) struct buffer lines = {0};
	_cleanup_(freep) char *wanted = NULL;
	struct sleeper sleeper;
	struct long_waits waits;
	const char *line;
	nsec_t begin;

	if (!calls_are_shown())
		return;
	sleeper_begin(&sleeper);
	buffer_init(&lines, 1u << 20);
	peek_init(&peek, PEEK_PATIENCE_NS);
	long_waits_init(&waits, &peek);
	waits.clock = "mono";
	look(&waits, &lines);
	ck_assert_ptr_null(line_of(&lines, sleeper.pid)); /* not in the first look */
	line = look_for(&waits, &lines, sleeper.pid);
	ck_assert_ptr_nonnull(line);
	ck_assert_ptr_nonnull(strstr(line, " S read "));
	look(&waits, &lines);
	ck_assert_ptr_null(line_of(&lines, sleeper.pid)); /* only once */

	begin = monotonic_now();
	sleeper_wake(&sleeper);
	line = look_for(&waits, &lines, sleeper.pid);
	ck_assert_ptr_nonnull(line);
	wanted = xasprintf(" %d %s\n", (int)getpid(), sleeper.path);
	ck_assert_ptr_nonnull(strstr(line, " S flock "));
	ck_assert_ptr_nonnull(strstr(line, wanted));
	ck_assert_uint_ge(strtoull(strchr(strchr(line, ' ') + 1, ' '), NULL, 10), begin);
	look(&waits, &lines);
	ck_assert_ptr_null(line_of(&lines, sleeper.pid));
	line = look_for(&waits, &lines, sleeper.pid);
	ck_assert_ptr_nonnull(line);
	ck_assert_ptr_nonnull(strstr(line, wanted));
	ck_assert_uint_ge(monotonic_now() - begin, LONG_HOLDER_NS);

	sleeper_end(&sleeper);
	look(&waits, &lines);
	ck_assert_ptr_null(line_of(&lines, sleeper.pid));
	long_waits_release(&waits);
	peek_release(&peek);
}
END_TEST

/* Without a clock that a program can read there is nothing to note. */
START_TEST(test_clock_that_cannot_be_read)
{
	_cleanup_(buffer_release) struct buffer lines = {0};
	struct long_waits waits;

	buffer_init(&lines, 1u << 20);
	peek_init(&peek, PEEK_PATIENCE_NS);
	long_waits_init(&waits, &peek);
	waits.clock = "global";
	for (int i = 0; i < 3; i++)
		long_waits_look(&waits, &lines);
	ck_assert_uint_eq(lines.length, 0);
	ck_assert_uint_eq(waits.sleeps.count, 0);
	long_waits_release(&waits);
	peek_release(&peek);
}
END_TEST

Suite *long_waits_suite(void)
{
	Suite *suite = suite_create("long_waits");
	TCase *tcase = tcase_create("long_waits");

	tcase_set_timeout(tcase, 60);
	tcase_add_test(tcase, test_sleeps_of_a_child);
	tcase_add_test(tcase, test_clock_that_cannot_be_read);
	suite_add_tcase(suite, tcase);
	return suite;
}
