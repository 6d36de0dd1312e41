/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "graph/logs/descriptor_log.h"
#include "suites.h"

static struct descriptor_log log_of;

static void look(int32_t process, uint32_t number, nsec_t from, uint32_t path)
{
	descriptor_log_add(&log_of, &(struct descriptor_look){
		.process = process, .number = number, .from = from, .to = from + 5, .path = path});
}

static void setup(void)
{
	log_of = (struct descriptor_log){0};
	look(7, 3, 200, 2);
	look(9, 3, 10, 3);
	look(7, 3, 100, 1);
	look(7, 12, 50, 4);
	descriptor_log_close(&log_of);
}

static void teardown(void)
{
	descriptor_log_release(&log_of);
}

START_TEST(a_look_counts_for_the_stretch_around_it)
{
	struct descriptor_use before, use, after;

	before = descriptor_log_find(&log_of, 7, 3, 20);
	ck_assert(!descriptor_log_settle(&log_of, before, 90));
	use = descriptor_log_find(&log_of, 7, 3, 95);
	ck_assert_uint_eq(before.look, use.look);
	ck_assert_uint_eq(descriptor_log_path(&log_of, use), 0); /* it may end during the look */
	ck_assert(descriptor_log_settle(&log_of, use, 106));
	ck_assert_uint_eq(descriptor_log_path(&log_of, use), 1);
	ck_assert_uint_eq(descriptor_log_path(&log_of, before), 0);
	after = descriptor_log_find(&log_of, 7, 3, 106);
	ck_assert(!descriptor_log_settle(&log_of, after, 205));
	ck_assert_uint_eq(descriptor_log_path(&log_of, after), 0);
	/* what has counted goes on to count, whatever is asked */
	ck_assert(descriptor_log_settle(&log_of, use, 1));
}
END_TEST

START_TEST(looks_are_of_one_number_of_one_process)
{
	size_t count;

	ck_assert_uint_eq(descriptor_log_find(&log_of, 7, 3, 201).look, 0);
	ck_assert_uint_eq(descriptor_log_find(&log_of, 7, 4, 0).look, 0);
	ck_assert_uint_eq(descriptor_log_find(&log_of, 8, 3, 0).look, 0);
	ck_assert_uint_eq(descriptor_log_of(&log_of, 7, &count), 0);
	ck_assert_uint_eq(count, 3);
	(void)descriptor_log_of(&log_of, 8, &count);
	ck_assert_uint_eq(count, 0);
	ck_assert_uint_eq(descriptor_log_of(&log_of, 9, &count), 3);
	ck_assert_uint_eq(count, 1);
}
END_TEST

START_TEST(a_second_look_says_more_until_the_socket_is_connected)
{
	struct descriptor_look more = {
		.process = 7, .number = 3, .from = 200, .to = 220, .path = 5, .socket = 78};
	struct descriptor_use use;

	descriptor_log_add(&log_of, &more);
	more = (struct descriptor_look){
		.process = 7, .number = 12, .from = 50, .to = 70, .path = 6, .socket = 79};
	descriptor_log_add(&log_of, &more);
	descriptor_log_close(&log_of);
	use = descriptor_log_find(&log_of, 7, 3, 150);
	ck_assert(descriptor_log_settle(&log_of, use, 210));
	ck_assert_uint_eq(descriptor_log_path(&log_of, use), 2); /* it may end meanwhile */
	descriptor_log_connect(&log_of, 78, 150);
	descriptor_log_connect(&log_of, 79, 230);
	ck_assert(descriptor_log_settle(&log_of, use, 221));
	ck_assert_uint_eq(descriptor_log_path(&log_of, use), 5);
	descriptor_log_connect(&log_of, 78, 230);
	ck_assert(descriptor_log_settle(&log_of, use, 240));
	ck_assert_uint_eq(descriptor_log_path(&log_of, use), 2);
	/* that of any socket may have been this one */
	use = descriptor_log_find(&log_of, 7, 12, 40);
	ck_assert(descriptor_log_settle(&log_of, use, 100));
	ck_assert_uint_eq(descriptor_log_path(&log_of, use), 4);
	use = descriptor_log_find(&log_of, 7, 3, 150);
	descriptor_log_connect(&log_of, 0, 300);
	ck_assert(descriptor_log_settle(&log_of, use, 310));
	ck_assert_uint_eq(descriptor_log_path(&log_of, use), 2);
}
END_TEST

START_TEST(without_looks_no_file_is_known)
{
	struct descriptor_use use;

	descriptor_log_release(&log_of);
	descriptor_log_close(&log_of);
	ck_assert(descriptor_log_is_empty(&log_of));
	use = descriptor_log_find(&log_of, 7, 3, 0);
	ck_assert(!descriptor_log_settle(&log_of, use, NSEC_NEVER));
	ck_assert_uint_eq(descriptor_log_path(&log_of, use), 0);
}
END_TEST

Suite *descriptor_log_suite(void)
{
	Suite *suite = suite_create("descriptor_log");
	TCase *tests = tcase_create("descriptor_log");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, a_look_counts_for_the_stretch_around_it);
	tcase_add_test(tests, looks_are_of_one_number_of_one_process);
	tcase_add_test(tests, a_second_look_says_more_until_the_socket_is_connected);
	tcase_add_test(tests, without_looks_no_file_is_known);
	suite_add_tcase(suite, tests);
	return suite;
}
