/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "recorder/machine/open_files.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/xalloc.h"
#include "recorder/machine/task_snapshot.h"
#include "recorder/machine/text_file.h"
#include "suites.h"

static struct peek peek;

#define SECOND_NS 1000000000u

/* The numbers that /proc/locks has of the flock of this process; false: it has none. */
static bool own_lock_find(uint32_t *ret_dev, uint64_t *ret_inode)
{
	_cleanup_(buffer_release) struct buffer locks = {0};
	bool is_found = false;

	buffer_init(&locks, 1u << 20);
	ck_assert_int_eq(text_file_read("/proc/locks", &locks), 0);
	for (const char *at = locks.length ? locks.text : NULL; at && !is_found;
	     at = strchr(at, '\n')) {
		uint32_t major, minor;
		int pid;

		at += *at == '\n';
		is_found = sscanf(at, "%*d: FLOCK %*s %*s %d %" SCNx32 ":%" SCNx32 ":%" SCNu64,
		                  &pid, &major, &minor, ret_inode) == 4 &&
		           pid == (int)getpid();
		if (is_found)
			*ret_dev = major << 20 | minor;
	}
	return is_found;
}

/* Linux before 5.14 does not show the inode; nor is a mount listed in a chroot that is below it. */
static bool kernel_numbers_file(int fd)
{
	_cleanup_(buffer_release) struct buffer text = {0};
	_cleanup_(freep) char *path = xasprintf("/proc/self/fdinfo/%d", fd), *mount = NULL;
	const char *id;
	int number;

	buffer_init(&text, 1u << 20);
	if (text_file_read(path, &text) < 0 || !strstr(text.text, "\nino:"))
		return false;
	id = strstr(text.text, "\nmnt_id:");
	if (!id || sscanf(id, "\nmnt_id: %d", &number) != 1)
		return false;
	mount = xasprintf("\n%d ", number);
	buffer_clear(&text);
	buffer_putc(&text, '\n');
	return text_file_read("/proc/self/mountinfo", &text) == 0 && strstr(text.text, mount);
}

START_TEST(a_locked_file_has_the_numbers_of_its_lock)
{
	char path[] = "/tmp/ftwait-\n-XXXXXX";
	_cleanup_(buffer_release) struct buffer lines = {0};
	_cleanup_(freep) char *wanted = NULL;
	struct open_files files;
	uint64_t inode;
	uint32_t dev;
	int fd = mkstemp(path);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(flock(fd, LOCK_EX), 0);
	ck_assert(own_lock_find(&dev, &inode));
	wanted = xasprintf("path %u:%u %" PRIu64 " /tmp/ftwait-\\012-%s\n", dev >> 20,
	                   dev & 0xfffff, inode, path + strlen("/tmp/ftwait-\n-"));
	buffer_init(&lines, 1u << 20);
	peek_init(&peek, PEEK_PATIENCE_NS);
	open_files_init(&files, &peek);
	files.root = (const int32_t[]){getpid()};
	files.root_count = 1;
	open_files_look(&files, SECOND_NS, &lines);
	if (kernel_numbers_file(fd))
		ck_assert_msg(lines.length && strstr(lines.text, wanted), "%s is not in %s",
		              wanted, lines.length ? lines.text : "nothing");
	/* once only, and no devices, sockets or files of /proc */
	ck_assert(!lines.length || !strstr(lines.text, " /dev/null"));
	buffer_clear(&lines);
	open_files_look(&files, SECOND_NS, &lines);
	ck_assert(lines.length == 0 || !strstr(lines.text, wanted));
	open_files_release(&files);
	peek_release(&peek);
	(void)close(fd);
	(void)unlink(path);
}
END_TEST

/* Such a file need not be open. */
START_TEST(mapped_files_are_noted_if_asked)
{
	_cleanup_(buffer_release) struct buffer lines = {0};
	char path[] = "/tmp/ftwait-map-XXXXXX", wanted[64];
	struct open_files files;
	struct stat file;
	int fd = mkstemp(path);
	void *mapped;

	ck_assert_int_eq(ftruncate(fd, 4096), 0);
	ck_assert_int_eq(fstat(fd, &file), 0);
	mapped = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, fd, 0);
	ck_assert_ptr_ne(mapped, MAP_FAILED);
	(void)close(fd);
	(void)snprintf(wanted, sizeof(wanted), " %" PRIu64 " %s\n", (uint64_t)file.st_ino, path);
	buffer_init(&lines, 1u << 20);
	peek_init(&peek, PEEK_PATIENCE_NS);
	open_files_init(&files, &peek);
	files.root = (const int32_t[]){getpid()};
	files.root_count = 1;
	open_files_look(&files, SECOND_NS, &lines);
	ck_assert(lines.length == 0 || !strstr(lines.text, wanted));
	files.has_mapped = true;
	open_files_look(&files, SECOND_NS, &lines);
	/* a file system without a block device is left out */
	ck_assert_int_eq(lines.length > 0 && strstr(lines.text, wanted),
	                 major(file.st_dev) > 0);
	open_files_release(&files);
	peek_release(&peek);
	(void)munmap(mapped, 4096);
	(void)unlink(path);
}
END_TEST

/* A look without time finds nothing; one after the other they come to all files. */
START_TEST(looks_go_on_where_time_ran_out)
{
	char path[] = "/tmp/ftwait-XXXXXX";
	_cleanup_(buffer_release) struct buffer lines = {0};
	struct open_files files;
	int fd = mkstemp(path), copy[64];

	ck_assert_int_ge(fd, 0);
	for (size_t i = 0; i < 64; i++)
		copy[i] = dup(fd);
	buffer_init(&lines, 1u << 20);
	peek_init(&peek, PEEK_PATIENCE_NS);
	open_files_init(&files, &peek);
	files.root = (const int32_t[]){getpid()};
	files.root_count = 1;
	open_files_look(&files, 0, &lines);
	ck_assert_uint_eq(lines.length, 0);
	for (int i = 0; i < 100000 && lines.length == 0; i++)
		open_files_look(&files, 1 + (nsec_t)i * 100, &lines);
	if (kernel_numbers_file(fd))
		ck_assert_uint_gt(lines.length, 0);
	open_files_release(&files);
	peek_release(&peek);
	for (size_t i = 0; i < 64; i++)
		(void)close(copy[i]);
	(void)close(fd);
	(void)unlink(path);
}
END_TEST

START_TEST(children_belong_to_it)
{
	struct task_family family;
	int go[2], status;
	char byte;
	pid_t pid;

	ck_assert_int_eq(pipe(go), 0);
	pid = fork();
	if (pid == 0) {
		(void)close(go[1]);
		_exit(read(go[0], &byte, 1) == 0 ? 0 : 1);
	}
	ck_assert_int_gt(pid, 0);
	task_family_init(&family);
	task_family_add(&family, getpid());
	task_family_add(&family, getpid());
	ck_assert_uint_eq(family.count, 1);
	task_family_release(&family);
	task_family_find(&family, (const int32_t[]){getpid()}, 1, NSEC_NEVER);
	if (access("/proc/self/task", R_OK) == 0 && access("/proc/thread-self/children", R_OK) == 0)
		ck_assert(task_family_has(&family, (int32_t)pid));
	ck_assert(!task_family_has(&family, INT32_MAX));
	task_family_release(&family);
	(void)close(go[0]);
	(void)close(go[1]);
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
}
END_TEST

START_TEST(of_a_process_that_is_gone_there_is_nothing)
{
	_cleanup_(buffer_release) struct buffer lines = {0};
	struct open_files files;

	buffer_init(&lines, 65536);
	peek_init(&peek, PEEK_PATIENCE_NS);
	open_files_init(&files, &peek);
	open_files_look(&files, SECOND_NS, &lines);
	files.root = (const int32_t[]){INT32_MAX};
	files.root_count = 1;
	open_files_look(&files, SECOND_NS, &lines);
	ck_assert_uint_eq(lines.length, 0);
	open_files_release(&files);
	peek_release(&peek);
}
END_TEST

Suite *open_files_suite(void)
{
	Suite *suite = suite_create("open_files");
	TCase *tests = tcase_create("open_files");

	tcase_add_test(tests, a_locked_file_has_the_numbers_of_its_lock);
	tcase_add_test(tests, mapped_files_are_noted_if_asked);
	tcase_add_test(tests, looks_go_on_where_time_ran_out);
	tcase_add_test(tests, children_belong_to_it);
	tcase_add_test(tests, of_a_process_that_is_gone_there_is_nothing);
	suite_add_tcase(suite, tests);
	return suite;
}
