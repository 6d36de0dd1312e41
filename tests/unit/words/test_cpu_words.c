/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "suites.h"
#include "words/task_words.h"

static struct host host[] = {{.name = "web"}, {.name = "db", .cpu_first = 4}};
static const struct hosts two = {host, 2}, one;

static void expect_words(const struct hosts *hosts, uint32_t number, const char *words)
{
	const struct host_cpu cpu = hosts_cpu(hosts, number);
	struct buffer text;

	buffer_init(&text, 100);
	cpu_append(&text, &cpu);
	ck_assert_str_eq(text.text, words);
	buffer_release(&text);
}

START_TEST(the_machine_comes_first)
{
	expect_words(&one, 3, "3");
	expect_words(&two, 0, "web:0");
	expect_words(&two, 3, "web:3");
	expect_words(&two, 4, "db:0");
	expect_words(&two, 70, "db:66");
}
END_TEST

START_TEST(cpus_are_counted_by_machine)
{
	ck_assert_uint_eq(hosts_cpu_count(&one, 0, 6), 6);
	ck_assert_uint_eq(hosts_cpu_count(&two, 0, 6), 4);
	ck_assert_uint_eq(hosts_cpu_count(&two, 1, 6), 2);
	/* the trace shows none of that machine's */
	ck_assert_uint_eq(hosts_cpu_count(&two, 1, 3), 0);
}
END_TEST

Suite *cpu_words_suite(void)
{
	Suite *suite = suite_create("cpu_words");
	TCase *tests = tcase_create("cpu_words");

	tcase_add_test(tests, the_machine_comes_first);
	tcase_add_test(tests, cpus_are_counted_by_machine);
	suite_add_tcase(suite, tests);
	return suite;
}
