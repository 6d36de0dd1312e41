/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/report/report_output.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/xalloc.h"
#include "suites.h"

#define OLD "precious\n"

static char folder[64];

static void file_fill(const char *name, const char *text)
{
	FILE *out = fopen(name, "we");

	ck_assert_ptr_nonnull(out);
	ck_assert_int_ge(fputs(text, out), 0);
	ck_assert_int_eq(fclose(out), 0);
}

static void file_expect(const char *name, const char *text)
{
	char got[256] = "";
	FILE *in = fopen(name, "re");

	ck_assert_msg(in != NULL, "%s is not there", name);
	(void)!fread(got, 1, sizeof(got) - 1, in);
	(void)fclose(in);
	ck_assert_str_eq(got, text);
}

/* How many files are in the folder. */
static int files_count(void)
{
	_cleanup_(closedirp) DIR *names = opendir(".");
	struct dirent *entry;
	int count = 0;

	ck_assert_ptr_nonnull(names);
	while ((entry = readdir(names)))
		count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
	return count;
}

/* No right of root's is in the way of what is asked of folders. */
static void setup(void)
{
	(void)snprintf(folder, sizeof(folder), "/tmp/ftwait-unit.XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(folder));
	if (geteuid() == 0) {
		ck_assert_int_eq(chown(folder, 65534, 65534), 0);
		ck_assert_int_eq(setegid(65534), 0);
		ck_assert_int_eq(seteuid(65534), 0);
	}
	ck_assert_int_eq(chdir(folder), 0);
	(void)signal(SIGXFSZ, SIG_IGN);
}

static void teardown(void)
{
	_cleanup_(freep) char *command = xasprintf("chmod u+w %s && rm -r %s", folder, folder);

	ck_assert_int_eq(chdir("/"), 0);
	ck_assert_int_eq(system(command), 0);
	/* who has given up being root may not be looked at by the sanitizer of leaks */
	if (getuid() == 0) {
		ck_assert_int_eq(seteuid(0), 0);
		ck_assert_int_eq(setegid(0), 0);
	}
}

static int open_for(const char *path, struct report_output *output)
{
	static const char *const inputs[] = {"other-recording", "recording"};
	const struct report_target target = {
		.command = "report", .path = path, .input = inputs, .input_count = 2};

	return report_output_open(&target, output);
}

static void output_begin(struct report_output *output)
{
	ck_assert_int_eq(open_for("report", output), 0);
	ck_assert_int_eq(report_output_begin(output), 0);
	ck_assert_int_gt(fputs("a new report\n", output->to), 0);
}

/* No file may become larger than `bytes`. */
static void limit_files(rlim_t bytes)
{
	struct rlimit limit;

	ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &limit), 0);
	limit.rlim_cur = bytes;
	ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

START_TEST(test_old_one_stays_until_all_is_there)
{
	struct report_output output;

	file_fill("report", OLD);
	output_begin(&output);
	ck_assert_int_eq(fflush(output.to), 0);
	file_expect("report", OLD);
	ck_assert_int_eq(report_output_close(&output), 0);
	file_expect("report", "a new report\n");
	ck_assert_int_eq(files_count(), 1);
}
END_TEST

START_TEST(test_failed_write_keeps_the_old_one)
{
	struct report_output output;

	file_fill("report", OLD);
	output_begin(&output);
	limit_files(5);
	ck_assert_int_lt(report_output_close(&output), 0);
	limit_files(RLIM_INFINITY);
	file_expect("report", OLD);
	ck_assert_int_eq(files_count(), 1);
}
END_TEST

START_TEST(test_failed_write_is_the_last)
{
	struct report_output output;
	struct stat beside;

	output_begin(&output);
	limit_files(5);
	ck_assert_int_ne(fflush(output.to), 0);
	limit_files(RLIM_INFINITY);
	(void)fputs("what would leave a hole", output.to);
	(void)fflush(output.to);
	ck_assert_int_eq(fstat(fileno(output.file), &beside), 0);
	ck_assert_int_eq(beside.st_size, 5);
	ck_assert_int_lt(report_output_close(&output), 0);
	ck_assert_int_eq(files_count(), 0);
}
END_TEST

START_TEST(test_discarded_leaves_all_as_it_was)
{
	struct report_output output;

	output_begin(&output);
	report_output_discard(&output);
	ck_assert_int_eq(files_count(), 0);
	file_fill("report", OLD);
	ck_assert_int_eq(open_for("report", &output), 0);
	report_output_discard(&output);
	file_expect("report", OLD);
	ck_assert_int_eq(files_count(), 1);
}
END_TEST

/* Into a file of a folder that is closed to us, which cannot be replaced. */
START_TEST(test_written_in_its_own_place)
{
	struct report_output output;

	file_fill("report", OLD);
	ck_assert_int_eq(chmod(".", 0500), 0);
	output_begin(&output);
	ck_assert_int_eq(report_output_close(&output), 0);
	file_expect("report", "a new report\n");
	/* half a report is none */
	output_begin(&output);
	limit_files(5);
	ck_assert_int_lt(report_output_close(&output), 0);
	limit_files(RLIM_INFINITY);
	file_expect("report", "");
	ck_assert_int_eq(open_for("other", &output), -EACCES);
}
END_TEST

/* What must not be written to is not replaced, either. */
START_TEST(test_read_only_file_is_refused)
{
	struct report_output output;

	file_fill("report", OLD);
	ck_assert_int_eq(chmod("report", 0444), 0);
	ck_assert_int_eq(open_for("report", &output), -EACCES);
	file_expect("report", OLD);
	ck_assert_int_eq(files_count(), 1);
}
END_TEST

/* A signal that ends the process tidies up; one that is ignored stays so. */
START_TEST(test_signal_removes_what_is_beside)
{
	struct report_output output;
	int status;
	pid_t pid;

	file_fill("report", OLD);
	pid = fork();
	if (pid == 0) {
		(void)signal(SIGTERM, SIG_DFL); /* Check has its own */
		(void)signal(SIGHUP, SIG_IGN);
		output_begin(&output);
		(void)fflush(output.to);
		(void)raise(SIGHUP);
		(void)raise(files_count() == 2 ? SIGTERM : SIGKILL);
		_exit(1);
	}
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert(WIFSIGNALED(status));
	ck_assert_int_eq(WTERMSIG(status), SIGTERM);
	file_expect("report", OLD);
	ck_assert_int_eq(files_count(), 1);
}
END_TEST

/* What is made for its owner alone ends with the old one's mode, or with what umask leaves. */
START_TEST(test_mode_is_the_old_ones)
{
	struct report_output output;
	struct stat made, asked;

	file_fill("report", OLD);
	ck_assert_int_eq(chmod("report", 0640), 0);
	(void)umask(0);
	output_begin(&output);
	ck_assert_int_eq(fstat(fileno(output.file), &made), 0);
	ck_assert_int_eq(made.st_mode & 07777, 0640);
	ck_assert_int_eq(report_output_close(&output), 0);
	(void)umask(027);
	ck_assert_int_eq(open_for("other", &output), 0);
	ck_assert_int_eq(report_output_begin(&output), 0);
	ck_assert_int_eq(report_output_close(&output), 0);
	ck_assert_int_eq(stat("other", &asked), 0);
	ck_assert_int_eq(asked.st_mode & 07777, 0640);
}
END_TEST

START_TEST(test_file_without_a_name_is_refused)
{
	struct report_output output;

	ck_assert_int_eq(open_for("", &output), -ENOENT);
	ck_assert_int_eq(files_count(), 0);
}
END_TEST

/* Makes the file a mount point, which no other file can replace; false where we may not. */
static bool mount_over(const char *name)
{
	uid_t user = geteuid();
	bool is_done;

	(void)!seteuid(0);
	is_done = unshare(CLONE_NEWNS | (geteuid() == 0 ? 0 : CLONE_NEWUSER)) == 0 &&
	          mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
	          mount(name, name, NULL, MS_BIND, NULL) == 0;
	(void)!seteuid(user);
	if (!is_done)
		printf("SKIP: cannot mount over a file\n");
	return is_done;
}

static void unmount(const char *name)
{
	uid_t user = geteuid();

	(void)!seteuid(0);
	ck_assert_int_eq(umount(name), 0);
	(void)!seteuid(user);
}

START_TEST(test_mount_point_is_filled)
{
	struct report_output output;

	file_fill("report", OLD);
	if (!mount_over("report"))
		return;
	output_begin(&output);
	ck_assert_int_eq(report_output_close(&output), 0);
	file_expect("report", "a new report\n");
	ck_assert_int_eq(files_count(), 1);
	unmount("report");
}
END_TEST

/* The old one is gone by then: the new one must not go, too. */
START_TEST(test_mount_point_that_is_not_filled_loses_nothing)
{
	struct report_output output;
	char beside[sizeof(((struct dirent *)NULL)->d_name)] = "";
	struct dirent *entry;
	DIR *names;

	file_fill("report", OLD);
	if (!mount_over("report"))
		return;
	output_begin(&output);
	ck_assert_int_eq(fflush(output.to), 0);
	limit_files(5);
	ck_assert_int_eq(report_output_close(&output), -EFBIG);
	limit_files(RLIM_INFINITY);
	file_expect("report", "a new");
	names = opendir(".");
	while ((entry = readdir(names)))
		if (strncmp(entry->d_name, ".ftwait-", 8) == 0)
			(void)strcpy(beside, entry->d_name);
	(void)closedir(names);
	file_expect(beside, "a new report\n");
	unmount("report");
}
END_TEST

Suite *report_output_suite(void)
{
	Suite *suite = suite_create("report_output");
	TCase *tcase = tcase_create("report_output");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, test_old_one_stays_until_all_is_there);
	tcase_add_test(tcase, test_failed_write_keeps_the_old_one);
	tcase_add_test(tcase, test_failed_write_is_the_last);
	tcase_add_test(tcase, test_discarded_leaves_all_as_it_was);
	tcase_add_test(tcase, test_written_in_its_own_place);
	tcase_add_test(tcase, test_mode_is_the_old_ones);
	tcase_add_test(tcase, test_file_without_a_name_is_refused);
	tcase_add_test(tcase, test_mount_point_is_filled);
	tcase_add_test(tcase, test_mount_point_that_is_not_filled_loses_nothing);
	tcase_add_test(tcase, test_read_only_file_is_refused);
	tcase_add_test(tcase, test_signal_removes_what_is_beside);
	suite_add_tcase(suite, tcase);
	return suite;
}
