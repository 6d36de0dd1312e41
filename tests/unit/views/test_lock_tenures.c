/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "views/lock/lock_list.h"

#include "suites.h"

static struct lock_tenure tenure_of(uint32_t owner, nsec_t begin, nsec_t end)
{
	return (struct lock_tenure){.begin = begin, .end = end, .owner = owner};
}

static void add(struct lock_tenures *tenures, uint32_t owner, nsec_t begin, nsec_t end)
{
	struct lock_tenure tenure = tenure_of(owner, begin, end);

	lock_tenures_add(tenures, &tenure);
}

/* What of [begin, end) is that owner's; the parts must tile it. */
static nsec_t owned_of(const struct lock_tenures *tenures, uint32_t owner, uint32_t last,
                       nsec_t begin, nsec_t end)
{
	struct lock_tenure part[LOCK_TENURES + 1], wait = tenure_of(last, begin, end);
	uint32_t count = lock_tenures_within(tenures, &wait, part);
	nsec_t at = end, owned = 0;

	for (uint32_t i = 0; i < count; i++) {
		ck_assert_uint_eq(part[i].end, at);
		ck_assert_uint_le(part[i].begin, at);
		at = part[i].begin;
		if (part[i].owner == owner)
			owned += part[i].end - at;
	}
	ck_assert_uint_eq(at, begin);
	return owned;
}

START_TEST(a_wait_alone_is_of_who_ended_it)
{
	struct lock_tenures tenures = {0};

	ck_assert_uint_eq(owned_of(&tenures, 1, 1, 10, 20), 10);
	add(&tenures, 1, 10, 20);
	ck_assert_uint_eq(owned_of(&tenures, 2, 2, 20, 30), 10);
}
END_TEST

START_TEST(a_wait_across_a_handover_is_of_both)
{
	struct lock_tenures tenures = {0};

	add(&tenures, 1, 10, 100);
	ck_assert_uint_eq(owned_of(&tenures, 1, 2, 30, 104), 70);
	ck_assert_uint_eq(owned_of(&tenures, 2, 2, 30, 104), 4);
}
END_TEST

START_TEST(of_many_handovers_the_long_one_is_kept)
{
	struct lock_tenures tenures = {0};

	add(&tenures, 1, 0, 1000);
	for (uint32_t i = 0; i < 50; i++)
		add(&tenures, 10 + i, 0, 1001 + i);
	ck_assert_uint_eq(owned_of(&tenures, 1, 60, 500, 1051), 500);
	ck_assert_uint_eq(owned_of(&tenures, 60, 60, 500, 1051), 1);
}
END_TEST

START_TEST(what_is_long_ago_makes_room)
{
	struct lock_tenures tenures = {0};

	for (uint32_t i = 0; i < LOCK_TENURES; i++)
		add(&tenures, 1, i * 100, i * 100 + 100);
	for (uint32_t i = 0; i < LOCK_TENURES; i++)
		add(&tenures, 2, 1000000 + i * 50, 1000050 + i * 50);
	for (uint32_t i = 0; i < tenures.count; i++)
		ck_assert_uint_eq(tenures.tenure[i].owner, 2);
}
END_TEST

START_TEST(ends_out_of_order_are_borne)
{
	struct lock_tenures tenures = {0};

	add(&tenures, 1, 10, 100);
	add(&tenures, 2, 20, 90);
	ck_assert_uint_eq(tenures.count, 1);
	ck_assert_uint_eq(owned_of(&tenures, 3, 3, 20, 95), 75);
}
END_TEST

Suite *lock_tenures_suite(void)
{
	Suite *suite = suite_create("lock_tenures");
	TCase *tcase = tcase_create("lock_tenures");

	tcase_add_test(tcase, a_wait_alone_is_of_who_ended_it);
	tcase_add_test(tcase, a_wait_across_a_handover_is_of_both);
	tcase_add_test(tcase, of_many_handovers_the_long_one_is_kept);
	tcase_add_test(tcase, what_is_long_ago_makes_room);
	tcase_add_test(tcase, ends_out_of_order_are_borne);
	suite_add_tcase(suite, tcase);
	return suite;
}
