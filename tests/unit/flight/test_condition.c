/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "flight/condition.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/data/array.h"
#include "ftwait/cause.h"
#include "suites.h"

#define MS UINT64_C(1000000)

static struct condition condition;
static struct buffer why, printed;

static void begin(void)
{
	buffer_init(&why, BUFFER_LIMIT_DEFAULT);
	buffer_init(&printed, BUFFER_LIMIT_DEFAULT);
}

static void end(void)
{
	condition_release(&condition);
	buffer_release(&why);
	buffer_release(&printed);
}

static int parse(const char *text)
{
	condition_release(&condition);
	buffer_clear(&why);
	return condition_parse(text, &condition, &why);
}

static void assert_text(const char *is, const char *wanted)
{
	ck_assert_int_eq(is != NULL, wanted != NULL);
	if (wanted)
		ck_assert_str_eq(is, wanted);
}

START_TEST(every_head_is_read)
{
	static const struct {
		const char *text;
		struct condition wanted;
	} cases[] = {
		{"wait>200ms", {.head = CONDITION_WAIT, .time = 200 * MS}},
		{"open > 5s", {.head = CONDITION_OPEN, .time = 5000 * MS}},
		{"\topen >1.5s ", {.head = CONDITION_OPEN, .time = 1500 * MS}},
		{"disk> 20us", {.head = CONDITION_DISK, .time = 20000}},
		{"lock>0", {.head = CONDITION_LOCK}},
		{"delay>3", {.head = CONDITION_DELAY, .time = 3000 * MS}},
		{"hung", {.head = CONDITION_HUNG, .time = 120000 * MS}},
		{"hung>1m", {.head = CONDITION_HUNG, .time = 60000 * MS}},
		{"mark=late", {.head = CONDITION_MARK, .text = (char *)"late"}},
		{"mark=\"frame > late\"", {.head = CONDITION_MARK, .text = (char *)"frame > late"}},
		{"mark=a=\"b", {.head = CONDITION_MARK, .text = (char *)"a=\"b"}},
		{"retransmit>10/s", {.head = CONDITION_RETRANSMIT, .rate = 10}},
		{"exit=svc*", {.head = CONDITION_EXIT, .text = (char *)"svc*"}},
		{"event:sched:sched_stat_wait",
		 {.head = CONDITION_EVENT, .text = (char *)"sched:sched_stat_wait"}},
		{"event:ext4:ext4_sync if ret != 0 && dev > 3 ",
		 {.head = CONDITION_EVENT, .text = (char *)"ext4:ext4_sync",
		  .kernel_filter = (char *)"ret != 0 && dev > 3"}},
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		ck_assert_msg(parse(cases[i].text) == 0, "%s: %s", cases[i].text, why.text);
		ck_assert_int_eq(condition.head, cases[i].wanted.head);
		ck_assert_uint_eq(condition.time, cases[i].wanted.time);
		ck_assert_uint_eq(condition.rate, cases[i].wanted.rate);
		ck_assert_uint_eq(condition.filters, 0);
		assert_text(condition.text, cases[i].wanted.text);
		assert_text(condition.kernel_filter, cases[i].wanted.kernel_filter);
		ck_assert_uint_eq(why.length, 0);
	}
}
END_TEST

START_TEST(every_filter_is_read)
{
	ck_assert_int_eq(parse("comm=\"Web Content\" pid=812 kind=task wait>1ms cgroup=a.service "
	                       "name=fut* dev=vd?"), 0);
	ck_assert_uint_eq(condition.filters, (1u << FILTER_COUNT) - 1);
	ck_assert_str_eq(condition.value[FILTER_COMM], "Web Content");
	ck_assert_int_eq(condition.pid, 812);
	ck_assert_int_eq(condition.kind, CAUSE_TASK);
	ck_assert_str_eq(condition.value[FILTER_CGROUP], "a.service");
	ck_assert_str_eq(condition.value[FILTER_NAME], "fut*");
	ck_assert_str_eq(condition.value[FILTER_DEV], "vd?");
}
END_TEST

START_TEST(canonical_text_is_the_same_condition)
{
	static const struct {
		const char *text, *canonical;
	} cases[] = {
		{"kind=disk  comm=\"a b\" wait > 0.2s", "wait>200ms comm=\"a b\" kind=disk"},
		{"open>90m", "open>5400s"},
		{"delay>1500ns pid=0x10", "delay>1500ns pid=0x10"},
		{"disk>1us dev=vda", "disk>1us dev=vda"},
		{"lock>0 name=rwsem", "lock>0s name=rwsem"},
		{"hung > 120", "hung"},
		{"hung>2s cgroup=x", "hung>2s cgroup=x"},
		{"comm=c mark=\"late\"", "mark=late comm=c"},
		{"mark=\"too late\"", "mark=\"too late\""},
		{"retransmit > 7/s", "retransmit>7/s"},
		{"pid=3 exit=*", "exit=* pid=3"},
		{"event:a:b comm=c", "event:a:b comm=c"},
		{"comm=c event:a:b if  x == 1  ", "comm=c event:a:b if x == 1"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		for (int again = 0; again < 2; again++) {
			const char *text = again ? cases[i].canonical : cases[i].text;

			ck_assert_msg(parse(text) == 0, "%s: %s", text, why.text);
			buffer_clear(&printed);
			condition_append(&printed, &condition);
			ck_assert_str_eq(printed.text, cases[i].canonical);
		}
}
END_TEST

START_TEST(what_is_wrong_is_said)
{
	static const struct {
		const char *text, *why;
	} cases[] = {
		{"", "it is empty; use wait>200ms, open>5s or the like"},
		{"comm=x", "it says of which, but not what to look for; add wait>200ms, open>5s or "
		           "the like"},
		{"wait>5x", "character 6: \"5x\" is no time; use a number and a unit, like "
		            "wait>200ms"},
		{"wait>", "character 6: a value is missing, as in wait>200ms"},
		{"wait=5s", "character 5: wait needs \">\" and a value, as in wait>200ms"},
		{"wait", "character 5: wait needs \">\" and a value, as in wait>200ms"},
		{"open>999999999999", "character 6: \"999999999999\" is too long"},
		{"open>5000000000", "character 6: \"5000000000\" is too long"},
		{"hung=5", "character 5: hung needs \">\" and a value, as in hung>30s"},
		{"comm=\xc3\xa4 pid=0", "character 12: \"0\" is no process or thread; use pid=812"},
		{"pid=99999999999 hung", "character 5: \"99999999999\" is no process or thread; use "
		                         "pid=812"},
		{"wait>1s open>1s", "character 9: a condition has one thing to look for, and open is "
		                    "a second one; give it to another --trigger"},
		{"wait>1s comm=a comm=b", "character 21: comm= is given twice; use one, which may "
		                          "be a glob"},
		{"wait>1s kind=dsk", "character 14: \"dsk\" is no kind of cause, did you mean "
		                     "\"disk\"?; use one of ftwait-views(7), like disk, lock or "
		                     "net"},
		{"wait>1s kind=preempted", "character 14: \"preempted\" is no kind of cause; use one "
		                           "of ftwait-views(7), like disk, lock or net"},
		{"wait>1s comm=\"a", "character 14: the quotation has no end"},
		{"wait>1s comm=\"a\"b", "character 17: a blank must follow the end of a quotation"},
		{"wait>1s comm=\"\"", "character 14: a value is missing, as in comm=mysqld"},
		{"wait>1s comm", "character 13: comm needs \"=\" and a value, as in comm=mysqld"},
		{"exit=systemd-journald", "character 6: \"systemd-journald\" is too long for the "
		                          "name of a task, which the kernel cuts to 15 bytes; use "
		                          "\"systemd-journal\""},
		{"retransmit>10", "character 12: \"10\" is no number in a second; use "
		                  "retransmit>10/s"},
		{"retransmit>x/s", "character 12: \"x\" is no whole number; use retransmit>10/s"},
		{"retransmit>10001/s", "character 12: 10001 in a second are too many; use at most "
		                       "10000"},
		{"retransmit>1/s pid=4", "pid= does not go with retransmit, of which no task is "
		                         "known"},
		{"kind=disk delay>1s", "kind= does not go with delay; use it with wait>, open> or "
		                       "hung"},
		{"disk>1s kind=lock", "kind= does not go with disk; use it with wait>, open> or "
		                      "hung"},
		{"event:a", "character 7: \"a\" is no event; use SYSTEM:NAME, like "
		            "event:sched:sched_stat_wait"},
		{"event:a:b*", "character 7: \"a:b*\" is no event; use SYSTEM:NAME, like "
		               "event:sched:sched_stat_wait"},
		{"event:a:b if ", "character 14: \"if\" is followed by no filter, like if delay > "
		                  "1000"},
		{"event:sched:sched_waking if pid > 3",
		 "character 26: reports need all events sched:sched_waking, so they cannot be "
		 "filtered; use comm=, pid= or cgroup= before it"},
		{"wait>1s\nhung", "character 8: a control character; use blanks between words"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		ck_assert_msg(parse(cases[i].text) == -EINVAL, "%s", cases[i].text);
		ck_assert_str_eq(why.text, cases[i].why);
	}
}
END_TEST

START_TEST(unknown_words_are_named)
{
	ck_assert_int_eq(parse("wiat>1s"), -EINVAL);
	ck_assert_ptr_nonnull(strstr(why.text, "character 1: \"wiat\" is no condition, did you mean "
	                                       "\"wait\"?; use wait>"));
	ck_assert_int_eq(parse("wait>1s 5"), -EINVAL);
	ck_assert_ptr_nonnull(strstr(why.text, "character 9: \"5\" is no condition; use wait>"));
	ck_assert_int_eq(parse("wait>1s >5"), -EINVAL);
	ck_assert_ptr_nonnull(strstr(why.text, "character 9: \">5\" is no condition; use wait>"));
}
END_TEST

START_TEST(length_is_limited)
{
	static char text[CONDITION_BYTES_MAX + 2];

	(void)snprintf(text, sizeof(text), "mark=%0*d", CONDITION_BYTES_MAX - 5, 1);
	ck_assert_int_eq(parse(text), 0);
	(void)snprintf(text, sizeof(text), "mark=%0*d", CONDITION_BYTES_MAX - 4, 1);
	ck_assert_int_eq(parse(text), -EINVAL);
	ck_assert_str_eq(why.text, "it is longer than 1024 bytes");
}
END_TEST

START_TEST(needed_events_are_listed)
{
	static const struct {
		const char *text, *needs;
	} cases[] = {
		{"wait>1s", ""},
		{"exit=a", ""},
		{"mark=a", ""},
		{"delay>1s", ""},
		{"disk>1s dev=vda", "block"},
		{"wait>1s dev=vda kind=disk", "block"},
		{"lock>1s", "lock"},
		{"wait>1s kind=lock", "lock"}, /* system calls are costly */
		{"hung kind=rcu", "irq,workqueue"},
		{"open>1s kind=task", ""},
		{"retransmit>1/s", "net"},
		{"event:a:b", "a:b"},
		{"event:a:b if c == 1", "a:b if c == 1"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct condition_need need[CONDITION_NEEDS_MAX];
		size_t count;

		ck_assert_int_eq(parse(cases[i].text), 0);
		count = condition_needs(&condition, need);
		buffer_clear(&printed);
		buffer_puts(&printed, "");
		for (size_t at = 0; at < count; at++)
			buffer_printf(&printed, "%s%s%s%s", at ? "," : "", need[at].event,
			              need[at].filter ? " if " : "",
			              need[at].filter ? need[at].filter : "");
		ck_assert_str_eq(printed.text, cases[i].needs);
	}
}
END_TEST

Suite *condition_suite(void)
{
	Suite *suite = suite_create("condition");
	TCase *tcase = tcase_create("condition");

	tcase_add_checked_fixture(tcase, begin, end);
	tcase_add_test(tcase, every_head_is_read);
	tcase_add_test(tcase, every_filter_is_read);
	tcase_add_test(tcase, canonical_text_is_the_same_condition);
	tcase_add_test(tcase, what_is_wrong_is_said);
	tcase_add_test(tcase, unknown_words_are_named);
	tcase_add_test(tcase, length_is_limited);
	tcase_add_test(tcase, needed_events_are_listed);
	suite_add_tcase(suite, tcase);
	return suite;
}
