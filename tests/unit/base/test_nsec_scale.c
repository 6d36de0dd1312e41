/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/data/array.h"
#include "base/nsec_scale.h"
#include "suites.h"

START_TEST(known_products)
{
	static const struct {
		uint64_t count, mult;
		unsigned int shift;
		uint64_t scaled;
	} cases[] = {
		{0, UINT64_MAX, 0, 0},
		{1, 1, 0, 1},
		{1, 1, 1, 0},
		{7, 3, 1, 10}, /* 10.5 is rounded down */
		{UINT64_MAX, 1, 0, UINT64_MAX},
		{UINT64_MAX, 1, 63, 1},
		{UINT64_MAX, 2, 0, UINT64_MAX}, /* does not fit */
		{UINT64_MAX, 2, 1, UINT64_MAX}, /* just fits */
		{UINT64_MAX, 4, 1, UINT64_MAX},
		{UINT64_C(1) << 63, 2, 1, UINT64_C(1) << 63},
		{UINT64_C(1) << 63, 2, 0, UINT64_MAX},
		/* the largest product is 2^128 - 2^65 + 1 */
		{UINT64_MAX, UINT64_MAX, 63, UINT64_MAX},
		{UINT64_MAX, UINT64_MAX, 64, UINT64_MAX - 1},
		{UINT64_MAX, UINT64_MAX, 65, INT64_MAX},
		{UINT64_MAX, UINT64_MAX, 127, 1},
		/* carries from the lowest and the middle products */
		{UINT64_C(0x00000001ffffffff), UINT64_C(0x00000001ffffffff), 2,
		 UINT64_C(0xffffffff00000000)},
		{UINT64_C(0xffffffff00000001), UINT64_C(0x00000000ffffffff), 32,
		 UINT64_C(0xfffffffe00000001)},
		/* a 3 GHz counter after 71 days: mult and shift as Linux gives them */
		{UINT64_C(18446744073709551), 5592405, 24, UINT64_C(6148914324732641)},
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		ck_assert_msg(nsec_scale(cases[i].count, cases[i].mult, cases[i].shift) ==
				      cases[i].scaled,
			      "case %zu: %llx", i,
			      (unsigned long long)nsec_scale(cases[i].count, cases[i].mult,
							     cases[i].shift));
}
END_TEST

#ifdef __SIZEOF_INT128__
/* Values with a few bits set at random, all ones and their neighbours: where carries are. */
START_TEST(as_the_compiler_multiplies)
{
	uint64_t values[64], seed = 0x9e3779b97f4a7c15;

	for (size_t i = 0; i < ARRAY_SIZE(values); i++) {
		seed = seed * 6364136223846793005 + 1442695040888963407;
		values[i] = (i & 1 ? UINT64_MAX : seed) >> seed % 64;
		values[i] += (seed >> 32) % 3 - 1;
	}
	for (size_t i = 0; i < ARRAY_SIZE(values); i++) {
		for (size_t j = 0; j < ARRAY_SIZE(values); j++) {
			__extension__ unsigned __int128 product = values[i];

			product *= values[j];
			for (unsigned int shift = 0; shift < 128; shift++) {
				__extension__ unsigned __int128 scaled = product >> shift;

				ck_assert(nsec_scale(values[i], values[j], shift) ==
					    (scaled > UINT64_MAX ? UINT64_MAX : (uint64_t)scaled));
			}
		}
	}
}
END_TEST
#endif

Suite *nsec_scale_suite(void)
{
	Suite *suite = suite_create("nsec_scale");
	TCase *tcase = tcase_create("nsec_scale");

	tcase_add_test(tcase, known_products);
#ifdef __SIZEOF_INT128__
	tcase_add_test(tcase, as_the_compiler_multiplies);
#endif
	suite_add_tcase(suite, tcase);
	return suite;
}
