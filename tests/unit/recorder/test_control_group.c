/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text/buffer.h"
#include "recorder/machine/control_group.h"
#include "recorder/machine/cpu_quota.h"
#include "suites.h"

static char root[] = "/tmp/ftwait-groups-XXXXXX";

/* A file below the root, and the folders that it is in. */
static void file_write(const char *name, const char *text)
{
	char path[4096];
	FILE *file;

	(void)snprintf(path, sizeof(path), "%s/%s", root, name);
	for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		(void)mkdir(path, 0700);
		*slash = '/';
	}
	file = fopen(path, "w");
	ck_assert_ptr_nonnull(file);
	ck_assert_int_ge(fputs(text, file), 0);
	ck_assert_int_eq(fclose(file), 0);
}

static void setup(void)
{
	ck_assert_ptr_nonnull(mkdtemp(root));
}

/* The groups of a process, with version 2 or some of version 1 mounted below the root. */
static void limits_find(struct control_group_limits *ret, const char *groups, const char *mounts)
{
	struct buffer lines;

	buffer_init(&lines, 4096);
	for (const char *at = mounts; *at; at++)
		if (*at == '@')
			buffer_puts(&lines, root);
		else
			buffer_putc(&lines, *at);
	control_group_find(groups, lines.text, ret);
	buffer_release(&lines);
}

static bool ends_with(const char *text, const char *end)
{
	return text && strlen(text) >= strlen(end) &&
	       strcmp(text + strlen(text) - strlen(end), end) == 0;
}

/* The tightest of the group and those around it counts. */
START_TEST(groups_of_version_2)
{
	struct control_group_limits limits;

	file_write("memory.max", "1000000\n");
	file_write("a/memory.max", "500000\n");
	file_write("a/b/memory.max", "max\n");
	file_write("a/cpu.max", "max 100000\n");
	file_write("a/b/cpu.max", "50000 100000\n");
	file_write("a/b/cpu.stat", "usage_usec 5\nnr_periods 9\nnr_throttled 7\n");
	limits_find(&limits, "0::/a/b\n", "proc /proc proc rw 0 0\ncgroup2 @ cgroup2 rw 0 0\n");
	ck_assert_uint_eq(limits.memory_bytes, 500000);
	ck_assert(ends_with(limits.memory_file, "/a/memory.max"));
	ck_assert(limits.cpus == 0.5);
	ck_assert(ends_with(limits.cpu_file, "/a/b/cpu.max"));
	ck_assert_uint_eq(limits.throttled, 7);
	control_group_release(&limits);
}
END_TEST

START_TEST(groups_of_version_1)
{
	struct control_group_limits limits;

	file_write("m/x/memory.limit_in_bytes", "33554432\n");
	file_write("m/memory.limit_in_bytes", "9223372036854771712\n");
	file_write("c/cpu.cfs_quota_us", "-1\n");
	file_write("c/cpu.cfs_period_us", "100000\n");
	file_write("c/y/cpu.cfs_quota_us", "150000\n");
	file_write("c/y/cpu.cfs_period_us", "100000\n");
	limits_find(&limits, "9:name=systemd:/\n4:memory:/x\n1:cpuacct,cpu:/y\n0::/\n",
	            "cgroup @/c cgroup rw,cpu,cpuacct 0 0\ncgroup @/m cgroup rw,memory 0 0\n"
	            "cgroup @/s cgroup rw,name=systemd 0 0\n");
	ck_assert_uint_eq(limits.memory_bytes, 33554432);
	ck_assert(ends_with(limits.memory_file, "/m/x/memory.limit_in_bytes"));
	ck_assert(limits.cpus == 1.5);
	ck_assert(ends_with(limits.cpu_file, "/c/y/cpu.cfs_quota_us"));
	control_group_release(&limits);
}
END_TEST

/* A container may see its own group as the root of what is mounted, by another path. */
START_TEST(groups_in_a_container)
{
	struct control_group_limits limits;

	file_write("memory.max", "700000\n");
	limits_find(&limits, "0::/docker/0123/nested\n", "cgroup2 @ cgroup2 rw 0 0\n");
	ck_assert_uint_eq(limits.memory_bytes, 700000);
	control_group_release(&limits);
}
END_TEST

START_TEST(nothing_limits)
{
	static const char *const groups[] = {"", "0::/\n", "nonsense\n:::\n0:\n", "4:memory\n"};

	file_write("memory.max", "nonsense\n");
	file_write("cpu.max", "5 0\n");
	for (size_t i = 0; i < sizeof(groups) / sizeof(*groups); i++) {
		struct control_group_limits limits;

		limits_find(&limits, groups[i], "cgroup2 @ cgroup2 rw 0 0\ncgroup2\n\ncgroup "
		                                "@/none cgroup rw,memory 0 0\n");
		ck_assert_uint_eq(limits.memory_bytes, UINT64_MAX);
		ck_assert_ptr_null(limits.memory_file);
		ck_assert_ptr_null(limits.cpu_file);
		control_group_release(&limits);
	}
}
END_TEST

/* Looks for limits on CPU time of a group below the root. */
static void quotas_look(struct cpu_quotas *quotas, const char *groups, const char *type)
{
	struct buffer lines;

	buffer_init(&lines, 4096);
	buffer_printf(&lines, "cgroup %s %s 0 0\n", root, type);
	cpu_quotas_find(quotas, groups, lines.text);
	buffer_release(&lines);
}

/* What the file says of them, without where they are. */
static const char *quotas_said(struct cpu_quotas *quotas, struct buffer *said)
{
	const char *at;
	nsec_t seen = 0;

	buffer_init(said, 4096);
	for (size_t i = 0; i < quotas->count; i++) {
		if (!quotas->group[i].is_seen)
			continue;
		ck_assert_int_eq(quotas->group[i].since == 0, seen == 0);
		quotas->group[i].since = seen++;
	}
	cpu_quotas_describe(quotas, said);
	while ((at = strstr(said->text, root)))
		memmove(said->text + (at - said->text), at + strlen(root),
		        strlen(at + strlen(root)) + 1);
	return said->text;
}

/* Both groups have a limit; what was held back before the first look does not count. */
START_TEST(quotas_of_version_2)
{
	static const char mount[] = "cgroup2 rw";
	struct cpu_quotas quotas;
	struct buffer said;

	cpu_quotas_init(&quotas);
	file_write("a/cpu.max", "max 100000\n");
	file_write("a/b/cpu.max", "10000 100000\n");
	file_write("a/b/cpu.stat", "nr_periods 9\nnr_throttled 7\nthrottled_usec 100\n");
	quotas_look(&quotas, "0::/a/b\n", mount);
	cpu_quotas_count(&quotas);
	file_write("c/cpu.max", "5000 20000\n");
	file_write("c/cpu.stat", "nr_periods 9\nnr_throttled 1\nthrottled_usec 3\n");
	file_write("d/cpu.max", "5000 20000\n");
	file_write("d/cpu.stat", "nr_periods 9\nnr_throttled 0\nthrottled_usec 0\n");
	quotas_look(&quotas, "0::/c\n", mount);
	quotas_look(&quotas, "0::/d\n", mount);
	quotas_look(&quotas, "0::/d\n", mount);
	file_write("a/b/cpu.stat", "nr_periods 12\nnr_throttled 9\nthrottled_usec 291100\n");
	file_write("c/cpu.stat", "nr_periods 12\nnr_throttled 3\nthrottled_usec 33\n");
	cpu_quotas_count(&quotas);
	ck_assert_str_eq(quotas_said(&quotas, &said),
	                 "cpu-limit 10000000 100000000 291000000 2 w 0 /a/b\n"
	                 "cpu-limit 5000000 20000000 30000 2 - 1 /c\n"
	                 "cpu-limit 5000000 20000000 0 0 w 2 /d\n");
	buffer_release(&said);
	cpu_quotas_release(&quotas);
}
END_TEST

static void quotas_search(struct cpu_quotas *quotas, const char *type)
{
	struct buffer lines;

	buffer_init(&lines, 4096);
	buffer_printf(&lines, "cgroup %s %s 0 0\n", root, type);
	cpu_quotas_search_below(quotas, lines.text);
	buffer_release(&lines);
}

/* Of a group that is made later the counters count from 0; of one that no task was seen in there is
   a line only if it held tasks back. */
START_TEST(quotas_of_others)
{
	static const char mount[] = "cgroup2 rw";
	struct cpu_quotas quotas;
	struct buffer said;

	cpu_quotas_init(&quotas);
	file_write("old/cpu.max", "10000 100000\n");
	file_write("old/cpu.stat", "nr_periods 9\nnr_throttled 7\nthrottled_usec 100\n");
	file_write("seen/cpu.max", "10000 100000\n");
	file_write("seen/cpu.stat", "nr_periods 9\nnr_throttled 7\nthrottled_usec 100\n");
	file_write("idle/cpu.max", "10000 100000\n");
	file_write("idle/cpu.stat", "nr_periods 9\nnr_throttled 7\nthrottled_usec 100\n");
	quotas_search(&quotas, mount);
	quotas_look(&quotas, "0::/seen\n", mount);
	cpu_quotas_count(&quotas);
	file_write("old/new/cpu.max", "20000 100000\n");
	file_write("old/new/cpu.stat", "nr_periods 9\nnr_throttled 2\nthrottled_usec 900\n");
	quotas_search(&quotas, mount);
	file_write("old/cpu.stat", "nr_periods 9\nnr_throttled 8\nthrottled_usec 120\n");
	cpu_quotas_count(&quotas);
	ck_assert_str_eq(quotas_said(&quotas, &said),
	                 "cpu-limit 10000000 100000000 0 0 w 0 /seen\n"
	                 "cpu-limit 20000000 100000000 900000 2 w - /old/new\n"
	                 "cpu-limit 10000000 100000000 20000 1 w - /old\n");
	buffer_release(&said);
	cpu_quotas_release(&quotas);
}
END_TEST

START_TEST(quotas_of_version_1)
{
	static const char mount[] = "cgroup rw,cpuacct,cpu";
	struct cpu_quotas quotas;
	struct buffer said;

	cpu_quotas_init(&quotas);
	file_write("cpu.cfs_quota_us", "-1\n");
	file_write("cpu.cfs_period_us", "100000\n");
	file_write("y/cpu.cfs_quota_us", "150000\n");
	file_write("y/cpu.cfs_period_us", "100000\n");
	file_write("y/cpu.stat", "nr_periods 1\nnr_throttled 1\nthrottled_time 5\n");
	file_write("z/cpu.cfs_quota_us", "5\n");
	file_write("z/cpu.cfs_period_us", "0\n");
	quotas_look(&quotas, "3:memory:/m\n1:cpu,cpuacct:/y\n", mount);
	quotas_look(&quotas, "1:cpu,cpuacct:/z\n", mount);
	file_write("y/cpu.stat", "nr_periods 2\nnr_throttled 2\nthrottled_time 1005\n");
	cpu_quotas_count(&quotas);
	ck_assert_str_eq(quotas_said(&quotas, &said),
	                 "cpu-limit 150000000 100000000 1000 1 w 0 /y\n");
	buffer_release(&said);
	cpu_quotas_release(&quotas);
}
END_TEST

/* What is noted of a task in these groups; the folder below the root. */
static void weight_is(const char *groups, const char *options, uint32_t per_mille, const char *by)
{
	char mounts[4096];
	struct cpu_weight weight;

	(void)snprintf(mounts, sizeof(mounts), "cgroup %s %s 0 0\n", root, options);
	cpu_weight_init(&weight);
	cpu_weight_find(&weight, groups, mounts);
	ck_assert_uint_eq(weight.per_mille, per_mille);
	if (by)
		ck_assert_str_eq(weight.by + strlen(root), by);
	else
		ck_assert_ptr_null(weight.by);
	cpu_weight_release(&weight);
}

START_TEST(the_least_weight_counts)
{
	file_write("w/cpu.weight", "20\n");
	file_write("w/x/cpu.weight", "50\n");
	file_write("w/i/cpu.weight", "100\n");
	file_write("w/i/cpu.idle", "1\n");
	file_write("heavy/cpu.weight", "900\n");
	file_write("s/cpu.shares", "2\n");
	weight_is("0::/w/x\n", "cgroup2 rw", 200, "/w");
	weight_is("0::/w/i\n", "cgroup2 rw", 3, "/w/i");
	weight_is("0::/heavy\n", "cgroup2 rw", CPU_WEIGHT_USUAL, NULL);
	weight_is("1:cpu,cpuacct:/s\n", "cgroup rw,cpuacct,cpu", 2, "/s");
}
END_TEST

static int entry_remove(const char *path, const struct stat *status, int type, struct FTW *walk)
{
	(void)status;
	(void)type;
	(void)walk;
	return remove(path);
}

static void teardown(void)
{
	(void)nftw(root, entry_remove, 16, FTW_DEPTH | FTW_PHYS);
}

START_TEST(a_folder_is_a_group)
{
	static const char mounts[] = "tmpfs /sys/fs/cgroup tmpfs rw 0 0\n"
				     "cgroup /sys/fs/cgroup/cpu cgroup rw,cpu 0 0\n"
				     "cgroup2 /sys/fs/cgroup/unified cgroup2 rw 0 0\n"
				     "cgroup2 /sys/fs/cgroup/unified/in cgroup2 rw 0 0\n";
	static const char *const cases[][2] = {
		{"/sys/fs/cgroup/unified/a/b", "/a/b"}, {"/sys/fs/cgroup/unified/a/", "/a"},
		{"/sys/fs/cgroup/unified", "/"},        {"/sys/fs/cgroup/unified/", "/"},
		{"/sys/fs/cgroup/cpu/x", "/x"},         {"/sys/fs/cgroup/cpux", "/sys/fs/cgroup/cpux"},
		{"/sys/fs/cgroup/unified/in/a", "/a"},  {"/system.slice", "/system.slice"},
		{"nginx.service", "nginx.service"},     {"/", "/"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char *path = control_group_of_folder(mounts, cases[i][0]);

		ck_assert_str_eq(path, cases[i][1]);
		free(path);
	}
}
END_TEST

Suite *control_group_suite(void)
{
	Suite *suite = suite_create("control_group");
	TCase *tests = tcase_create("control_group");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, groups_of_version_2);
	tcase_add_test(tests, groups_of_version_1);
	tcase_add_test(tests, groups_in_a_container);
	tcase_add_test(tests, nothing_limits);
	tcase_add_test(tests, quotas_of_version_2);
	tcase_add_test(tests, quotas_of_others);
	tcase_add_test(tests, quotas_of_version_1);
	tcase_add_test(tests, the_least_weight_counts);
	tcase_add_test(tests, a_folder_is_a_group);
	suite_add_tcase(suite, tests);
	return suite;
}
