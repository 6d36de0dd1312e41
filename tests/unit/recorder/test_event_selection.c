/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/xalloc.h"
#include "recorder/instance/event_selection.h"
#include "suites.h"

static char *const names[] = {
	(char[]){"sched:sched_switch"}, (char[]){"sched:sched_waking"}, (char[]){"irq:softirq_entry"},
	(char[]){"ipi:ipi_entry"},      (char[]){"ext4:ext4_da_write"}, (char[]){"signal:signal_generate"},
};
static struct event_selection selection;
static struct buffer why;

static void setup(void)
{
	static struct event_catalog catalog;

	catalog.name = (char **)(uintptr_t)names;
	catalog.count = sizeof(names) / sizeof(names[0]);
	event_selection_init(&selection, &catalog);
	buffer_init(&why, 1000);
}

static void teardown(void)
{
	event_selection_release(&selection);
	buffer_release(&why);
}

/* "101000": which of the names are selected. */
static const char *selected(void)
{
	static char text[sizeof(names) / sizeof(names[0]) + 1];

	for (size_t i = 0; i < selection.catalog->count; i++)
		text[i] = selection.is_selected[i] ? '1' : '0';
	return text;
}

START_TEST(groups_take_what_there_is)
{
	ck_assert_int_eq(event_selection_add(&selection, "sched", &why), 0);
	ck_assert_str_eq(selected(), "110000");
	ck_assert(event_selection_describe_missing(&selection, &why));
	ck_assert_ptr_nonnull(strstr(why.text, "sched:sched_wakeup,"));
	/* of some kernels only: not worth a word */
	ck_assert_ptr_null(strstr(why.text, "sched_blocked_reason"));
}
END_TEST

START_TEST(groups_have_second_names)
{
	ck_assert_int_eq(event_selection_add(&selection, "disk", &why), 0);
	ck_assert(event_selection_describe_missing(&selection, &why));
	ck_assert_ptr_nonnull(strstr(why.text, "block:block_rq_issue"));
}
END_TEST

START_TEST(a_system_stands_for_all_its_events)
{
	ck_assert_int_eq(event_selection_add(&selection, "ext4", &why), 0);
	ck_assert_str_eq(selected(), "000010");
	ck_assert_int_eq(event_selection_add(&selection, "ipi", &why), 0);
	ck_assert_str_eq(selected(), "000110");
	/* a part of a system's name stands for nothing */
	ck_assert_int_eq(event_selection_add(&selection, "ext", &why), -EINVAL);
}
END_TEST

START_TEST(patterns_and_names_without_system)
{
	ck_assert_int_eq(event_selection_add(&selection, "sched:*", &why), 0);
	ck_assert_str_eq(selected(), "110000");
	ck_assert_int_eq(event_selection_add(&selection, "ext4_da_write", &why), 0);
	ck_assert_int_eq(event_selection_add(&selection, "irq:softirq_entry", &why), 0);
	ck_assert_str_eq(selected(), "111010");
	ck_assert(event_selection_has(&selection, "ext4:*"));
	ck_assert(!event_selection_has(&selection, "signal:*"));
	ck_assert(!event_selection_describe_missing(&selection, &why));
}
END_TEST

START_TEST(the_default_leaves_out_costly_groups)
{
	event_selection_add_default(&selection);
	ck_assert_str_eq(selected(), "111101");
	(void)event_selection_describe_missing(&selection, &why);
	ck_assert_ptr_null(strstr(why.text, "raw_syscalls"));
	ck_assert_ptr_nonnull(strstr(why.text, "block:block_rq_issue"));
}
END_TEST

/* Of several wishes for an event the widest holds. */
START_TEST(a_group_filters_what_a_name_does_not)
{
	char ready[] = "sock:sk_data_ready", probe[] = "tcp:tcp_probe";
	char *socket_names[] = {ready, probe};
	struct event_catalog catalog = {.name = socket_names, .count = 2};

	event_selection_release(&selection);
	event_selection_init(&selection, &catalog);
	ck_assert_int_eq(event_selection_add(&selection, "net", &why), 0);
	ck_assert_str_eq(selected(), "11");
	ck_assert_str_eq(selection.filter[0], "family != 1");
	ck_assert_ptr_null(selection.filter[1]);
	ck_assert_int_eq(event_selection_add(&selection, "sk_data_ready", &why), 0);
	ck_assert_ptr_null(selection.filter[0]);
	ck_assert_int_eq(event_selection_add(&selection, "net", &why), 0);
	ck_assert_ptr_null(selection.filter[0]);
}
END_TEST

/* Without its strings such an event is of no use; no group records what programs write. */
/* sched takes a part of the expiries, timer all of them, in whichever order they are asked for. */
START_TEST(a_part_of_an_event_is_the_least_wish)
{
	char expiry[] = "timer:hrtimer_expire_entry", other[] = "timer:hrtimer_start";
	char *timer_names[] = {expiry, other};
	struct event_catalog catalog = {.name = timer_names, .count = 2};

	for (int order = 0; order < 2; order++) {
		event_selection_release(&selection);
		event_selection_init(&selection, &catalog);
		ck_assert_int_eq(event_selection_add(&selection, order ? "timer" : "sched", &why),
		                 0);
		ck_assert_str_eq(selected(), order ? "11" : "10");
		if (!order)
			ck_assert_str_eq(selection.filter[0], "function.function == hrtimer_wakeup");
		ck_assert_int_eq(event_selection_add(&selection, order ? "sched" : "timer", &why),
		                 0);
		ck_assert_str_eq(selected(), "11");
		ck_assert_ptr_null(selection.filter[0]);
	}
}
END_TEST

START_TEST(paths_need_a_kernel_that_records_strings)
{
	char open[] = "syscalls:sys_enter_openat", write[] = "syscalls:sys_enter_write";
	char enter[] = "raw_syscalls:sys_enter";
	char *call_names[] = {open, write, enter};
	struct event_catalog catalog = {.name = call_names, .count = 3};

	event_selection_release(&selection);
	event_selection_init(&selection, &catalog);
	ck_assert(!event_selection_lacks_strings(&selection));
	ck_assert_int_eq(event_selection_add(&selection, "paths", &why), 0);
	ck_assert_str_eq(selected(), "001");
	ck_assert(event_selection_lacks_strings(&selection));
	catalog.has_strings = true;
	ck_assert_int_eq(event_selection_add(&selection, "paths", &why), 0);
	ck_assert(!event_selection_lacks_strings(&selection));
	/* this kernel has none of what groups have by patterns */
	for (size_t i = 0; i < event_group_count; i++)
		ck_assert_int_eq(event_selection_add(&selection, event_groups[i].name, &why) == 0,
		                 !event_groups[i].others);
	ck_assert_str_eq(selected(), "101");
	ck_assert(tracepoint_names_file(open));
	ck_assert(!tracepoint_names_file(write));
	ck_assert(!tracepoint_names_file(enter));
	ck_assert(!tracepoint_names_file("syscalls"));
}
END_TEST

START_TEST(what_only_this_kernel_lacks_is_no_error)
{
	ck_assert_int_eq(event_selection_add(&selection, "lock:contended_release", &why), 0);
	ck_assert_int_eq(event_selection_add(&selection, "lock:contended_release", &why), 0);
	ck_assert(event_selection_describe_missing(&selection, &why));
	ck_assert_str_eq(why.text, "lock:contended_release");
}
END_TEST

START_TEST(wrong_names_get_a_suggestion)
{
	ck_assert_int_eq(event_selection_add(&selection, "shced", &why), -EINVAL);
	ck_assert_str_eq(why.text, "this kernel has no group or event \"shced\"; "
	                           "did you mean \"sched\"?");
	buffer_clear(&why);
	ck_assert_int_eq(event_selection_add(&selection, "sched:sched_swich", &why), -EINVAL);
	ck_assert_ptr_nonnull(strstr(why.text, "\"sched:sched_switch\"?"));
	buffer_clear(&why);
	ck_assert_int_eq(event_selection_add(&selection, "sched_swich", &why), -EINVAL);
	ck_assert_ptr_nonnull(strstr(why.text, "\"sched_switch\"?"));
	buffer_clear(&why);
	ck_assert_int_eq(event_selection_add(&selection, "nothing:like*that", &why), -EINVAL);
	ck_assert_ptr_nonnull(strstr(why.text, "ftwait list"));
	buffer_clear(&why);
	ck_assert_int_eq(event_selection_add(&selection, "all", &why), -EINVAL);
	ck_assert_str_eq(why.text, "there is no group \"all\"; name groups, as in -e "
	                           "default,syscalls; \"ftwait list\" shows them");
	ck_assert_str_eq(selected(), "000000");
}
END_TEST

/* What a "+" in the wrong place is refused with, after the item. */
static const struct {
	const char *item, *mend;
} pluses[] = {
	{"lock+irq", "; separate groups with a comma: +lock,+irq"},
	{"+lock+irq", "; separate groups with a comma: +lock,+irq"},
	{"+lock++irq+", "; separate groups with a comma: +lock,+irq"},
	{"++lock", "; did you mean \"+lock\"?"},
	{"lock+", "; did you mean \"+lock\"?"},
	{"+", " (see \"ftwait list\")"},
	{"++", " (see \"ftwait list\")"},
};

START_TEST(a_plus_precedes_one_group)
{
	for (size_t i = 0; i < ARRAY_SIZE(pluses); i++) {
		_cleanup_(freep) char *wanted =
			xasprintf("this kernel has no group or event \"%s\"%s", pluses[i].item,
			          pluses[i].mend);

		buffer_clear(&why);
		ck_assert_int_eq(event_selection_ask(&selection, pluses[i].item, &why), -EINVAL);
		ck_assert_str_eq(why.text, wanted);
	}
	ck_assert_str_eq(selected(), "000000");
	ck_assert_int_eq(event_selection_ask(&selection, "+default", &why), 0);
}
END_TEST

START_TEST(an_event_of_its_own_has_its_filter)
{
	ck_assert_int_eq(event_selection_add(&selection, "ipi", &why), 0);
	ck_assert_int_eq(event_selection_add_filtered(&selection, "ext4:ext4_da_write", "len > 9",
	                                              &why), 0);
	ck_assert_str_eq(selected(), "000110");
	ck_assert_str_eq(selection.filter[4], "len > 9");
	ck_assert(selection.is_filter_asked[4] && !selection.is_filter_asked[3]);
	ck_assert_int_eq(event_selection_add_filtered(&selection, "ext4:none", "x", &why), -EINVAL);
	ck_assert_ptr_nonnull(strstr(why.text, "no event ext4:none"));
	buffer_clear(&why);
	ck_assert_int_eq(event_selection_add(&selection, "sched:sched_switch", &why), 0);
	ck_assert_int_eq(event_selection_add_filtered(&selection, "sched:sched_switch", "x", &why),
	                 -EINVAL);
	ck_assert_ptr_nonnull(strstr(why.text, "all of its events are recorded"));
}
END_TEST

Suite *event_selection_suite(void)
{
	Suite *suite = suite_create("event_selection");
	TCase *tests = tcase_create("event_selection");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, groups_have_second_names);
	tcase_add_test(tests, a_system_stands_for_all_its_events);
	tcase_add_test(tests, groups_take_what_there_is);
	tcase_add_test(tests, patterns_and_names_without_system);
	tcase_add_test(tests, the_default_leaves_out_costly_groups);
	tcase_add_test(tests, a_group_filters_what_a_name_does_not);
	tcase_add_test(tests, a_part_of_an_event_is_the_least_wish);
	tcase_add_test(tests, paths_need_a_kernel_that_records_strings);
	tcase_add_test(tests, what_only_this_kernel_lacks_is_no_error);
	tcase_add_test(tests, wrong_names_get_a_suggestion);
	tcase_add_test(tests, a_plus_precedes_one_group);
	tcase_add_test(tests, an_event_of_its_own_has_its_filter);
	suite_add_tcase(suite, tests);
	return suite;
}
