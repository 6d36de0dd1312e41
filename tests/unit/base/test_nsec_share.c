/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <time.h>

#include "base/data/array.h"
#include "ftwait/nsec.h"
#include "suites.h"

START_TEST(shares_are_rounded_down)
{
	ck_assert_uint_eq(nsec_share(0, 1, 3), 0);
	ck_assert_uint_eq(nsec_share(100, 0, 3), 0);
	ck_assert_uint_eq(nsec_share(100, 1, 3), 33);
	ck_assert_uint_eq(nsec_share(100, 2, 3), 66);
	ck_assert_uint_eq(nsec_share(100, 3, 3), 100);
	ck_assert_uint_eq(nsec_share(NSEC_NEVER, UINT32_MAX, UINT32_MAX), NSEC_NEVER);
	ck_assert_uint_eq(nsec_share(NSEC_NEVER, 1, 1), NSEC_NEVER);
	ck_assert_uint_eq(nsec_share(NSEC_NEVER, UINT32_MAX - 1, UINT32_MAX),
	                  NSEC_NEVER - UINT32_MAX - 2);
}
END_TEST

#ifdef __SIZEOF_INT128__
__extension__ typedef unsigned __int128 wide_t;

static uint64_t random_next(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state * UINT64_C(0x2545f4914f6cdd1d);
}

/* Numbers of all lengths, not only long ones. */
START_TEST(shares_are_exact)
{
	uint64_t begin = (uint64_t)time(NULL) | 1, state = begin;

	for (unsigned i = 0; i < 200000; i++) {
		nsec_t t = random_next(&state) >> (random_next(&state) & 63);
		uint32_t whole = (uint32_t)(random_next(&state) >> 32) >>
		                 (random_next(&state) & 31);
		uint32_t part;

		whole += whole == 0;
		part = (uint32_t)(random_next(&state) % ((uint64_t)whole + 1));
		ck_assert_msg(nsec_share(t, part, whole) ==
		                      (nsec_t)((wide_t)t * part / whole),
		              "seed %llu: %llu * %u / %u", (unsigned long long)begin,
		              (unsigned long long)t, part, whole);
	}
}
END_TEST
#endif

Suite *nsec_share_suite(void)
{
	Suite *suite = suite_create("nsec_share");
	TCase *tests = tcase_create("nsec_share");

	tcase_add_test(tests, shares_are_rounded_down);
#ifdef __SIZEOF_INT128__
	tcase_add_test(tests, shares_are_exact);
#endif
	suite_add_tcase(suite, tests);
	return suite;
}
