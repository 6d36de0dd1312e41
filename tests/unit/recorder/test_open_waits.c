/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/text/buffer.h"
#include "base/xalloc.h"
#include "recorder/machine/open_waits.h"
#include "recorder/machine/wait_object.h"
#include "suites.h"

static struct peek peek;

START_TEST(text_of_a_call)
{
	struct task_call call;

	ck_assert(task_call_parse("202 0x7f20 0x80 0x2 0x0 0x0 0x1f 0x7ffc 0x7f21\n", &call));
	ck_assert_int_eq(call.number, 202);
	ck_assert_uint_eq(call.argument[0], 0x7f20);
	ck_assert_uint_eq(call.argument[5], 0x1f);
	ck_assert(task_call_parse("-1 0x7ffc 0x7f21\n", &call));
	ck_assert_int_eq(call.number, -1);
	ck_assert(!task_call_parse("running\n", &call));
	ck_assert(!task_call_parse("202 0x7f20 0x80\n", &call));
	ck_assert(!task_call_parse("", &call));
}
END_TEST

START_TEST(numbers_of_calls_on_arm)
{
	static const struct {
		const char *machine, *release;
		bool are_right;
	} cases[] = {
		{"armv7l", "4.9.0", false}, {"armv5tel", "5.14.21-foo", false},
		{"armv7l", "5.15.0", true}, {"aarch64", "4.9.0", true},
		{"x86_64", "3.10.108", true}, {"armv7l", "unknown", false},
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct utsname machine = {0};

		(void)snprintf(machine.machine, sizeof(machine.machine), "%s", cases[i].machine);
		(void)snprintf(machine.release, sizeof(machine.release), "%s", cases[i].release);
		ck_assert_int_eq(call_numbers_are_right(&machine), cases[i].are_right);
	}
}
END_TEST

/* Whether the kernel shows the calls of tasks, and by the numbers of this program's machine; an
   emulated program sees those of the machine below. */
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

/* A child that waits for a flock of this process: seen only in the second look, or in the last. */
START_TEST(child_that_waits_for_a_flock)
{
	char path[] = "/tmp/ftwait-test-XXXXXX";
	_cleanup_(buffer_release) struct buffer lines = {0};
	_cleanup_(freep) char *wanted = NULL;
	struct open_waits waits;
	int fd = mkstemp(path), status;
	pid_t pid;

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(flock(fd, LOCK_EX), 0);
	pid = fork();
	if (pid == 0) {
		int other = open(path, O_RDWR);

		(void)flock(other, LOCK_EX);
		_exit(0);
	}
	ck_assert_int_gt(pid, 0);
	buffer_init(&lines, 65536);
	peek_init(&peek, PEEK_PATIENCE_NS);
	open_waits_init(&waits, &peek);
	waits.is_timed = true;
	open_waits_ask(&waits, pid);
	for (int i = 0; i < 1000; i++) {
		open_waits_look(&waits, /* is_last= */ false, &lines);
		if (lines.length > 0 && strstr(lines.text, " flock "))
			break;
		(void)usleep(5000);
	}
	wanted = xasprintf(" %d %s\n", (int)getpid(), path);
	if (calls_are_shown())
		ck_assert(lines.length > 0 && strstr(lines.text, wanted));
	buffer_clear(&lines);
	open_waits_look(&waits, /* is_last= */ false, &lines);
	ck_assert(lines.length == 0 || !strstr(lines.text, wanted)); /* only once */
	buffer_clear(&lines);
	open_waits_look(&waits, /* is_last= */ true, &lines);
	if (calls_are_shown())
		ck_assert(lines.length > 0 && strstr(lines.text, wanted));
	(void)flock(fd, LOCK_UN);
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	buffer_clear(&lines);
	open_waits_look(&waits, /* is_last= */ true, &lines);
	ck_assert_uint_eq(lines.length, 0);
	open_waits_release(&waits);
	peek_release(&peek);
	(void)close(fd);
	(void)unlink(path);
}
END_TEST

/* What a child polls beside the pipe of this process. */
enum beside {
	BESIDE_OWN,    /* an eventfd, and a pipe that it has for itself */
	BESIDE_SOCKET, /* a socket, at which anything may come */
	BESIDE_NONE,   /* nothing, but it has the other end of that pipe open, too */
};

static _Noreturn void child_polls(int fd, enum beside beside)
{
	int own[2];
	struct pollfd polled[] = {{fd, POLLIN, 0}, {-1, POLLIN, 0}, {-1, POLLIN, 0}};

	if (beside == BESIDE_SOCKET) {
		polled[1].fd = socket(AF_UNIX, SOCK_DGRAM, 0);
	} else if (beside == BESIDE_OWN && pipe(own) == 0) {
		polled[1].fd = eventfd(0, 0);
		polled[2].fd = own[0];
	}
	(void)poll(polled, 3, -1);
	_exit(0);
}

/* Sets *ret_lines to what the last look says of the child, once it sleeps. */
static void look_at_poller(enum beside beside, struct buffer *ret_lines, char **ret_wanted)
{
	_cleanup_(freep) char *path = NULL;
	struct open_waits waits;
	int ends[2], status;
	char link[64];
	ssize_t length;
	pid_t pid;

	ck_assert_int_eq(pipe(ends), 0);
	path = xasprintf("/proc/self/fd/%d", ends[0]);
	length = readlink(path, link, sizeof(link) - 1);
	ck_assert_int_gt(length, 0);
	link[length] = '\0';
	*ret_wanted = xasprintf(" pipe %llu %d\n", strtoull(link + strlen("pipe:["), NULL, 10),
	                        (int)getpid());
	pid = fork();
	if (pid == 0) {
		if (beside != BESIDE_NONE)
			(void)close(ends[1]);
		child_polls(ends[0], beside);
	}
	ck_assert_int_gt(pid, 0);
	(void)close(ends[0]);
	peek_init(&peek, PEEK_PATIENCE_NS);
	open_waits_init(&waits, &peek);
	waits.is_timed = true;
	open_waits_ask(&waits, pid);
	for (int i = 0; i < 1000; i++) {
		buffer_clear(ret_lines);
		open_waits_look(&waits, /* is_last= */ true, ret_lines);
		if (ret_lines->length > 0 && strstr(ret_lines->text, "poll"))
			break;
		(void)usleep(5000);
	}
	ck_assert_int_eq(write(ends[1], "", 1), 1);
	(void)close(ends[1]);
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	open_waits_release(&waits);
	peek_release(&peek);
}

START_TEST(child_that_polls)
{
	_cleanup_(buffer_release) struct buffer lines = {0};
	_cleanup_(freep) char *wanted = NULL, *other = NULL, *inherited = NULL;

	buffer_init(&lines, 65536);
	look_at_poller(BESIDE_OWN, &lines, &wanted);
	if (calls_are_shown())
		ck_assert(lines.length > 0 && strstr(lines.text, wanted));
	look_at_poller(BESIDE_SOCKET, &lines, &other);
	if (calls_are_shown())
		ck_assert(lines.length > 0 && !strstr(lines.text, other));
	look_at_poller(BESIDE_NONE, &lines, &inherited);
	if (calls_are_shown())
		ck_assert(lines.length > 0 && !strstr(lines.text, inherited));
}
END_TEST

Suite *open_waits_suite(void)
{
	Suite *suite = suite_create("open_waits");
	TCase *tcase = tcase_create("open_waits");

	tcase_set_timeout(tcase, 60);
	tcase_add_test(tcase, text_of_a_call);
	tcase_add_test(tcase, numbers_of_calls_on_arm);
	tcase_add_test(tcase, child_that_waits_for_a_flock);
	tcase_add_test(tcase, child_that_polls);
	suite_add_tcase(suite, tcase);
	return suite;
}
