/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "source/text/text_head.h"

#include <string.h>

#include "base/data/array.h"
#include "suites.h"

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
	/* perf script: plain, with -g, --ns, -F +pid, -F +misc, -F +period, -F -comm,-tid */
	{"         swapper     0 [001]   500.000000:           s:x: y", "swapper", 0, -1, 1, 0,
	 500000000000, 1000},
	{"Web Content-1 (2)  300 [8191]   500.000000123:   s:x: y", "Web Content-1 (2)", 300, -1,
	 8191, 0, 500000000123, 1},
	{"   kworker/0:1-ev    28/28    [000]   500.000000: s:x: y", "kworker/0:1-ev", 28, 28, 0, 0,
	 500000000000, 1000},
	{"  [0] [x]   28 [000] KH    500.000000:   1 workqueue:x: y", "[0] [x]", 28, -1, 0, 0,
	 500000000000, 1000},
	{"             :-1    -1 [000]   500.000000: s:x: y", "", -1, -1, 0, 0, 500000000000, 1000},
	{"             :77    77 [000]   500.000000: s:x: y", "", 77, -1, 0, 0, 500000000000, 1000},
	{" [000]   500.000000: s:x: y", "", -1, -1, 0, 0, 500000000000, 1000},
	/* -L */
	{"kworker/    44   1  1723.466620:    s:x: y", "kworker/", 44, -1, 1, 0, 1723466620000, 1000},
	{"    perf    -1  12  1723.466620123:    s:x: y", "perf", -1, -1, 12, 0, 1723466620123, 1},
	/* the latency format, with marks of delays, and in logs */
	{"     app-300       0d..2. 500001000us+: x: y", "app", 300, -1, 0, 0x01, 500001000000, 1000},
	{"kworker/-28       3..s1. 5us : x: y", "kworker/", 28, -1, 3, 0x10, 5000, 1000},
	{"[  612.000010][  T12]   <idle>-0         0d.h2. 7us!: x: y", "<idle>", 0, -1, 0, 0x09, 7000,
	 1000},
	{"<4>[1.0] app-9 0d.h2. 7us*: x: y", "app", 9, -1, 0, 0x09, 7000, 1000},
	{"Nov 29 10:00:00 my-host-2 kernel: [  612.000010] rcu_tort-90      12d..1. 7us : x: y",
	 "rcu_tort", 90, -1, 12, 0x01, 7000, 1000},
	{"2026-11-29T10:00:00 h kernel:         app (x) 1-77    [001] d..2.  9.000009: x: y",
	 "app (x) 1", 77, -1, 1, 0x01, 9000009000, 1000},
	/* PREEMPT_RT before 6.13, with a column more before the context */
	{"             a-5     [000] d..h1..1     1.000000: x: y", "a", 5, -1, 0, 0x09, 1000000000,
	 1000},
};

START_TEST(heads_are_read)
{
	struct text_head head;

	ck_assert(text_head_parse(line_of(heads[_i].line), NULL, &head));
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
	"a-1 1.000000: x: y", "a-1 0d..2. 5us", "a-1 0d..2. 5us x: y", "a-1 0d..2. us: x: y",
	 "perf 23427 [000] 64375.384033:     250000 cycles:ppp:  ffff x ([a])",
	"perf 23427 [000] 64375.384033: cpu-clock: x", "perf 23427 64375.384033: sched:sched_switch: x",
	"perf x [000] 64375.384033: sched:sched_switch: x", "perf 1 [000] sched:sched_switch: x",
	"perf 1 [000] 64375.384033:",
	"perf 1 [000] 64375.384033: sched:", "perf 1 [000] 64375.384033: sched_switch: x",
	"#           TASK-PID     CPU#  |||||  TIMESTAMP  FUNCTION",
	"CPU:3 [LOST 12 EVENTS]", " => schedule",
};

START_TEST(other_lines_are_none)
{
	struct text_head head;

	ck_assert_msg(!text_head_parse(line_of(others[_i]), NULL, &head), "%s", others[_i]);
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
