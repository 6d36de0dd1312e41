/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "source/text/text_head.h"

#include <string.h>

#include "base/data/array.h"
#include "suites.h"

static struct text_line line_of(const char *text)
{
	return (struct text_line){text, text + strlen(text)};
}

static const struct {
	const char *line, *comm;
	int32_t tid, tgid;
	uint32_t cpu;
	uint8_t flags;
	nsec_t time, step;
} heads[] = {
	/* 3.18, before there were columns for TGID and a fifth flag */
	{"          <idle>-0     [001] d.h3  1234.567890: x: y", "<idle>", 0, -1, 1, 0x09,
	 1234567890000, 1000},
	/* Android */
	{"     kworker/0:1-28    (   28) [000] d..3   100.000001: x: y", "kworker/0:1", 28, 28, 0,
	 0x01, 100000001000, 1000},
	{"           <...>-4321  (-----) [007] ...1   100.5000: x: y", "<...>", 4321, -1, 7, 0,
	 100500000000, 100000},
	{"          RenderT-900   [003] (  812) d.s2.  9.000009: x: y", "RenderT", 900, 812, 3, 0x11,
	 9000009000, 1000},
	/* 6.x, names with everything */
	{" Chrome IO-1 (2)-77   (     70) [012] DNZff 45045.152014: x: y", "Chrome IO-1 (2)", 77, 70,
	 12, 0xcd, 45045152014000, 1000},
	{"            -x-5     [000] b.H..     1.000000: x: y", "-x", 5, -1, 0, 0x98, 1000000000,
	 1000},
	{"            -6       [000]     1.000000: x: y", "", 6, -1, 0, 0, 1000000000, 1000},
	/* trace-cmd report, plain, with -t, with -l */
	{"          ftwait-1481  [000]  3965.114110: x:         y", "ftwait", 1481, -1, 0, 0,
	 3965114110000, 1000},
	{"          ftwait-1481  [000]  3965.114110123: x:         y", "ftwait", 1481, -1, 0, 0,
	 3965114110123, 1},
	{"  ftwait-1481   10d.h3.  3965.114110: x:         y", "ftwait", 1481, -1, 10, 0x09,
	 3965114110000, 1000},
};

START_TEST(heads_are_read)
{
	struct text_head head;

	ck_assert(text_head_parse(line_of(heads[_i].line), &head));
	ck_assert_msg(word_is(head.comm, heads[_i].comm), "%s", heads[_i].line);
	ck_assert_int_eq(head.tid, heads[_i].tid);
	ck_assert_int_eq(head.tgid, heads[_i].tgid);
	ck_assert_uint_eq(head.cpu, heads[_i].cpu);
	ck_assert_uint_eq(head.flags, heads[_i].flags);
	ck_assert_uint_eq(head.time, heads[_i].time);
	ck_assert_uint_eq(head.step, heads[_i].step);
	ck_assert(line_length(head.rest) > 3 && memcmp(head.rest.at, "x: ", 3) == 0);
}
END_TEST

static const char *const others[] = {
	"", "-", "a-", "a-1", "a-1 ", "a-1 [0", "a-1 [0]", "a-1 [0] 1.5", "a-1 [0] 1.50000",
	"a-1 [0] 1:", "a-1 [0] .000000: x: y", "a-1 [0] 1.0000000000: x: y",
	"a-1 [0] 99999999999.000000: x: y", "a-1 [8192] 1.000000: x: y",
	"a-1 [-1] 1.000000: x: y", "a-99999999999 [0] 1.000000: x: y", "a-1 [0] ?... 1.000000: x: y",
	"a-1 [0] .... .... 1.000000: x: y", "a-1 [0] [0] 1.000000: x: y",
	"a-1 (1) (1) [0] 1.000000: x: y", "a-1 (-1) [0] 1.000000: x: y", "a-1 (x [0] 1.000000: x: y",
	"a-1 1.000000: x: y", "perf 23427 [000] 64375.384033: sched:sched_switch: x",
	"#           TASK-PID     CPU#  |||||  TIMESTAMP  FUNCTION",
	"CPU:3 [LOST 12 EVENTS]", " => schedule",
};

START_TEST(other_lines_are_none)
{
	struct text_head head;

	ck_assert_msg(!text_head_parse(line_of(others[_i]), &head), "%s", others[_i]);
}
END_TEST

Suite *text_head_suite(void)
{
	Suite *suite = suite_create("text_head");
	TCase *all = tcase_create("all");

	tcase_add_loop_test(all, heads_are_read, 0, ARRAY_SIZE(heads));
	tcase_add_loop_test(all, other_lines_are_none, 0, ARRAY_SIZE(others));
	suite_add_tcase(suite, all);
	return suite;
}
