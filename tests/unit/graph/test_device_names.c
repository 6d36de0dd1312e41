/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "graph/logs/object_names.h"
#include "graph/timeline/timeline.h"

#include "graph/timeline/timeline_tasks.h"
#include "suites.h"

static struct intern names;
static struct device_names devices;

static void devices_setup(void)
{
	intern_init(&names);
	devices = (struct device_names){0};
}

static void devices_teardown(void)
{
	device_names_release(&devices);
	intern_release(&names);
}

static const char *name_of(uint32_t dev)
{
	return intern_text(&names, device_names_find(&devices, dev));
}

START_TEST(names_are_found)
{
	ck_assert_uint_eq(device_names_find(&devices, 8), 0);
	device_names_add(&devices, &names, 8, "sda", NULL);
	device_names_add(&devices, &names, 9, "dm-0", "vg-root");
	ck_assert_str_eq(name_of(8), "sda");
	ck_assert_str_eq(name_of(9), "dm-0 (vg-root)");
	ck_assert_uint_eq(device_names_find(&devices, 10), 0);
	ck_assert_uint_eq(device_names_find(&devices, 0), 0);
}
END_TEST

START_TEST(texts_of_devices_name_their_machine)
{
	struct host hosts[] = {{.name = "web"}, {.name = "db"}};
	struct timeline timeline;
	uint32_t there;

	timeline_init(&timeline, /* keep_segments= */ false);
	device_names_add(&timeline.devices, &timeline.names, 8, "sda", NULL);
	ck_assert_str_eq(TIMELINE_DEVICE_TEXT(&timeline, 8), "sda");
	ck_assert_str_eq(TIMELINE_DEVICE_TEXT(&timeline, 10), "0,10");
	timeline.hosts = (struct hosts){hosts, 2};
	there = device_names_number(&timeline.devices, 1, 8);
	ck_assert_str_eq(TIMELINE_DEVICE_TEXT(&timeline, 8), "web:sda");
	ck_assert_str_eq(TIMELINE_DEVICE_TEXT(&timeline, there), "db:0,8");
	ck_assert_str_eq(TIMELINE_DEVICE_NUMBERS(&timeline, there), "0,8");
	timeline_release(&timeline);
}
END_TEST

START_TEST(devices_of_machines_have_numbers_of_their_own)
{
	uint32_t there = device_names_number(&devices, 1, 8);

	ck_assert_uint_eq(device_names_number(&devices, 0, 8), 8);
	ck_assert_uint_eq(device_names_number(&devices, 1, 0), 0);
	ck_assert_uint_ne(there, 8);
	ck_assert_uint_eq(device_names_number(&devices, 1, 8), there);
	ck_assert_uint_ne(device_names_number(&devices, 2, 8), there);
	ck_assert_uint_ne(device_names_number(&devices, 1, 9), there);
	ck_assert_uint_eq(device_names_own(&devices, there), 8);
	ck_assert_uint_eq(device_names_host(&devices, there), 1);
	ck_assert_uint_eq(device_names_own(&devices, 8), 8);
	ck_assert_uint_eq(device_names_host(&devices, 8), 0);
}
END_TEST

START_TEST(what_several_names_share_is_kept)
{
	device_names_add(&devices, &names, 8, "sda", NULL);
	device_names_add(&devices, &names, 8, "sda", NULL);
	ck_assert_str_eq(name_of(8), "sda");
	device_names_add(&devices, &names, 8, "sdb", NULL);
	ck_assert_uint_eq(device_names_find(&devices, 8), 0);
	/* what is not known stays so */
	device_names_add(&devices, &names, 8, "sda", NULL);
	ck_assert_uint_eq(device_names_find(&devices, 8), 0);
	device_names_add(&devices, &names, 9, "dm-0", "old");
	device_names_add(&devices, &names, 9, "dm-0", "new");
	ck_assert_str_eq(name_of(9), "dm-0");
}
END_TEST

START_TEST(what_a_terminal_would_obey_is_escaped)
{
	device_names_add(&devices, &names, 9, "dm-0", "a\033[31m\nb");
	for (const char *at = name_of(9); *at; at++)
		ck_assert_int_ge(*at, ' ');
}
END_TEST

Suite *device_names_suite(void)
{
	Suite *suite = suite_create("device_names");
	TCase *tests = tcase_create("device_names");

	tcase_add_checked_fixture(tests, devices_setup, devices_teardown);
	tcase_add_test(tests, names_are_found);
	tcase_add_test(tests, texts_of_devices_name_their_machine);
	tcase_add_test(tests, devices_of_machines_have_numbers_of_their_own);
	tcase_add_test(tests, what_several_names_share_is_kept);
	tcase_add_test(tests, what_a_terminal_would_obey_is_escaped);
	suite_add_tcase(suite, tests);
	return suite;
}
