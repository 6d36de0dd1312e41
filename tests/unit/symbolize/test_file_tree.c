/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "symbolize/file_tree.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/xalloc.h"
#include "suites.h"

static char folder[64];
static struct file_tree tree;

static char *in_folder(const char *name)
{
	return xasprintf("%s/%s", folder, name);
}

static void write_file(const char *name, const char *text)
{
	_cleanup_(freep) char *path = in_folder(name);
	FILE *file = fopen(path, "w");

	ck_assert_ptr_nonnull(file);
	ck_assert_int_ge(fputs(text, file), 0);
	ck_assert_int_eq(fclose(file), 0);
}

static void make_link(const char *name, const char *target)
{
	_cleanup_(freep) char *path = in_folder(name);

	ck_assert_int_eq(symlink(target, path), 0);
}

static void make_folder(const char *name)
{
	_cleanup_(freep) char *path = in_folder(name);

	ck_assert_int_eq(mkdir(path, 0700), 0);
}

/* FOLDER/outside, FOLDER/root/inside, and below root links that want to lead out. */
static void tree_begin(void)
{
	_cleanup_(freep) char *root = NULL, *absolute = NULL;

	(void)strcpy(folder, "/tmp/ftwait-tree.XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(folder));
	root = in_folder("root");
	absolute = in_folder("outside");
	make_folder("root");
	make_folder("root/lib");
	make_folder("rootless");
	write_file("outside", "outside");
	write_file("rootless/outside", "outside");
	write_file("root/lib/inside", "inside");
	make_link("root/relative", "lib/inside");
	make_link("root/absolute", "/lib/inside");
	make_link("root/to_outside", absolute);
	make_link("root/above", "../outside");
	make_link("root/beside", "../rootless");
	make_link("root/far_above", "../../../../../../../../etc");
	make_link("root/loop", "loop");
	ck_assert_int_eq(file_tree_open(&tree, root), 0);
}

static void tree_end(void)
{
	_cleanup_(freep) char *command = xasprintf("rm -rf %s", folder);

	file_tree_close(&tree);
	ck_assert_int_eq(system(command), 0);
}

/* Its text, or the error's name. */
static const char *text_of(const char *path)
{
	static char text[64];
	_cleanup_(closep) int fd = file_tree_open_file(&tree, path);
	ssize_t got;

	if (fd < 0)
		return strerrorname_np(-fd);
	got = read(fd, text, sizeof(text) - 1);
	ck_assert_int_ge(got, 0);
	text[got] = '\0';
	return text;
}

/* Whether the kernel has openat2() or not. */
static void check_confined(void)
{
	static const char *const nowhere[] = {"/to_outside", "/above", "/far_above/passwd",
	                                      "/beside/outside", "/../outside", "/lib/../../outside",
	                                      "/../../../../../../etc/passwd", "/missing"};

	ck_assert_str_eq(text_of("/lib/inside"), "inside");
	ck_assert_str_eq(text_of("lib/inside"), "inside");
	ck_assert_str_eq(text_of("//lib//inside"), "inside");
	ck_assert_str_eq(text_of("/lib/../lib/inside"), "inside");
	ck_assert_str_eq(text_of("/relative"), "inside");
	ck_assert_str_eq(text_of("/loop"), "ELOOP");
	ck_assert_str_eq(text_of("/relative/inside"), "ENOTDIR");
	ck_assert_str_eq(text_of("/lib"), "EINVAL");
	ck_assert_str_eq(text_of("/"), "EINVAL");
	for (size_t i = 0; i < ARRAY_SIZE(nowhere); i++)
		ck_assert_str_eq(text_of(nowhere[i]), "ENOENT");
}

/* From now on the kernel has no openat2(), as those before 5.6; false: it cannot be told so. */
static bool forget_openat2(int error)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat2, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (unsigned)error),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {ARRAY_SIZE(filter), filter};

	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
	       prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

START_TEST(test_confined)
{
	check_confined();
}
END_TEST

START_TEST(test_confined_by_old_kernel)
{
	if (!forget_openat2(_i)) {
		printf("SKIP file_tree, an old kernel: no seccomp here\n");
		return;
	}
	check_confined();
	/* it is not looked for below the folder */
	ck_assert_str_eq(text_of("/absolute"), "ENOENT");
}
END_TEST

START_TEST(test_absolute_links)
{
	struct file_tree other;
	int fd;

	/* where the kernel lacks openat2() or forbids it this one is not found */
	if (syscall(SYS_openat2, -1, NULL, NULL, 0) < 0 && (errno == ENOSYS || errno == EPERM)) {
		printf("SKIP file_tree, absolute links: no openat2() here\n");
		return;
	}
	ck_assert_str_eq(text_of("/absolute"), "inside");
	/* and of a tree that is all, as it is */
	ck_assert_int_eq(file_tree_open(&other, "/"), 0);
	fd = file_tree_open_file(&other, "/etc/passwd");
	ck_assert_int_ge(fd, 0);
	(void)close(fd);
	file_tree_close(&other);
}
END_TEST

/* None of them is opened: nobody waits for a writer, and no tape is rewound. */
START_TEST(test_no_regular_files)
{
	_cleanup_(freep) char *fifo = in_folder("root/fifo");
	struct file_tree machine;

	ck_assert_int_eq(mkfifo(fifo, 0600), 0);
	ck_assert_str_eq(text_of("/fifo"), "EINVAL");
	ck_assert_int_eq(file_tree_open(&machine, "/"), 0);
	ck_assert_int_eq(file_tree_open_file(&machine, "/dev/zero"), -EINVAL);
	ck_assert_int_eq(file_tree_open_file(&machine, "/dev/null"), -EINVAL);
	file_tree_close(&machine);
}
END_TEST

START_TEST(test_large)
{
	_cleanup_(freep) char *path = in_folder("root/large");

	write_file("root/large", "");
	if (truncate(path, (off_t)FILE_TREE_FILE_BYTES_MAX + 1) != 0) {
		printf("SKIP file_tree, a large file: %s\n", strerror(errno));
		return;
	}
	ck_assert_str_eq(text_of("/large"), "EFBIG");
}
END_TEST

START_TEST(test_no_folder)
{
	_cleanup_(freep) char *file = in_folder("outside");
	struct file_tree other;

	ck_assert_int_eq(file_tree_open(&other, ""), -ENOENT);
	file_tree_close(&other);
	ck_assert_int_eq(file_tree_open(&other, file), -ENOTDIR);
	file_tree_close(&other);
}
END_TEST

Suite *file_tree_suite(void)
{
	Suite *suite = suite_create("file_tree");
	TCase *tcase = tcase_create("file_tree");

	tcase_add_checked_fixture(tcase, tree_begin, tree_end);
	tcase_add_test(tcase, test_confined);
	tcase_add_test(tcase, test_absolute_links);
	tcase_add_test(tcase, test_no_regular_files);
	tcase_add_test(tcase, test_large);
	tcase_add_test(tcase, test_no_folder);
	/* the last ones: with CK_FORK=no the filter stays */
	tcase_add_loop_test(tcase, test_confined_by_old_kernel, EPERM, EPERM + 1);
	tcase_add_loop_test(tcase, test_confined_by_old_kernel, ENOSYS, ENOSYS + 1);
	suite_add_tcase(suite, tcase);
	return suite;
}
