/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "views/count/count_spec.h"

#include "analysis/events/event_pairs.h"
#include "base/data/array.h"
#include "suites.h"

static struct buffer why;

static void why_setup(void)
{
	buffer_init(&why, BUFFER_LIMIT_DEFAULT);
}

static void why_teardown(void)
{
	buffer_release(&why);
}

static void check_count(const char *text, const char *event, const char *by, const char *sum,
                        nsec_t per)
{
	struct count_spec spec;

	ck_assert_msg(count_spec_read(text, &spec, &why), "%s", text);
	ck_assert_str_eq(spec.event, event);
	ck_assert_str_eq(spec.by, by);
	ck_assert_pstr_eq(spec.sum, sum);
	ck_assert_uint_eq(spec.per, per);
	count_spec_release(&spec);
}

START_TEST(a_count_has_its_parts_in_any_order)
{
	check_count("sched_switch", "sched_switch", "event", NULL, 0);
	check_count("block:*,by=dev", "block:*", "dev", NULL, 0);
	check_count("a:b,per=20ms,sum=bytes,by=task", "a:b", "task", "bytes", 20000000);
	check_count("a,by=x,by=y", "a", "y", NULL, 0);
}
END_TEST

START_TEST(what_is_no_count_is_refused)
{
	static const char *const texts[] = {
		"", ",by=task", "a,", "a,b", "a,by=", "a,sum=", "a,per=", "a,per=0", "a,per=x",
		"a,of=b",
	};

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		struct count_spec spec;

		buffer_clear(&why);
		ck_assert_msg(!count_spec_read(texts[i], &spec, &why), "%s", texts[i]);
		ck_assert(why.length > 0);
		count_spec_release(&spec);
	}
}
END_TEST

static void check_pair(const char *text, enum event_by by, const char *first, const char *second)
{
	struct pair_spec spec;

	ck_assert_msg(pair_spec_read(text, &spec, &why), "%s", text);
	ck_assert_str_eq(spec.begin, "a:b");
	ck_assert_str_eq(spec.end, "c");
	ck_assert_uint_eq(spec.by, by);
	ck_assert_pstr_eq(spec.field[0], first);
	ck_assert_pstr_eq(spec.field[1], second);
	pair_spec_release(&spec);
}

START_TEST(a_pair_has_two_events_and_a_key)
{
	check_pair("a:b/c", EVENT_BY_TASK, NULL, NULL);
	check_pair("a:b/c,by=task", EVENT_BY_TASK, NULL, NULL);
	check_pair("a:b/c,by=cpu", EVENT_BY_CPU, NULL, NULL);
	check_pair("a:b/c,by=req", EVENT_BY_FIELD, "req", "req");
	check_pair("a:b/c,by=pid/next_pid", EVENT_BY_FIELD, "pid", "next_pid");
}
END_TEST

START_TEST(what_is_no_pair_is_refused)
{
	static const char *const texts[] = {
		"", "a", "a/", "/b", "a/b,", "a/b,x", "a/b,by=", "a/b,by=x,by=y", "a/b,by=stack",
		"a/b,by=event", "a/b,by=/x", "a/b,by=x/", "a,by=x/y",
	};

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		struct pair_spec spec;

		buffer_clear(&why);
		ck_assert_msg(!pair_spec_read(texts[i], &spec, &why), "%s", texts[i]);
		ck_assert(why.length > 0);
		pair_spec_release(&spec);
	}
}
END_TEST

Suite *count_spec_suite(void)
{
	Suite *suite = suite_create("count_spec");
	TCase *tests = tcase_create("count_spec");

	tcase_add_checked_fixture(tests, why_setup, why_teardown);
	tcase_add_test(tests, a_count_has_its_parts_in_any_order);
	tcase_add_test(tests, what_is_no_count_is_refused);
	tcase_add_test(tests, a_pair_has_two_events_and_a_key);
	tcase_add_test(tests, what_is_no_pair_is_refused);
	suite_add_tcase(suite, tests);
	return suite;
}
