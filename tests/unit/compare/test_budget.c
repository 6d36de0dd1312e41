/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "compare/budget.h"

#include <errno.h>
#include <string.h>

#include "analysis/tables/cost_kind.h"
#include "base/data/array.h"
#include "suites.h"

static struct budget budget;
static struct buffer why;

static int parse(const char *text)
{
	buffer_init(&why, BUFFER_LIMIT_DEFAULT);
	return budget_parse(&budget, text, strlen(text), &why);
}

static void end(void)
{
	budget_release(&budget);
	buffer_release(&why);
}

START_TEST(every_measure_is_read)
{
	static const struct {
		const char *text;
		struct rule rule;
	} cases[] = {
		{"path svc < 200ms",
		 {.measure = MEASURE_PATH, .statistic = STATISTIC_MEDIAN, .cause = -1,
		  .tasks = (char *)"svc", .comparison = COMPARE_LESS, .limit = 200e6}},
		{"path max of \"Web Content\" <= 1.5 s",
		 {.measure = MEASURE_PATH, .statistic = STATISTIC_MAX, .cause = -1,
		  .tasks = (char *)"Web Content", .comparison = COMPARE_AT_MOST, .limit = 1.5e9}},
		{"path<2h",
		 {.measure = MEASURE_PATH, .cause = -1, .comparison = COMPARE_LESS,
		  .limit = 7200e9}},
		{"count disk of worker/* < 100",
		 {.measure = MEASURE_COUNT, .kinds = 1u << COST_WAIT, .cause = CAUSE_DISK,
		  .aim = AIM_DISK, .tasks = (char *)"worker/*", .comparison = COMPARE_LESS, .limit = 100}},
		{"count p99 disk vd* = 0",
		 {.measure = MEASURE_COUNT, .statistic = STATISTIC_P99, .kinds = 1u << COST_WAIT,
		  .cause = CAUSE_DISK, .aim = AIM_DISK, .object = (char *)"vd*", .comparison = COMPARE_EQUAL}},
		{"time lock of svc >= 5ms",
		 {.measure = MEASURE_TIME, .kinds = 1u << COST_WAIT, .cause = CAUSE_LOCK,
		  .aim = AIM_LOCK, .tasks = (char *)"svc", .comparison = COMPARE_AT_LEAST, .limit = 5e6}},
		{"share run queue of svc < 20%",
		 {.measure = MEASURE_SHARE, .kinds = 1u << COST_QUEUE, .cause = -1,
		  .tasks = (char *)"svc", .comparison = COMPARE_LESS, .limit = 0.2}},
		{"share runnable > 0.5 %",
		 {.measure = MEASURE_SHARE, .kinds = 1u << COST_QUEUE, .cause = -1,
		  .comparison = COMPARE_MORE, .limit = 0.005}},
		{"longest wait of ui-* < 16ms",
		 {.measure = MEASURE_WAIT, .statistic = STATISTIC_MAX, .kinds = 1u << COST_WAIT,
		  .cause = -1, .tasks = (char *)"ui-*", .comparison = COMPARE_LESS,
		  .limit = 16e6}},
		{"longest disk < 1ms",
		 {.measure = MEASURE_WAIT, .statistic = STATISTIC_MAX, .kinds = 1u << COST_WAIT,
		  .cause = CAUSE_DISK, .aim = AIM_DISK, .comparison = COMPARE_LESS,
		  .limit = 1e6}},
		{"longest answer of svc < 1ms",
		 {.measure = MEASURE_WAIT, .statistic = STATISTIC_MAX, .kinds = 1u << COST_WAIT,
		  .cause = -1, .aim = AIM_ANSWER, .tasks = (char *)"svc",
		  .comparison = COMPARE_LESS, .limit = 1e6}},
		{"delay p99 of \"of\" < 1us",
		 {.measure = MEASURE_DELAY, .statistic = STATISTIC_P99, .kinds = 1u << COST_QUEUE,
		  .cause = -1, .tasks = (char *)"of", .comparison = COMPARE_LESS, .limit = 1e3}},
		{"count unknown < 1",
		 {.measure = MEASURE_COUNT, .kinds = 1u << COST_WAIT, .cause = CAUSE_UNKNOWN,
		  .comparison = COMPARE_LESS, .limit = 1}},
		{"time throttled < 1.5 ms",
		 {.measure = MEASURE_TIME, .kinds = 1u << COST_LIMIT, .cause = -1,
		  .comparison = COMPARE_LESS, .limit = 1.5e6}},
		{"hung == 0",
		 {.measure = MEASURE_HUNG, .statistic = STATISTIC_MAX, .cause = -1,
		  .comparison = COMPARE_EQUAL}},
		{"tail lock m of server < 0.1 %",
		 {.measure = MEASURE_TAIL, .kinds = 1u << COST_WAIT, .cause = CAUSE_LOCK,
		  .aim = AIM_LOCK, .object = (char *)"m", .tasks = (char *)"server",
		  .comparison = COMPARE_LESS, .limit = 0.001}},
		{"tail max < 2%",
		 {.measure = MEASURE_TAIL, .statistic = STATISTIC_MAX, .cause = -1,
		  .comparison = COMPARE_LESS, .limit = 0.02}},
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct rule *expected = &cases[i].rule, *got;

		ck_assert_msg(parse(cases[i].text) == 0, "%s: %s", cases[i].text, why.text);
		ck_assert_uint_eq(budget.count, 1);
		got = &budget.rule[0];
		ck_assert_msg(got->measure == expected->measure &&
		                      got->statistic == expected->statistic &&
		                      got->kinds == expected->kinds &&
		                      got->cause == expected->cause &&
		                      got->aim == expected->aim &&
		                      got->comparison == expected->comparison,
		              "%s", cases[i].text);
		ck_assert_double_eq_tol(got->limit, expected->limit, 1e-9);
		ck_assert_pstr_eq(got->tasks, expected->tasks);
		ck_assert_pstr_eq(got->object, expected->object);
		end();
	}
}
END_TEST

START_TEST(lines_are_counted)
{
	ck_assert_int_eq(parse("\xef\xbb\xbf# what svc may cost\n\npath svc < 1s # the median\r\n\nhung = 0"), 0);
	ck_assert_uint_eq(budget.count, 2);
	ck_assert_uint_eq(budget.rule[0].line, 3);
	ck_assert_str_eq(budget.rule[0].text, "path svc < 1s");
	ck_assert_uint_eq(budget.rule[1].line, 5);
	end();
}
END_TEST

START_TEST(wrong_rules_say_why)
{
	static const struct {
		const char *text, *why;
	} cases[] = {
		{"", "it has no rules"},
		{"# nothing", "it has no rules"},
		{"hung = 0\npaht svc < 1s",
		 "line 2: \"paht\" is nothing to measure, did you mean \"path\"?; use path, count, "
		 "time, share, longest, wait, delay, hung or tail"},
		{"count < 5", "line 1: count of what? Like \"count disk of NAME\""},
		{"count dsik < 5",
		 "line 1: \"dsik\" is no cost, did you mean \"disk\"?; use a state, a cause or an aim of "
		 "report --costs, like running, runnable, disk, lock"},
		{"wait running < 5ms",
		 "line 1: \"running\" is no cause or aim; use a cause or an aim of report --costs, like disk, lock"},
		{"path svc", "line 1: a comparison is missing, like \"< 200ms\""},
		{"path svc ! 5ms",
		 "line 1: \"!\" stands where a comparison should be (<, <=, =, >=, >)"},
		{"path != 5ms",
		 "line 1: \"!=\" stands where a comparison should be (<, <=, =, >=, >)"},
		{"path svc => 5ms",
		 "line 1: \"=>\" stands where a comparison should be (<, <=, =, >=, >)"},
		{"path svc <", "line 1: the limit is missing: a time with its unit, like 200ms"},
		{"path svc < 200",
		 "line 1: \"200\" is not a time with its unit, like 200ms"},
		{"share disk < 20", "line 1: \"20\" is not a percentage, like 20%"},
		{"count disk < 5ms", "line 1: \"5ms\" is not a number, like 100"},
		{"count disk < 100 200",
		 "line 1: \"200\" stands behind the limit, where nothing may follow"},
		{"path < 5ms 5ms",
		 "line 1: \"5ms\" stands behind the limit, where nothing may follow"},
		{"path < 5 ms s",
		 "line 1: \"s\" stands behind the limit, where nothing may follow"},
		{"count disk \"\" of svc < 5", "line 1: the name of the object is empty"},
		{"share others-running < 5%",
		 "line 1: \"others-running\" is no part of a task's own time, which rules are "
		 "about"},
		{"count recorder = 0",
		 "line 1: \"recorder\" is no part of a task's own time, which rules are about"},
		{"wait preempted < 1s",
		 "line 1: \"preempted\" is no part of a task's own time, which rules are about"},
		{"count disk of < 5", "line 1: \"of\" is followed by no name of tasks"},
		{"path \"svc < 5ms", "line 1: a name has no closing quote"},
		{"hung p99 = 0", "line 1: hung has no p99"},
		{"longest path < 5ms",
		 "line 1: \"path\" is no cause or aim; use a cause or an aim of report --costs, like disk, lock"},
		{"path a b c d e f g h i j k l m n o p q r s t u v w x y < 5ms",
		 "line 1: too many words"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		ck_assert_int_eq(parse(cases[i].text), -EINVAL);
		ck_assert_str_eq(why.text, cases[i].why);
		end();
	}
}
END_TEST

START_TEST(bytes_are_no_rules)
{
	static const char bytes[] = "hung = 0\nha\0ng = 0\n";

	buffer_init(&why, BUFFER_LIMIT_DEFAULT);
	ck_assert_int_eq(budget_parse(&budget, bytes, sizeof(bytes) - 1, &why), -EINVAL);
	ck_assert_str_eq(why.text, "line 2: it has a NUL byte, so this is no text");
	end();
}
END_TEST

START_TEST(rules_are_many_but_bounded)
{
	struct buffer text;

	buffer_init(&text, BUFFER_LIMIT_DEFAULT);
	for (int i = 0; i < BUDGET_RULES_MAX; i++)
		buffer_puts(&text, "hung=0\n");
	ck_assert_int_eq(parse(text.text), 0);
	end();
	buffer_puts(&text, "hung=0\n");
	ck_assert_int_eq(parse(text.text), -EINVAL);
	ck_assert_str_eq(why.text, "line 1001: more than 1000 rules");
	end();
	buffer_release(&text);
}
END_TEST

START_TEST(limits_are_compared)
{
	static const struct {
		const char *text;
		bool below, at, above; /* kept with 4, 5, 6 */
	} cases[] = {
		{"hung < 5", true, false, false}, {"hung <= 5", true, true, false},
		{"hung = 5", false, true, false}, {"hung >= 5", false, true, true},
		{"hung > 5", false, false, true},
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		ck_assert_int_eq(parse(cases[i].text), 0);
		ck_assert_int_eq(rule_is_kept(&budget.rule[0], 4), cases[i].below);
		ck_assert_int_eq(rule_is_kept(&budget.rule[0], 5), cases[i].at);
		ck_assert_int_eq(rule_is_kept(&budget.rule[0], 6), cases[i].above);
		end();
	}
}
END_TEST

Suite *budget_suite(void)
{
	Suite *suite = suite_create("budget");
	TCase *tests = tcase_create("budget");

	tcase_add_test(tests, every_measure_is_read);
	tcase_add_test(tests, lines_are_counted);
	tcase_add_test(tests, wrong_rules_say_why);
	tcase_add_test(tests, bytes_are_no_rules);
	tcase_add_test(tests, rules_are_many_but_bounded);
	tcase_add_test(tests, limits_are_compared);
	suite_add_tcase(suite, tests);
	return suite;
}
