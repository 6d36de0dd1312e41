/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "source/perfetto/perfetto_packets.h"
#include "suites.h"

START_TEST(cpus_in_order_are_a_round)
{
	struct perfetto_rounds rounds;
	uint32_t first, second;

	perfetto_rounds_init(&rounds);
	first = perfetto_rounds_see(&rounds, 7, 0, false);
	ck_assert_uint_ne(first, 0);
	ck_assert_uint_eq(perfetto_rounds_see(&rounds, 7, 0, false), first);
	ck_assert_uint_eq(perfetto_rounds_see(&rounds, 7, 3, false), first);
	second = perfetto_rounds_see(&rounds, 7, 1, false);
	ck_assert_uint_ne(second, first);
	/* another writer has rounds of its own */
	ck_assert_uint_ne(perfetto_rounds_see(&rounds, 8, 1, false), second);
	ck_assert_uint_eq(perfetto_rounds_see(&rounds, 7, 2, false), second);
	perfetto_rounds_release(&rounds);
}
END_TEST

/* The first packet with names clears those of the round before; bundles without names may precede
   it. */
START_TEST(names_begin_a_round_once)
{
	struct perfetto_rounds rounds;
	uint32_t first;

	perfetto_rounds_init(&rounds);
	first = perfetto_rounds_see(&rounds, 7, 0, false);
	ck_assert_uint_eq(perfetto_rounds_see(&rounds, 7, 1, true), first);
	perfetto_rounds_name(&rounds, 7);
	ck_assert_uint_eq(perfetto_rounds_see(&rounds, 7, 1, false), first);
	ck_assert_uint_ne(perfetto_rounds_see(&rounds, 7, 1, true), first);
	perfetto_rounds_release(&rounds);
}
END_TEST

Suite *perfetto_rounds_suite(void)
{
	Suite *suite = suite_create("perfetto_rounds");
	TCase *tests = tcase_create("perfetto_rounds");

	tcase_add_test(tests, cpus_in_order_are_a_round);
	tcase_add_test(tests, names_begin_a_round_once);
	suite_add_tcase(suite, tests);
	return suite;
}
