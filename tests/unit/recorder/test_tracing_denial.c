/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Machines that deny tracing, as trees of the files that say why.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/xalloc.h"
#include "recorder/instance/tracing_access.h"
#include "suites.h"

#define ALL_CAPABILITIES "Name:\tftwait\nCapEff:\t000001ffffffffff\n"
#define WHOLE_MAP        "         0          0 4294967295\n"
#define LOCKDOWN         "sys/kernel/security/lockdown"
#define SECURITYFS       "securityfs /sys/kernel/security securityfs rw 0 0\n"

struct file {
	const char *name, *text;
};

struct scene {
	const char *name;
	struct file files[6];
	int error;
	uid_t user;
	const char *expected;
};

static char folder[64];
static struct buffer why;

static void setup(void)
{
	(void)snprintf(folder, sizeof(folder), "/tmp/ftwait-unit.XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(folder));
	buffer_init(&why, 1000);
}

static void teardown(void)
{
	_cleanup_(freep) char *command = xasprintf("rm -rf %s", folder);

	ck_assert_int_eq(system(command), 0);
	buffer_release(&why);
}

static void file_make(const struct file *row)
{
	_cleanup_(freep) char *path = xasprintf("%s/%s", folder, row->name);
	FILE *file;

	for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		if (mkdir(path, 0700) < 0)
			ck_assert_int_eq(errno, EEXIST);
		*slash = '/';
	}
	file = fopen(path, "we");
	ck_assert_ptr_nonnull(file);
	ck_assert_int_ge(fputs(row->text, file), 0);
	ck_assert_int_eq(fclose(file), 0);
}

static struct tracing_scene scene_make(const struct scene *scene)
{
	_cleanup_(freep) char *command = xasprintf("rm -rf %s && mkdir %s", folder, folder);

	ck_assert_int_eq(system(command), 0);
	for (size_t i = 0; i < ARRAY_SIZE(scene->files) && scene->files[i].name; i++)
		file_make(&scene->files[i]);
	buffer_clear(&why);
	return (struct tracing_scene){.root = folder, .user = scene->user};
}

static void expect_reported(const struct scene *scene)
{
	ck_assert_msg(strcmp(why.text, scene->expected) == 0, "%s: %s", scene->name, why.text);
}

static const struct scene denials[] = {
	{.name = "not root",
	 .files = {{"proc/self/status", "CapEff:\t0\n"}},
	 .error = EACCES, .user = 1000,
	 .expected = "Permission denied; run ftwait as root (sudo), in a container give it "
		     "CAP_SYS_ADMIN and /sys/kernel/tracing, or use a prepared instance "
		     "(\"ftwait doctor\" says how)"},
	{.name = "locked down while it runs",
	 .files = {{"proc/self/status", ALL_CAPABILITIES},
		   {"proc/self/uid_map", WHOLE_MAP},
		   {LOCKDOWN, "none integrity [confidentiality]\n"}},
	 .error = EPERM,
	 .expected = "Operation not permitted (the kernel is locked down: "
		     "/sys/kernel/security/lockdown says confidentiality); boot without "
		     "lockdown"},
	{.name = "locked down, no securityfs, but booted so",
	 .files = {{"proc/self/status", ALL_CAPABILITIES},
		   {"proc/cmdline", "quiet lockdown=confidentiality ro\n"}},
	 .error = EPERM,
	 .expected = "Operation not permitted (the kernel is locked down: /proc/cmdline has "
		     "lockdown=confidentiality); boot without lockdown"},
	{.name = "no securityfs",
	 .files = {{"proc/self/status", ALL_CAPABILITIES},
		   {"proc/self/uid_map", WHOLE_MAP},
		   {"proc/cmdline", "quiet\n"}},
	 .error = EPERM,
	 .expected = "Operation not permitted (the kernel is locked down, or a security "
		     "module forbids it); to see which: mount -t securityfs securityfs "
		     "/sys/kernel/security, and read its file lockdown"},
	{.name = "lockdown that allows tracing",
	 .files = {{"proc/self/status", ALL_CAPABILITIES},
		   {LOCKDOWN, "none [integrity] confidentiality\n"}},
	 .error = EPERM,
	 .expected = "Operation not permitted (a security module forbids it); allow it in "
		     "SELinux, AppArmor or what /sys/kernel/security/lsm names"},
	{.name = "a kernel that knows no lockdown",
	 .files = {{"proc/self/status", ALL_CAPABILITIES},
		   {"proc/self/mounts", SECURITYFS}},
	 .error = EPERM,
	 .expected = "Operation not permitted (a security module forbids it); allow it in "
		     "SELinux, AppArmor or what /sys/kernel/security/lsm names"},
	{.name = "an error that lockdown does not give",
	 .files = {{"proc/self/status", ALL_CAPABILITIES}},
	 .error = EACCES,
	 .expected = "Permission denied (a security module forbids it); allow it in "
		     "SELinux, AppArmor or what /sys/kernel/security/lsm names"},
	{.name = "a user namespace",
	 .files = {{"proc/self/status", ALL_CAPABILITIES},
		   {"proc/self/uid_map", "         0       1000          1\n"}},
	 .error = EACCES,
	 .expected = "Permission denied (root of a user namespace only, by "
		     "/proc/self/uid_map); run ftwait as root of the host"},
	{.name = "a container",
	 .files = {{"proc/self/status", "Name:\tx\nCapEff:\t00000000a80425fb\n"},
		   {"proc/self/uid_map", WHOLE_MAP}},
	 .error = EPERM,
	 .expected = "Operation not permitted (root without CAP_SYS_ADMIN, by "
		     "/proc/self/status); give it that (a container: --cap-add), or run "
		     "ftwait on the host"},
	{.name = "no /proc",
	 .error = EPERM,
	 .expected = "Operation not permitted (why cannot be seen: /proc is not mounted); "
		     "mount -t proc proc /proc, and try again"},
	{.name = "no /proc, but securityfs",
	 .files = {{LOCKDOWN, "none integrity [confidentiality]\n"}},
	 .error = EPERM,
	 .expected = "Operation not permitted (the kernel is locked down: "
		     "/sys/kernel/security/lockdown says confidentiality); boot without "
		     "lockdown"},
	{.name = "another error",
	 .files = {{LOCKDOWN, "none integrity [confidentiality]\n"}},
	 .error = EROFS,
	 .expected = "Read-only file system; it is mounted read-only (a container?): run "
		     "ftwait on the host"},
	{.name = "too many files",
	 .error = EMFILE,
	 .expected = "Too many open files; raise the limit: ulimit -n"},
};

START_TEST(denied)
{
	for (size_t i = 0; i < ARRAY_SIZE(denials); i++) {
		struct tracing_scene scene = scene_make(&denials[i]);

		(void)tracing_denial_explain(&scene, denials[i].error, &why);
		expect_reported(&denials[i]);
	}
}
END_TEST

START_TEST(empty)
{
	static const struct scene scenes[] = {
		{.name = "locked down",
		 .files = {{LOCKDOWN, "none integrity [confidentiality]\n"}},
		 .expected = "/t shows no tracepoints (the kernel is locked down: "
			     "/sys/kernel/security/lockdown says confidentiality); boot without "
			     "lockdown"},
		{.name = "booted so",
		 .files = {{"proc/cmdline", "lockdown=confidentiality\n"}},
		 .expected = "/t shows no tracepoints (the kernel is locked down: /proc/cmdline has "
			     "lockdown=confidentiality); boot without lockdown"},
		{.name = "no securityfs",
		 .files = {{"proc/cmdline", "quiet\n"}},
		 .expected = "/t shows no tracepoints (most likely the kernel is locked down); to "
			     "see: mount -t securityfs securityfs /sys/kernel/security, and read "
			     "its file lockdown"},
		{.name = "not locked down",
		 .files = {{LOCKDOWN, "[none] integrity confidentiality\n"}},
		 .expected = "/t shows no tracepoints (and the kernel is not locked down); boot one "
			     "with CONFIG_FTRACE, or where a container hides them run ftwait on "
			     "the host"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(scenes); i++) {
		struct tracing_scene scene = scene_make(&scenes[i]);

		(void)tracing_denial_explain_empty(&scene, "/t", &why);
		expect_reported(&scenes[i]);
	}
}
END_TEST

START_TEST(unmounted)
{
	static const char mend[] = "; as root \"ftwait record\" mounts it, or: mount -t tracefs "
	                           "tracefs /sys/kernel/tracing";
	static const struct scene with = {
		.files = {{"proc/self/status", ""}, {"proc/filesystems", "nodev\ttracefs\n"}},
	};
	static const struct scene without = {
		.files = {{"proc/self/status", ""}, {"proc/filesystems", "nodev\tsysfs\n"}},
	};
	static const struct scene old = {
		.files = {{"proc/self/status", ""}, {"proc/filesystems", "nodev\tdebugfs\n"}},
	};
	static const struct scene old_mounted = {
		.files = {{"proc/self/status", ""},
		          {"proc/filesystems", "nodev\tdebugfs\n"},
		          {"proc/self/mounts", "d /sys/kernel/debug debugfs rw 0 0\n"}},
	};
	static const struct scene no_proc = {.name = "no /proc"};
	struct tracing_scene scene = scene_make(&with);

	ck_assert_int_eq(tracing_denial_explain_unmounted(&scene, &why), -ENOENT);
	ck_assert_ptr_nonnull(strstr(why.text, mend));
	ck_assert_ptr_null(strstr(why.text, "/proc is not mounted"));
	scene = scene_make(&no_proc);
	ck_assert_int_eq(tracing_denial_explain_unmounted(&scene, &why), -ENOENT);
	ck_assert_ptr_nonnull(strstr(why.text, "/proc/mounts, but /proc is not mounted)"));
	ck_assert_ptr_nonnull(strstr(why.text, mend));
	scene = scene_make(&without);
	ck_assert_int_eq(tracing_denial_explain_unmounted(&scene, &why), -ENODEV);
	ck_assert_str_eq(why.text, "this kernel has neither tracefs nor debugfs "
				   "(/proc/filesystems); boot one with CONFIG_FTRACE");
	buffer_clear(&why);
	scene = scene_make(&old);
	ck_assert_int_eq(tracing_denial_explain_unmounted(&scene, &why), -ENOENT);
	ck_assert_ptr_nonnull(strstr(why.text, "no debugfs is mounted"));
	ck_assert_ptr_nonnull(strstr(why.text, "; as root \"ftwait record\" mounts it, or: mount -t "
	                                       "debugfs debugfs /sys/kernel/debug"));
	ck_assert_str_eq(tracing_scene_place(&scene)->tracing, "/sys/kernel/debug/tracing");
	buffer_clear(&why);
	scene = scene_make(&old_mounted);
	ck_assert_int_eq(tracing_denial_explain_unmounted(&scene, &why), -ENODEV);
	ck_assert_ptr_nonnull(strstr(why.text, "its debugfs no folder \"tracing\""));
}
END_TEST

START_TEST(mount_failed)
{
	static const struct scene scenes[] = {
		{.name = "no tracefs", .error = ENODEV,
		 .expected = "cannot mount tracefs at /sys/kernel/tracing: No such device; boot a "
		             "kernel with CONFIG_FTRACE"},
		{.name = "no sysfs", .error = ENOENT,
		 .expected = "cannot mount tracefs at /sys/kernel/tracing: No such file or "
		             "directory; mount -t sysfs sysfs /sys"},
		{.name = "a container",
		 .files = {{"proc/self/status", "Name:\tx\nCapEff:\t00000000a80425fb\n"},
		           {"proc/self/uid_map", WHOLE_MAP}},
		 .error = EPERM,
		 .expected = "cannot mount tracefs at /sys/kernel/tracing: Operation not permitted "
		             "(root without CAP_SYS_ADMIN, by /proc/self/status); give it that (a "
		             "container: --cap-add), or run ftwait on the host"},
		{.name = "another", .error = EBUSY,
		 .expected = "cannot mount tracefs at /sys/kernel/tracing: Device or resource busy; "
		             "try: mount -t tracefs tracefs /sys/kernel/tracing"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(scenes); i++) {
		struct tracing_scene scene = scene_make(&scenes[i]);

		(void)tracing_denial_explain_mount(&scene, scenes[i].error, &why);
		expect_reported(&scenes[i]);
	}
}
END_TEST

START_TEST(symbols)
{
	static const struct scene scenes[] = {
		{.name = "no /proc", .error = ENOENT, .expected = "mount -t proc proc /proc"},
		{.name = "no symbols",
		 .files = {{"proc/self/status", ""}},
		 .error = ENOENT,
		 .expected = "\"ftwait report --kallsyms System.map\" names them, with the file of "
		             "the kernel's build; or a kernel with CONFIG_KALLSYMS"},
		{.name = "hidden",
		 .files = {{"proc/self/status", ""}, {"proc/sys/kernel/kptr_restrict", "1\n"}},
		 .error = EPERM, .expected = "root with CAP_SYSLOG"},
		{.name = "hidden from root too",
		 .files = {{"proc/self/status", ""}, {"proc/sys/kernel/kptr_restrict", "2\n"}},
		 .error = EPERM, .expected = "sysctl kernel.kptr_restrict=1"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(scenes); i++) {
		struct tracing_scene scene = scene_make(&scenes[i]);

		buffer_puts(&why, symbols_denial_mend(&scene, scenes[i].error));
		expect_reported(&scenes[i]);
	}
}
END_TEST

Suite *tracing_denial_suite(void)
{
	Suite *suite = suite_create("tracing_denial");
	TCase *tcase = tcase_create("tracing_denial");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, denied);
	tcase_add_test(tcase, empty);
	tcase_add_test(tcase, unmounted);
	tcase_add_test(tcase, mount_failed);
	tcase_add_test(tcase, symbols);
	suite_add_tcase(suite, tcase);
	return suite;
}
