/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * On folders that look like instances: theirs are removed with what is in them, so what is to be
 * removed here is empty.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/xalloc.h"
#include "recorder/instance/instance_folder.h"
#include "recorder/instance/stale_instances.h"
#include "suites.h"

/* no process has these */
#define DEAD   "instances/ftwait.2000000001"
#define LOCKED "instances/ftwait.2000000002"

static char folder[64];
static char reported[1000]; /* "NAME ERROR; " or "NAME EVENTS KIB; " of each call */

static void setup(void)
{
	(void)snprintf(folder, sizeof(folder), "/tmp/ftwait-unit.XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(folder));
	ck_assert_int_eq(chdir(folder), 0);
	ck_assert_int_eq(mkdir("instances", 0700), 0);
	reported[0] = '\0';
}

static void teardown(void)
{
	_cleanup_(freep) char *command = xasprintf("rm -r %s", folder);

	ck_assert_int_eq(chdir("/"), 0);
	ck_assert_int_eq(system(command), 0);
}

static void on_removed(void *state, const char *name, int error)
{
	size_t length = strlen(reported);

	(void)state;
	(void)snprintf(reported + length, sizeof(reported) - length, "%s %d; ", name, error);
}

static void on_found(void *state, const struct stale_instance *stale)
{
	size_t length = strlen(reported);

	(void)state;
	(void)snprintf(reported + length, sizeof(reported) - length, "%s %u %u; ", stale->name,
	               (unsigned)stale->events, (unsigned)stale->kib);
}

static bool exists(const char *path)
{
	return access(path, F_OK) == 0;
}

START_TEST(a_lock_is_held_by_one)
{
	int lock, next;

	ck_assert_int_eq(instance_lock_take(LOCKED), -ENOENT);
	ck_assert_int_eq(mkdir(LOCKED, 0700), 0);
	lock = instance_lock_take(LOCKED);
	ck_assert_int_ge(lock, 0);
	ck_assert_int_eq(fcntl(lock, F_GETFD), FD_CLOEXEC);
	ck_assert_int_eq(instance_lock_take(LOCKED), -EWOULDBLOCK);
	(void)close(lock);
	next = instance_lock_take_new(LOCKED);
	ck_assert_int_ge(next, 0);
	(void)close(next);
}
END_TEST

START_TEST(only_the_dead_are_removed)
{
	static const char *const others[] = {
		"instances/ftwait",
		"instances/ftwait.",
		"instances/ftwait.1x",
		"instances/other",
	};
	int lock;

	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		ck_assert_int_eq(mkdir(others[i], 0700), 0);
	ck_assert_int_eq(mkdir(DEAD, 0700), 0);
	ck_assert_int_eq(mkdir("instances/ftwait.1", 0700), 0);
	ck_assert_int_eq(mkdir(LOCKED, 0700), 0);
	lock = instance_lock_take(LOCKED);
	ck_assert_int_ge(lock, 0);
	ck_assert_int_eq(stale_instances_remove(folder, NULL, NULL), 2);
	ck_assert(!exists(DEAD));
	/* the first process is none of ours */
	ck_assert(!exists("instances/ftwait.1"));
	ck_assert(exists(LOCKED));
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		ck_assert(exists(others[i]));
	(void)close(lock);
	ck_assert_int_eq(stale_instances_remove(folder, on_removed, NULL), 1);
	ck_assert_str_eq(reported, "ftwait.2000000002 0; ");
}
END_TEST

START_TEST(what_cannot_be_removed_is_reported)
{
	ck_assert_int_eq(mkdir(DEAD, 0700), 0);
	ck_assert_int_eq(mkdir(DEAD "/per_cpu", 0700), 0);
	ck_assert_int_eq(stale_instances_remove(folder, on_removed, NULL), 0);
	ck_assert_int_eq(strncmp(reported, "ftwait.2000000001 -", 19), 0);
	ck_assert_int_eq(stale_instances_remove("/nowhere", on_removed, NULL), -ENOENT);
}
END_TEST

START_TEST(what_cannot_be_judged_is_left_alone)
{
	struct rlimit all, few;
	int next = open("/dev/null", O_RDONLY | O_CLOEXEC);

	ck_assert_int_eq(mkdir(DEAD, 0700), 0);
	ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &all), 0);
	/* one descriptor is left, for the folder of all instances */
	few = (struct rlimit){.rlim_cur = (rlim_t)next + 1, .rlim_max = all.rlim_max};
	(void)close(next);
	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &few), 0);
	ck_assert_int_eq(stale_instances_remove(folder, on_removed, NULL), -EMFILE);
	ck_assert_int_eq(stale_instances_find(folder, on_found, NULL), -EMFILE);
	ck_assert_str_eq(reported, "");
	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &all), 0);
	ck_assert(exists(DEAD));
}
END_TEST

static void file_make(const char *path, const char *text)
{
	FILE *file = fopen(path, "we");

	ck_assert_ptr_nonnull(file);
	ck_assert_int_ge(fputs(text, file), 0);
	ck_assert_int_eq(fclose(file), 0);
}

START_TEST(what_they_hold_is_found)
{
	ck_assert_int_eq(mkdir(DEAD, 0700), 0);
	ck_assert_int_eq(mkdir(DEAD "/per_cpu", 0700), 0);
	ck_assert_int_eq(mkdir(DEAD "/per_cpu/cpu0", 0700), 0);
	ck_assert_int_eq(mkdir(DEAD "/per_cpu/cpu1", 0700), 0);
	file_make(DEAD "/per_cpu/cpu0/stats", "entries: 7\noverrun: 3\n");
	file_make(DEAD "/per_cpu/cpu1/stats", "entries: 5\noverrun: 0\n");
	file_make(DEAD "/buffer_total_size_kb", "14 (expanded: 2816)\n");
	ck_assert_int_eq(stale_instances_find(folder, on_found, NULL), 1);
	ck_assert_str_eq(reported, "ftwait.2000000001 12 14; ");
	ck_assert(exists(DEAD));
}
END_TEST

Suite *stale_instances_suite(void)
{
	Suite *suite = suite_create("stale_instances");
	TCase *tcase = tcase_create("stale_instances");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, a_lock_is_held_by_one);
	tcase_add_test(tcase, only_the_dead_are_removed);
	tcase_add_test(tcase, what_cannot_be_removed_is_reported);
	tcase_add_test(tcase, what_cannot_be_judged_is_left_alone);
	tcase_add_test(tcase, what_they_hold_is_found);
	suite_add_tcase(suite, tcase);
	return suite;
}
