/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "recorder/machine/machine_notes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/xalloc.h"
#include "suites.h"

static char folder[] = "/tmp/ftwait-devices.XXXXXX";

static void put(const char *name, const char *text)
{
	_cleanup_(freep) char *path = xasprintf("%s/%s", folder, name);
	FILE *file = fopen(path, "w");

	ck_assert_ptr_nonnull(file);
	ck_assert_int_ge(fputs(text, file), 0);
	ck_assert_int_eq(fclose(file), 0);
}

static void make(const char *name)
{
	_cleanup_(freep) char *path = xasprintf("%s/%s", folder, name);

	ck_assert_int_eq(mkdir(path, 0700), 0);
}

/* The lines of one look, sorted. */
static void look_is(struct map *devices, const char *expected)
{
	char *line[16], *rest;
	size_t count = 0;
	struct buffer to, sorted;

	buffer_init(&to, BUFFER_LIMIT_DEFAULT);
	buffer_init(&sorted, BUFFER_LIMIT_DEFAULT);
	buffer_puts(&to, "");
	buffer_puts(&sorted, "");
	block_devices_look(devices, folder, &to);
	for (char *at = strtok_r(to.text, "\n", &rest); at; at = strtok_r(NULL, "\n", &rest)) {
		size_t place = count++;

		ck_assert_uint_le(count, 16);
		for (; place > 0 && strcmp(line[place - 1], at) > 0; place--)
			line[place] = line[place - 1];
		line[place] = at;
	}
	for (size_t i = 0; i < count; i++)
		buffer_printf(&sorted, "%s\n", line[i]);
	ck_assert_str_eq(sorted.text, expected);
	buffer_release(&to);
	buffer_release(&sorted);
}

START_TEST(devices_are_noted_once)
{
	_cleanup_(freep) char *command = NULL;
	struct map devices;

	ck_assert_ptr_nonnull(mkdtemp(folder));
	map_init(&devices);
	look_is(&devices, "");
	make("vda");
	put("vda/dev", "254:0\n");
	make("cciss!c0d0");
	put("cciss!c0d0/dev", "104:0\n");
	make("dm-0");
	put("dm-0/dev", "253:0\n");
	make("dm-0/dm");
	put("dm-0/dm/name", "vg-root \\x20\n");
	make("empty");
	make("long");
	put("long/dev", "1:000000000000000000000000000000000000000000\n");
	look_is(&devices, "device 104:0 cciss/c0d0\n"
	                  "device 253:0 dm-0 vg-root \\134x20\n"
	                  "device 254:0 vda\n");
	look_is(&devices, "");
	/* one appears, another has another name now */
	make("sdb");
	put("sdb/dev", "8:16\n");
	put("dm-0/dm/name", "vg-new\n");
	look_is(&devices, "device 253:0 dm-0 vg-new\ndevice 8:16 sdb\n");
	map_release(&devices);
	command = xasprintf("rm -r %s", folder);
	ck_assert_int_eq(system(command), 0);
}
END_TEST

START_TEST(without_sysfs_there_are_none)
{
	struct map devices;
	struct buffer to;

	map_init(&devices);
	buffer_init(&to, BUFFER_LIMIT_DEFAULT);
	block_devices_look(&devices, "/nonexistent", &to);
	ck_assert_uint_eq(to.length, 0);
	buffer_release(&to);
	map_release(&devices);
}
END_TEST

Suite *block_devices_suite(void)
{
	Suite *suite = suite_create("block_devices");
	TCase *tests = tcase_create("block_devices");

	tcase_add_test(tests, devices_are_noted_once);
	tcase_add_test(tests, without_sysfs_there_are_none);
	suite_add_tcase(suite, tests);
	return suite;
}
