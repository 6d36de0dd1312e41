/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analysis/tables/machine_time.h"

#include <math.h>

#include "base/data/array.h"
#include "suites.h"

START_TEST(too_little_is_full_and_crowded)
{
	static const struct {
		struct cpu_use use;
		double busy, demand;
		bool is_full, is_too_little;
	} cases[] = {
		{{.cpus = 2, .length = 100, .running = 200, .runnable = 4300}, 1, 45, true, true},
		{{.cpus = 2, .length = 100, .running = 180, .runnable = 60}, 0.9, 2.4, true, true},
		{{.cpus = 2, .length = 100, .running = 180, .runnable = 59}, 0.9, 2.39, true,
		 false},
		{{.cpus = 2, .length = 100, .running = 179, .runnable = 4300}, 0.895, 44.79, false,
		 false},
		{{.cpus = 1, .length = 100, .running = 100}, 1, 1, true, false},
		{{.cpus = 2, .length = 100}, 0, 0, false, false},
		{{.length = 100, .running = 100, .runnable = 100}, 0, 2, false, false},
		{{.cpus = 2, .running = 100, .runnable = 100}, 0, 0, false, false},
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		ck_assert(fabs(cpu_use_busy(&cases[i].use) - cases[i].busy) < 1e-9);
		ck_assert(fabs(cpu_use_demand(&cases[i].use) - cases[i].demand) < 1e-9);
		ck_assert(cpu_use_is_full(&cases[i].use) == cases[i].is_full);
		ck_assert(cpu_use_is_too_little(&cases[i].use) == cases[i].is_too_little);
	}
}
END_TEST

Suite *cpu_use_suite(void)
{
	Suite *suite = suite_create("cpu_use");
	TCase *tests = tcase_create("cpu_use");

	tcase_add_test(tests, too_little_is_full_and_crowded);
	suite_add_tcase(suite, tests);
	return suite;
}
