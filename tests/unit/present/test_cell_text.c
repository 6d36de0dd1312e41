/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/data/array.h"
#include "present/cell_text.h"
#include "sample_names.h"
#include "suites.h"
#include "words/cause/cause_kind.h"
#include "words/cause/cause_words.h"

static void check_cause(const struct cause *cause, const char *words, const char *name)
{
	struct buffer text;

	buffer_init(&text, 1000);
	cause_text_append(&text, cause);
	ck_assert_str_eq(text.text, words);
	buffer_clear(&text);
	cause_name_append(&text, cause);
	ck_assert_str_eq(text.text, name);
	buffer_release(&text);
}

#define CLIENT .has_originator = true, .originator = {.tid = 12, .comm = "client"}
#define SERVER .has_waker = true, .waker = {.tid = 13, .comm = "server"}

START_TEST(requests_sent_again)
{
	static const char *const words[] = {"", " (sent again once)", " (sent again 2 times)"};
	struct cause cause = {
		.kind = CAUSE_NET, .names = &sample_names,
		.as.net = {
			.is_unanswered = true, .is_request = true, .peer = SAMPLE_PEER_SILENT,
			.retransmits = (uint32_t)_i, /* of its program, not of the kernel */
		},
	};
	char expected[100];
	struct buffer text;

	(void)snprintf(expected, sizeof(expected), "net: no answer from 10.0.0.7:80%s", words[_i]);
	buffer_init(&text, 100);
	cause_text_append(&text, &cause);
	ck_assert_str_eq(text.text, expected);
	buffer_release(&text);
}
END_TEST

START_TEST(causes_in_words)
{
	static const struct {
		struct cause cause;
		const char *words, *name;
	} cases[] = {
		{{.kind = CAUSE_UNKNOWN}, "cause not recorded", "cause not recorded"},
		{{.kind = CAUSE_UNKNOWN, .name = "open: the trace ends first"},
		 "cause not recorded (open: the trace ends first)",
		 "cause not recorded open: the trace ends first"},
		{{.kind = CAUSE_TASK, .has_waker = true, .waker = {.tid = 101, .comm = "mysqld"}},
		 "task mysqld[101]", "task mysqld"},
		{{.kind = CAUSE_DISK, .as.disk = {.dev = 254u << 20, .rwbs = SAMPLE_WRITE_SYNC,
		  .bytes = 4096, .sector = 123}, .names = &sample_names},
		 "disk 254,0 (write 4.0 KiB, sector 123)", "disk 254,0"},
		{{.kind = CAUSE_DISK, .as.disk = {.dev = 259u << 20 | 3, .rwbs = SAMPLE_FLUSH},
		  .names = &sample_names}, "disk 259,3 (flush)",
		 "disk 259,3"},
		{{.kind = CAUSE_DISK, .as.disk.dev = 259u << 20 | 3}, "disk 259,3", "disk 259,3"},
		{{.kind = CAUSE_NET, .name = "lo", CLIENT}, "net lo from client[12]", "net lo"},
		{{.kind = CAUSE_NET, .name = "lo", .as.net = {.peer = SAMPLE_PEER_V4,
		  .local_port = 5}, .names = &sample_names, CLIENT},
		 "net lo from client[12] at 127.0.0.1:80", "net lo"},
		{{.kind = CAUSE_NET, .name = "eth0", .as.net = {.peer = SAMPLE_PEER_V6,
		  .local_port = 5}, .names = &sample_names},
		 "net eth0 from [fe80::1]:22", "net eth0"},
		{{.kind = CAUSE_NET, .as.net = {.is_unanswered = true, .peer = SAMPLE_PEER_SILENT,
		  .retransmits = 2}, .names = &sample_names},
		 "net: no answer from 10.0.0.7:80 (2 retransmits)",
		 "net: no answer from 10.0.0.7:80 (2 retransmits)"},
		{{.kind = CAUSE_TIMER, .name = "hrtimer_wakeup", .as.timer.is_own = true},
		 "its own timer", "timer hrtimer_wakeup"},
		{{.kind = CAUSE_TIMER, .name = "hrtimer_wakeup", .as.timer = {.is_own = true,
		  .call = CALL_POLL}},
		 "its own timeout of poll", "timer: timeout of poll"},
		{{.kind = CAUSE_TIMER, .name = "hrtimer_wakeup", .as.timer = {.is_own = true,
		  .call = CALL_NANOSLEEP}},
		 "its own sleep", "timer: sleep"},
		{{.kind = CAUSE_TIMER, .name = "process_timeout", CLIENT},
		 "timer process_timeout (set by client[12])", "timer process_timeout"},
		{{.kind = CAUSE_IRQ, .as.irq.number = 30, .name = "nvme0q1"}, "irq 30 nvme0q1",
		 "irq 30 nvme0q1"},
		{{.kind = CAUSE_INTERRUPT}, "a timer or device (not recorded which)",
		 "a timer or device (not recorded which)"},
		{{.kind = CAUSE_RCU, .name = "RCU"}, "RCU grace period", "rcu RCU"},
		{{.kind = CAUSE_SOFTIRQ, .name = "NET_RX"}, "softirq NET_RX", "softirq NET_RX"},
		{{.kind = CAUSE_WORK, .name = "flush", CLIENT}, "work flush (queued by client[12])",
		 "work flush"},
		{{.kind = CAUSE_WORK_PENDING}, "work pending", "work-pending"},
		{{.kind = CAUSE_SIGNAL, .as.signal.number = 16, .name = "SIGURG", SERVER},
		 "signal SIGURG from server[13]", "signal SIGURG"},
		{{.kind = CAUSE_SIGNAL, .as.signal.number = 34, SERVER},
		 "signal 34 from server[13]", "signal 34"},
		{{.kind = CAUSE_SIGNAL, .as.signal.number = 34}, "signal 34", "signal 34"},
		{{.kind = CAUSE_SIGNAL, .name = "SIGCONT", SERVER, CLIENT},
		 "signal SIGCONT from server[13] (stopped by client[12])", "signal SIGCONT"},
		{{.kind = CAUSE_TASK, SERVER, CLIENT},
		 "task server[13] (stopped by client[12])", "task server"},
		{{.kind = CAUSE_LOCK, .as.lock.address = 0xabc, CLIENT},
		 "lock 0xabc held by client[12]", "lock"},
		{{.kind = CAUSE_MEMORY, .what = "reclaim"}, "memory reclaim", "memory reclaim"},
		{{.kind = CAUSE_DISK, .as.disk = {.dev = 259u << 20, .rwbs = SAMPLE_READ},
		  .names = &sample_names, .what = "swap"},
		 "disk 259,0 for swap-in (read)", "disk 259,0 for swap-in"},
		{{.kind = CAUSE_DISK, .as.disk.dev = 259u << 20, .disk = "nvme0n1"},
		 "disk nvme0n1", "disk nvme0n1"},
		{{.kind = CAUSE_WORK, .name = "flush", .what = "memcg-reclaim", CLIENT},
		 "work flush (queued by client[12]) for memory reclaim in its cgroup",
		 "work flush for memory reclaim in its cgroup"},
		{{.kind = CAUSE_FROZEN, .name = "/job", CLIENT}, "frozen /job by client[12]",
		 "frozen /job"},
		{{.kind = CAUSE_LOCK, .as.lock.address = 0xabc, .what = "reclaim"},
		 "lock 0xabc for memory reclaim", "lock for memory reclaim"},
		{{.kind = CAUSE_UNKNOWN, .purpose = "tty input"}, "cause not recorded (for tty input)",
		 "cause not recorded (for tty input)"},
		{{.kind = CAUSE_UNKNOWN, .purpose = "tty input", .as.unknown.is_open = true},
		 "still waiting at the end (for tty input)",
		 "still waiting at the end (for tty input)"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		check_cause(&cases[i].cause, cases[i].words, cases[i].name);
}
END_TEST

/* What a wait was for shares the parentheses of what is said of the cause before. */
START_TEST(purposes_in_words)
{
	static const struct {
		struct cause cause;
		const char *words, *name;
	} cases[] = {
		{{.kind = CAUSE_TASK, .name = "exit", .purpose = "data from a pipe", SERVER},
		 "task server[13] (its end; for data from a pipe)",
		 "task server (for data from a pipe)"},
		{{.kind = CAUSE_WORK, .name = "flush", .purpose = "poll events", CLIENT},
		 "work flush (queued by client[12]; for poll events)",
		 "work flush (for poll events)"},
		{{.kind = CAUSE_TIMER, .name = "tcp_delack_timer", .purpose = "epoll events",
		  .as.timer.stall = STALL_DELAYED_ACK},
		 "timer tcp_delack_timer (delayed ACK; for epoll events)",
		 "timer tcp_delack_timer (delayed ACK; for epoll events)"},
		{{.kind = CAUSE_TASK, SERVER, .file = "/var/lib/x/lock",
		  .as.lock.is_flock = true},
		 "task server[13] (flock on /var/lib/x/lock)",
		 "task server (flock on /var/lib/x/lock)"},
		/* the stack says less; an end says how the lock was released */
		{{.kind = CAUSE_TASK, .name = "exit", SERVER, .file = "/a\n",
		  .purpose = "a POSIX lock of a file"},
		 "task server[13] (its end; fcntl lock on /a\\x0a)",
		 "task server (fcntl lock on /a\\x0a)"},
		{{.kind = CAUSE_LOCK, .name = "of /a", .file = "/a"}, "lock of /a", "lock of /a"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		check_cause(&cases[i].cause, cases[i].words, cases[i].name);
}
END_TEST

/* Pauses that the kernel makes a task take say so themselves. */
START_TEST(pauses_in_words)
{
	static const struct {
		struct cause cause;
		const char *words, *name;
	} cases[] = {
		{{.kind = CAUSE_TIMER, .name = "process_timeout", .as.timer = {.is_own = true,
		  .call = CALL_MSLEEP}},
		 "held back by the kernel (msleep)", "timer: held back by the kernel"},
		{{.kind = CAUSE_TIMER, .name = "process_timeout", .as.timer = {.is_own = true,
		  .call = CALL_HELD}},
		 "held back by the kernel (D, timed)", "timer: held back by the kernel"},
		{{.kind = CAUSE_MEMORY, .what = "throttle", .as.memory.dev = 254u << 20},
		 "held back by the kernel (too many dirty pages for 254,0)",
		 "memory throttle 254,0"},
		{{.kind = CAUSE_MEMORY, .what = "throttle"},
		 "held back by the kernel (memory throttling)", "memory throttle"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		check_cause(&cases[i].cause, cases[i].words, cases[i].name);
}
END_TEST

/* Every kind has words and a look; none may crash with nothing set. */
START_TEST(every_kind_has_words)
{
	struct buffer text;

	buffer_init(&text, 1000);
	for (unsigned kind = 0; kind < CAUSE_KIND_COUNT; kind++) {
		struct cause cause = {.kind = kind};

		if (kind == CAUSE_IRQ)
			cause.as.irq.number = -1;
		buffer_clear(&text);
		cause_text_append(&text, &cause);
		ck_assert_uint_gt(text.length, 1);
		ck_assert_msg(cause_kinds[kind].look.class && cause_kinds[kind].look.letter &&
		              cause_kinds[kind].look.color, "%s", cause_kind_name(kind));
	}
	buffer_release(&text);
}
END_TEST

static void check_cell(const struct cell *cell, const char *human, const char *plain)
{
	struct buffer text;

	buffer_init(&text, 1000);
	cell_text_append(&text, cell, &(struct instant_form){.begin = 1000000000});
	ck_assert_str_eq(text.text, human);
	buffer_clear(&text);
	cell_plain_append(&text, cell);
	ck_assert_str_eq(text.text, plain);
	buffer_release(&text);
}

START_TEST(cells_for_people_and_programs)
{
	static const nsec_t by_kind[CAUSE_KIND_COUNT] = {
		[CAUSE_TASK] = 1, [CAUSE_DISK] = 5, [CAUSE_NET] = 4, [CAUSE_TIMER] = 3,
		[CAUSE_IRQ] = 2, [CAUSE_RCU] = 2,
	};
	static const struct column row_columns[] = {
		{"task", "TASK", CELL_TASK, 0},
		{"total_ns", "TOTAL", CELL_DURATION, 0},
		{"count", "COUNT", CELL_COUNT, COLUMN_DATA_ONLY},
	};
#define ROW_OF(total, count_)                                                      \
	{.type = CELL_EMPTY}, {.type = CELL_DURATION, .time = (total)},            \
	{                                                                          \
		.type = CELL_COUNT, .count = (count_)                              \
	}
	static const struct cell row_cells[] = {
		{.type = CELL_TASK, .task = {.tid = 7, .comm = "sh"}},
		{.type = CELL_DURATION, .time = 1500},
		{.type = CELL_COUNT, .count = 2},
		ROW_OF(3, 2), ROW_OF(2, 2), ROW_OF(1, 1), ROW_OF(1, 1),
	};
	static const struct number_count errors[] = {{-2, 7}, {-11, 1}};
	static const struct change change = {.old = 1, .new = 3, .shift = 2.5};
	static const struct {
		struct cell cell;
		const char *human, *plain;
	} cases[] = {
		{{.type = CELL_EMPTY}, "-", ""},
		{{.type = CELL_TEXT, .text = NULL}, "-", ""},
		{{.type = CELL_TEXT, .text = "a\033[1m"}, "a\\x1b[1m", "a\\x1b[1m"},
		{{.type = CELL_COUNT, .count = 1234}, "1,234", "1234"},
		{{.type = CELL_INSTANT, .time = 1500000000}, "0.500000", "1500000000"},
		{{.type = CELL_INSTANT, .time = 999000000}, "-0.001000", "999000000"},
		{{.type = CELL_INSTANT, .time = NSEC_NEVER}, "-", ""},
		{{.type = CELL_DURATION, .time = 1500}, "1.500 us", "1500"},
		{{.type = CELL_RATIO, .ratio = 0.5}, "50.0 %", "0.500000"},
		{{.type = CELL_RATE, .ratio = 40.04}, "40.0", "40.040000"},
		{{.type = CELL_BOOL, .boolean = true}, "yes", "true"},
		{{.type = CELL_TASK, .task = {.tid = 7, .comm = "sh"}}, "sh[7]", "sh[7]"},
		{{.type = CELL_CAUSE, .cause = NULL}, "-", ""},
		{{.type = CELL_CONFIDENCE, .confidence = CONFIDENCE_LOW}, "low", "low"},
		{{.type = CELL_CHANGE, .change = &change}, "2.500000", "2.500000"},
		{{.type = CELL_TALLIES}, "-", ""},
		{{.type = CELL_TALLIES, .tallies = {errors, 2}}, "-2: 7, -11: 1", "-2=7 -11=1"},
		{{.type = CELL_BY_KIND, .by_kind = by_kind},
		 "disk 5 ns, net 4 ns, timer 3 ns, irq 2 ns, others 3 ns",
		 "task=1 disk=5 net=4 timer=3 irq=2 rcu=2"},
		{{.type = CELL_ROWS, .rows = {row_columns, 3, row_cells, 1}}, "sh[7] 1.500 us",
		 "sh[7] 1500 2"},
		{{.type = CELL_ROWS, .rows = {row_columns, 3, row_cells, 5}},
		 "sh[7] 1.500 us, 3 ns, 2 ns, 2 more",
		 "sh[7] 1500 2; - 3 2; - 2 2; - 1 1; - 1 1"},
		{{.type = CELL_ROWS, .rows = {row_columns, 3, row_cells, 0}}, "-", ""},
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		check_cell(&cases[i].cell, cases[i].human, cases[i].plain);
}
END_TEST

static void check_folded(const struct chain_link *link, size_t count, const char *stack)
{
	struct buffer text;

	buffer_init(&text, 1000);
	links_folded_append(&text, &(struct links){.link = link, .count = count});
	ck_assert_str_eq(text.text, stack);
	buffer_release(&text);
}

START_TEST(folded_frames_are_escaped)
{
	static const struct cause disk = {.kind = CAUSE_DISK, .as.disk.dev = 254u << 20};
	static const struct chain_link links[] = {
		{.comm = "a;b c", .state = "waiting"},
		{.comm = "d\n\t\xff", .state = "waiting"},
		{.comm = "", .state = "waiting", .cause = &disk},
	};

	check_folded(links, 3, "a:b_c;d\\x0a\\x09\\xff;-;[disk_254,0]");
}
END_TEST

START_TEST(folded_ends_with_what_is_known)
{
	check_folded(&(struct chain_link){.comm = "sh", .state = "running"}, 1, "sh");
	check_folded(&(struct chain_link){.comm = "sh", .state = "runnable"}, 1, "sh;[runnable]");
	check_folded(&(struct chain_link){.comm = "sh", .state = "waiting"}, 1, "sh;[still_waiting_at_the_end]");
	check_folded(&(struct chain_link){.comm = "sh", .state = "stopped"}, 1, "sh;[stopped]");
	check_folded(&(struct chain_link){.comm = "sh",
	                                  .state = "stopped",
	                                  .cause = &(struct cause){.kind = CAUSE_TASK, SERVER,
	                                                           CLIENT}},
	             1, "sh;[stopped_by_client]");
	check_folded(NULL, 0, "");
}
END_TEST

START_TEST(zero_and_nothing_are_blank)
{
	static const struct distribution_sum none = {.count = 2}, some = {.count = 2, .max = 1};
	static const struct cell blank[] = {
		{.type = CELL_EMPTY},
		{.type = CELL_TEXT, .text = ""},
		{.type = CELL_TEXT, .text = "0 B"},
		{.type = CELL_COUNT},
		{.type = CELL_INTEGER},
		{.type = CELL_DURATION},
		{.type = CELL_DURATION, .time = NSEC_NEVER},
		{.type = CELL_INSTANT, .time = NSEC_NEVER},
		{.type = CELL_RATIO},
		{.type = CELL_RATE},
		{.type = CELL_BOOL},
		{.type = CELL_CAUSE},
		{.type = CELL_TALLIES},
		{.type = CELL_DISTRIBUTION, .distribution = &none},
		{.type = CELL_ROWS},
	};
	static const struct cell full[] = {
		{.type = CELL_TEXT, .text = "0"},
		{.type = CELL_COUNT, .count = 1},
		{.type = CELL_INTEGER, .integer = -1},
		{.type = CELL_PRIORITY, .integer = 0},
		{.type = CELL_DURATION, .time = 1},
		{.type = CELL_INSTANT, .time = 0},
		{.type = CELL_RATIO, .ratio = 0.001},
		{.type = CELL_BOOL, .boolean = true},
		{.type = CELL_TASK},
		{.type = CELL_DISTRIBUTION, .distribution = &some},
	};

	for (size_t i = 0; i < ARRAY_SIZE(blank); i++)
		ck_assert_msg(cell_is_blank(&blank[i]), "%zu", i);
	for (size_t i = 0; i < ARRAY_SIZE(full); i++)
		ck_assert_msg(!cell_is_blank(&full[i]), "%zu", i);
}
END_TEST

Suite *cell_text_suite(void)
{
	Suite *suite = suite_create("cell_text");
	TCase *tests = tcase_create("cell_text");

	tcase_add_test(tests, causes_in_words);
	tcase_add_loop_test(tests, requests_sent_again, 0, 3);
	tcase_add_test(tests, purposes_in_words);
	tcase_add_test(tests, pauses_in_words);
	tcase_add_test(tests, every_kind_has_words);
	tcase_add_test(tests, cells_for_people_and_programs);
	tcase_add_test(tests, folded_frames_are_escaped);
	tcase_add_test(tests, folded_ends_with_what_is_known);
	tcase_add_test(tests, zero_and_nothing_are_blank);
	suite_add_tcase(suite, tests);
	return suite;
}
