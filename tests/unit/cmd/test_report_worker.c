/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/browse/report_worker.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/text/buffer.h"
#include "cmd/browse/browse_report.h"
#include "cmd/browse/report_child.h"
#include "cmd/commands.h"
#include "suites.h"

#define COLUMNS 90

static struct report_worker worker;
static struct report_child child;
static char *words[] = {"report", "fixtures/demo.dat", NULL};

static void await_worker(bool (*has_come)(void))
{
	while (worker.socket >= 0 && !has_come()) {
		struct pollfd socket = {.fd = worker.socket, .events = POLLIN};

		ck_assert_int_gt(poll(&socket, 1, 20000), 0);
		report_worker_take(&worker);
	}
}

static bool is_ready(void)
{
	return worker.is_ready;
}

static bool is_idle(void)
{
	return !worker.is_busy;
}

static void begin(void)
{
	worker = (struct report_worker){.socket = -1};
	report_child_init(&child);
	ck_assert_int_eq(report_worker_start(&worker, 2, words), 0);
	await_worker(is_ready);
	ck_assert(worker.is_ready);
}

static void end(void)
{
	report_child_release(&child);
	report_worker_stop(&worker);
	ck_assert_int_eq(worker.pid, 0);
}

static void take_child(void)
{
	while (!child.is_ended) {
		struct pollfd places[] = {{.fd = child.out, .events = POLLIN},
		                          {.fd = child.error, .events = POLLIN},
		                          {.fd = worker.socket, .events = POLLIN}};

		ck_assert_int_gt(poll(places, 3, 20000), 0);
		report_worker_take(&worker);
		report_child_take(&child);
	}
}

static int report_run_plainly(const void *options)
{
	const struct report_options defaults = browse_report_defaults(COLUMNS);

	return browse_report_run(&(struct browse_report){words[1], options}, &defaults);
}

/* A worker's reports are those of a process that reads the recording, one after the other. */
START_TEST(it_reports_what_a_reader_does)
{
	static const char *const asked[] = {
		"--summary", "--waits --sort wait --top 0", "--chains --from 0.05 --to 0.1",
		"--disk", "--critical-path=1483 --evidence", "--events --from 0.1 --to 0.11",
	};

	begin();
	for (size_t i = 0; i < sizeof(asked) / sizeof(*asked); i++) {
		_cleanup_(buffer_release) struct buffer text = buffer_of(CHILD_TEXT_MAX);

		ck_assert_int_eq(report_child_start(&child, report_run_plainly, asked[i]), 0);
		take_child();
		ck_assert_int_eq(child.status, STATUS_FINE);
		ck_assert_uint_gt(child.text.length, 100);
		buffer_append(&text, child.text.text, child.text.length);
		report_child_release(&child);
		ck_assert_int_eq(report_child_ask(&child, &worker, asked[i], COLUMNS), 0);
		take_child();
		ck_assert_int_eq(child.status, STATUS_FINE);
		ck_assert_str_eq(child.text.text, text.text);
		report_child_release(&child);
	}
	end();
}
END_TEST

START_TEST(wrong_options_are_said)
{
	begin();
	ck_assert_int_eq(report_child_ask(&child, &worker, "--nonsense", COLUMNS), 0);
	take_child();
	ck_assert_int_eq(child.status, STATUS_USAGE);
	ck_assert_ptr_nonnull(strstr(child.message.text, "nonsense"));
	ck_assert(!worker.is_busy && worker.is_ready);
	end();
}
END_TEST

START_TEST(a_report_can_be_stopped)
{
	begin();
	ck_assert_int_eq(report_child_ask(&child, &worker, "--waits --top 0", COLUMNS), 0);
	report_child_release(&child);
	await_worker(is_idle);
	ck_assert_int_eq(report_child_ask(&child, &worker, "--summary", COLUMNS), 0);
	take_child();
	ck_assert_int_eq(child.status, STATUS_FINE);
	end();
}
END_TEST

/* Its caller reads the recording anew then. */
START_TEST(a_worker_that_is_gone_answers_nothing)
{
	begin();
	ck_assert_int_eq(kill(worker.pid, SIGKILL), 0);
	while (worker.socket >= 0) {
		struct pollfd socket = {.fd = worker.socket, .events = POLLIN};

		ck_assert_int_gt(poll(&socket, 1, 20000), 0);
		report_worker_take(&worker);
	}
	ck_assert(!worker.is_ready);
	ck_assert_int_lt(report_child_ask(&child, &worker, "--summary", COLUMNS), 0);
	end();
}
END_TEST

Suite *report_worker_suite(void)
{
	Suite *suite = suite_create("report_worker");
	TCase *tests = tcase_create("report_worker");

	tcase_set_timeout(tests, 120);
	tcase_add_test(tests, it_reports_what_a_reader_does);
	tcase_add_test(tests, wrong_options_are_said);
	tcase_add_test(tests, a_report_can_be_stopped);
	tcase_add_test(tests, a_worker_that_is_gone_answers_nothing);
	suite_add_tcase(suite, tests);
	return suite;
}
