/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "words/kernel/kernel_thread.h"

#include "suites.h"

START_TEST(names_show_what_a_thread_is_for)
{
	ck_assert_int_eq(kernel_thread_of("ksoftirqd/0"), KERNEL_THREAD_SOFTIRQ);
	ck_assert_int_eq(kernel_thread_of("ktimers/1"), KERNEL_THREAD_TIMER_SOFTIRQ);
	ck_assert_int_eq(kernel_thread_of("ktimersoftd/1"), KERNEL_THREAD_TIMER_SOFTIRQ);
	ck_assert_int_eq(kernel_thread_of("migration/3"), KERNEL_THREAD_STOPPER);
	ck_assert_int_eq(kernel_thread_of("rcu_preempt"), KERNEL_THREAD_RCU);
	ck_assert_int_eq(kernel_thread_of("rcuos/2"), KERNEL_THREAD_RCU);
	ck_assert_int_eq(kernel_thread_of("napi/eth0-8193"), KERNEL_THREAD_NAPI);
	ck_assert_int_eq(kernel_thread_of("kworker/u8:2"), KERNEL_THREAD_WORKER);
	ck_assert_int_eq(kernel_thread_of("kswapd0"), KERNEL_THREAD_OTHER);
}
END_TEST

START_TEST(other_names_show_nothing)
{
	ck_assert_int_eq(kernel_thread_of(""), KERNEL_THREAD_NONE);
	ck_assert_int_eq(kernel_thread_of("ksoftirqd"), KERNEL_THREAD_NONE);
	ck_assert_int_eq(kernel_thread_of("rcu"), KERNEL_THREAD_NONE);
	ck_assert_int_eq(kernel_thread_of("xnapi/eth0"), KERNEL_THREAD_NONE);
}
END_TEST

Suite *kernel_thread_suite(void)
{
	Suite *suite = suite_create("kernel_thread");
	TCase *tcase = tcase_create("kernel_thread");

	tcase_add_test(tcase, names_show_what_a_thread_is_for);
	tcase_add_test(tcase, other_names_show_nothing);
	suite_add_tcase(suite, tcase);
	return suite;
}
