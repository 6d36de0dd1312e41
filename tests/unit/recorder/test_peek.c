/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/monotonic.h"
#include "base/xalloc.h"
#include "recorder/machine/open_files.h"
#include "recorder/machine/peek.h"
#include "recorder/machine/seen_process.h"
#include "suites.h"

#define SOMETHING 77u

static struct peek peek;

static int say(const void *argument, size_t size, struct buffer *reply)
{
	buffer_append(reply, argument, size);
	return -EXDEV;
}

static int sleep_on(const void *argument, size_t size, struct buffer *reply)
{
	(void)argument;
	(void)size;
	(void)reply;
	sleep(60);
	return 0;
}

/* Able to run for longer than the patience, as on a busy machine. */
static int work_on(const void *argument, size_t size, struct buffer *reply)
{
	nsec_t until = monotonic_now() + 3 * PEEK_PATIENCE_NS;

	(void)argument;
	(void)size;
	while (monotonic_now() < until)
		;
	buffer_puts(reply, "done");
	return 0;
}

static int crash(const void *argument, size_t size, struct buffer *reply)
{
	(void)argument;
	(void)size;
	(void)reply;
	_exit(3);
}

static int count_files(const void *argument, size_t size, struct buffer *reply)
{
	unsigned count = 0;

	(void)argument;
	(void)size;
	for (int fd = 0; fd < 256; fd++)
		count += fcntl(fd, F_GETFD) >= 0;
	buffer_printf(reply, "%u", count);
	return 0;
}

static struct buffer reply;

static void begin(void)
{
	peek_init(&peek, PEEK_PATIENCE_NS);
	buffer_init(&reply, 1u << 20);
}

static void end(void)
{
	buffer_release(&reply);
	peek_release(&peek);
}

static int ask(uint64_t about, peek_call_fn *call)
{
	return peek_call(&peek, about, call, "x", 1, &reply);
}

START_TEST(an_answer_has_text_and_result)
{
	pid_t first;

	begin();
	buffer_puts(&reply, "before ");
	ck_assert_int_eq(ask(SOMETHING, say), -EXDEV);
	ck_assert_str_eq(reply.text, "before x");
	first = peek.pid;
	ck_assert_int_eq(ask(SOMETHING, say), -EXDEV);
	ck_assert_int_eq(peek.pid, first);
	/* all that it has open is its end of the connection */
	buffer_clear(&reply);
	ck_assert_int_eq(ask(SOMETHING, count_files), 0);
	ck_assert_str_eq(reply.text, "1");
	end();
	ck_assert_int_eq(kill(first, 0), -1);
}
END_TEST

START_TEST(no_answer_is_not_waited_for)
{
	nsec_t begun;

	begin();
	begun = monotonic_now();
	ck_assert_int_eq(ask(SOMETHING, sleep_on), -ETIMEDOUT);
	ck_assert_uint_ge(monotonic_now() - begun, PEEK_PATIENCE_NS);
	ck_assert_int_eq(peek.pid, 0);
	/* what did not answer is left alone, whatever is asked of it; others are asked */
	ck_assert_int_eq(ask(SOMETHING, say), -ETIMEDOUT);
	ck_assert_int_eq(peek.pid, 0);
	ck_assert_int_eq(ask(SOMETHING + 1, say), -EXDEV);
	ck_assert_uint_eq(peek.unanswered, 1);
	end();
}
END_TEST

START_TEST(after_many_without_an_answer_nothing_is_asked)
{
	int r = -ETIMEDOUT;

	begin();
	for (uint64_t i = 0; i < PEEK_LEFT_MAX - 1; i++)
		ck_assert_int_eq(ask(i, sleep_on), -ETIMEDOUT);
	/* these have been killed: as they are reaped, others may begin */
	for (uint64_t i = 0; i < 100 && r != -EXDEV; i++) {
		r = ask(PEEK_LEFT_MAX, say);
		usleep(10000);
	}
	ck_assert_int_eq(r, -EXDEV);
	/* processes that cannot end stay where they are */
	for (peek.left_count = 0; peek.left_count < PEEK_LEFT_MAX - 1; peek.left_count++) {
		pid_t pid = fork();

		if (pid == 0) {
			sleep(60);
			_exit(0);
		}
		peek.left[peek.left_count] = pid;
	}
	ck_assert_int_eq(ask(PEEK_LEFT_MAX, crash), -EIO);
	ck_assert_int_eq(ask(PEEK_LEFT_MAX, say), -EBUSY);
	for (size_t i = 0; i < peek.left_count; i++)
		(void)kill(peek.left[i], SIGKILL);
	end();
}
END_TEST

START_TEST(who_can_run_gets_time)
{
	begin();
	ck_assert_int_eq(ask(SOMETHING, work_on), 0);
	ck_assert_str_eq(reply.text, "done");
	end();
}
END_TEST

START_TEST(a_crash_is_an_error_of_its_own)
{
	begin();
	ck_assert_int_eq(ask(SOMETHING, crash), -EIO);
	ck_assert_int_eq(ask(SOMETHING, say), -EXDEV);
	ck_assert_uint_eq(peek.unanswered, 0);
	end();
}
END_TEST

START_TEST(texts_and_bytes_are_read)
{
	static const char text[] = "0123456789";
	struct buffer narrow;

	begin();
	ck_assert_int_eq(peek_text(&peek, getpid(), "/proc/self/none", &reply), -ENOENT);
	ck_assert_int_eq(peek_text(&peek, getpid(), "/proc/version", &reply), 0);
	ck_assert(strstr(reply.text, "Linux version"));
	buffer_init(&narrow, 5);
	ck_assert_int_eq(peek_text(&peek, getpid(), "/proc/version", &narrow), -EFBIG);
	ck_assert_str_eq(narrow.text, "Linux");
	buffer_release(&narrow);
	buffer_clear(&reply);
	/* its own memory: a copy of this one's */
	ck_assert_int_eq(
		peek_bytes(&peek, getpid(), "/proc/self/mem", (uintptr_t)text + 2, 3, &reply), 0);
	ck_assert_str_eq(reply.text, "234");
	end();
}
END_TEST

static const char mounts[] =
	"22 1 254:1 / / rw,relatime - ext4 /dev/vda1 rw\n"
	"23 22 0:21 / /proc rw - proc proc rw\nnonsense\n24 22 0:x / / rw - a b rw\n"
	"25 22 4096:1 / /a rw - x x rw\n26 22 8:1048576 / /a rw - x x rw\n"
	"30 22 0:50 / /mnt rw shared:2 - fuse.sshfs host: rw\n"
	"31 30 0:51 / /mnt/local rw - tmpfs tmpfs rw\n"
	"32 22 0:52 / /sys/fs/fuse rw - fusectl fusectl rw\n"
	"33 22 0:53 / /over rw - ext4 /dev/a rw\n34 22 0:54 / /over rw - nfs4 host:/ rw\n"
	"29 22 0:45 / /mnt/a\\040b rw - nfs host:/ rw";

START_TEST(mounts_by_id_device_and_path)
{
	struct mount mount;

	ck_assert(mount_find(mounts, 22, &mount));
	ck_assert_uint_eq(mount.device, 254u << 20 | 1);
	ck_assert_str_eq(mount.type, "ext4");
	ck_assert(mount_find(mounts, 29, &mount));
	ck_assert_uint_eq(mount.device, 45);
	ck_assert_str_eq(mount.point, "/mnt/a b");
	for (int64_t id = 24; id < 29; id++)
		ck_assert(!mount_find(mounts, id, &mount));
	ck_assert(!mount_find(mounts, 1, &mount));
	ck_assert(!mount_find("", 22, &mount));
	ck_assert(mount_find_device(mounts, 50, &mount));
	ck_assert_str_eq(mount.point, "/mnt");
	ck_assert(!mount_find_device(mounts, 99, &mount));
	ck_assert(mount_find_path(mounts, "/mntx", &mount));
	ck_assert_str_eq(mount.point, "/");
	ck_assert(mount_find_path(mounts, "/mnt", &mount));
	ck_assert_str_eq(mount.type, "fuse.sshfs");
	ck_assert(mount_find_path(mounts, "/mnt/a b/c", &mount));
	ck_assert_str_eq(mount.type, "nfs");
	ck_assert(mount_find_path(mounts, "/mnt/local/x", &mount));
	ck_assert_str_eq(mount.type, "tmpfs");
	/* the last mount covers the ones before it */
	ck_assert(mount_find_path(mounts, "/over/x", &mount));
	ck_assert_str_eq(mount.type, "nfs4");
}
END_TEST

START_TEST(served_file_systems)
{
	static const int64_t served[] = {30, 34, 29}, local[] = {22, 23, 31, 32, 33};
	struct mount mount;

	for (size_t i = 0; i < 3; i++)
		ck_assert(mount_find(mounts, served[i], &mount) && mount_is_served(&mount));
	for (size_t i = 0; i < 5; i++)
		ck_assert(mount_find(mounts, local[i], &mount) && !mount_is_served(&mount));
}
END_TEST

START_TEST(memory_of_a_process)
{
	struct seen_process view;
	char *text = xstrdup("in memory without a file");

	begin();
	seen_process_init(&view, &peek);
	seen_process_of(&view, getpid());
	ck_assert(seen_process_is_64_bit(&view) == (sizeof(long) == 8));
	ck_assert(seen_process_memory(&view, (uintptr_t)text + 3, 6, &reply));
	ck_assert_str_eq(reply.text, "memory");
	buffer_clear(&reply);
	ck_assert(!seen_process_memory(&view, 16, 8, &reply));
	seen_process_release(&view);
	free(text);
	end();
}
END_TEST

START_TEST(files_of_a_process)
{
	struct buffer text;
	struct open_file file;
	size_t at = 0, rest = 0, found = 0;
	int ends[2];

	begin();
	ck_assert_int_eq(pipe(ends), 0);
	buffer_init(&text, 1u << 20);
	ck_assert(open_file_read(&peek, getpid(), (uint64_t)ends[1], &text, &file));
	ck_assert(file.is_written && !file.is_read);
	ck_assert_int_eq(strncmp(file.path, "pipe:[", 6), 0);
	ck_assert(!open_file_read(&peek, getpid(), 9999, &text, &file));
	ck_assert(open_files_read(&peek, getpid(), 0, monotonic_now() + 1000000000, &text,
				  &rest));
	ck_assert_uint_eq(rest, SIZE_MAX);
	while (open_file_next(&text, &at, &file))
		found += file.number == (uint64_t)ends[0] || file.number == (uint64_t)ends[1];
	ck_assert_uint_eq(found, 2);
	/* without time none are read, and it is said where to go on */
	ck_assert(open_files_read(&peek, getpid(), 2, 0, &text, &rest));
	ck_assert_uint_eq(rest, 2);
	(void)close(ends[0]);
	(void)close(ends[1]);
	buffer_release(&text);
	end();
}
END_TEST

Suite *peek_suite(void)
{
	Suite *suite = suite_create("peek");
	TCase *calls = tcase_create("calls"), *processes = tcase_create("processes");
	TCase *kernel = tcase_create("kernel");

	tcase_add_test(calls, an_answer_has_text_and_result);
	tcase_add_test(calls, no_answer_is_not_waited_for);
	tcase_add_test(calls, after_many_without_an_answer_nothing_is_asked);
	tcase_add_test(calls, who_can_run_gets_time);
	tcase_add_test(calls, a_crash_is_an_error_of_its_own);
	tcase_add_test(processes, mounts_by_id_device_and_path);
	tcase_add_test(processes, served_file_systems);
	tcase_add_test(processes, files_of_a_process);
	/* of an emulated program the kernel has the emulator's, and its addresses */
	tcase_set_tags(kernel, "kernel");
	tcase_add_test(kernel, texts_and_bytes_are_read);
	tcase_add_test(kernel, memory_of_a_process);
	suite_add_tcase(suite, calls);
	suite_add_tcase(suite, processes);
	suite_add_tcase(suite, kernel);
	return suite;
}
