/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "graph/logs/object_names.h"

#include "suites.h"

static uint32_t name_at(const struct user_variables *variables, int32_t tgid, uint64_t address)
{
	const struct user_variable *known = user_variables_find(variables, tgid, address);

	return known ? known->name : 0;
}

START_TEST(by_process_and_address)
{
	struct user_variables variables;
	const struct user_variable *found;

	user_variables_init(&variables);
	ck_assert_ptr_null(user_variables_find(&variables, 7, 0x1000));
	ck_assert_uint_eq(name_at(&variables, 7, 0x1000), 0);
	ck_assert_ptr_nonnull(user_variables_add(
		&variables, &(struct user_variable){.address = 0x1000, .tgid = 7, .name = 3,
	                                            .futex = 4}));
	ck_assert_ptr_nonnull(user_variables_add(
		&variables, &(struct user_variable){.address = 0x1000, .tgid = 8}));
	ck_assert_uint_eq(name_at(&variables, 7, 0x1000), 3);
	ck_assert_uint_eq(name_at(&variables, 8, 0x1000), 0);
	ck_assert_uint_eq(name_at(&variables, 7, 0x1004), 0);
	/* looked up, without a name */
	ck_assert_ptr_nonnull(user_variables_find(&variables, 8, 0x1000));
	found = user_variables_find(&variables, 7, 0x1000);
	ck_assert_ptr_nonnull(found);
	ck_assert_uint_eq(found->futex, 4);
	tally_release(&variables.tally);
}
END_TEST

START_TEST(no_more_than_a_limit)
{
	struct user_variables variables;

	user_variables_init(&variables);
	for (uint32_t i = 0; i < USER_VARIABLES_MAX; i++)
		if (!user_variables_add(&variables, &(struct user_variable){.address = i,
		                                                            .tgid = 1}))
			ck_abort_msg("no room for %u", (unsigned)i);
	ck_assert_ptr_null(user_variables_add(
		&variables, &(struct user_variable){.address = USER_VARIABLES_MAX, .tgid = 1}));
	ck_assert_ptr_nonnull(user_variables_find(&variables, 1, USER_VARIABLES_MAX - 1));
	tally_release(&variables.tally);
}
END_TEST

Suite *user_variables_suite(void)
{
	Suite *suite = suite_create("user_variables");
	TCase *tcase = tcase_create("user_variables");

	tcase_add_test(tcase, by_process_and_address);
	tcase_add_test(tcase, no_more_than_a_limit);
	suite_add_tcase(suite, tcase);
	return suite;
}
