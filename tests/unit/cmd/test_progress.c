/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/report/report_progress.h"
#include "recorder/run/record_progress.h"
#include "suites.h"

#define SECOND UINT64_C(1000000000)

static struct buffer line;

static void check_record(struct record_progress *progress, nsec_t time,
                         const struct page_queue_progress *queue, const char *expected)
{
	buffer_init(&line, 500);
	record_progress_append(&line, progress, time, queue);
	ck_assert_str_eq(line.text, expected);
	buffer_release(&line);
}

START_TEST(record_prints_time_losses_and_rate)
{
	struct record_progress progress = {.duration = 20 * SECOND, .shown_bytes = 1000};
	struct page_queue_progress queue = {.written = 1000 + (4u << 20), .events = 123456};

	check_record(&progress, 2 * SECOND, &queue,
	             "ftwait: recording, 2 s of 20 s, 4.0 MiB, 2.0 MiB/s, 123,456 events");
	queue.lost = 7;
	check_record(&progress, 3 * SECOND, &queue,
	             "ftwait: recording, 3 s of 20 s, 7 lost, 4.0 MiB, 0 B/s, 123,456 events");
	queue.is_lost_more = true;
	progress.duration = NSEC_NEVER;
	check_record(&progress, 3 * SECOND, &queue,
	             "ftwait: recording, 3 s, Ctrl-C ends it, more than 7 lost, 4.0 MiB, 123,456 "
	             "events");
	progress.command = "/usr/bin/make";
	check_record(&progress, 4 * SECOND, &queue,
	             "ftwait: recording make, 4 s, more than 7 lost, 4.0 MiB, 0 B/s, 123,456 "
	             "events");
}
END_TEST

START_TEST(record_of_the_newest)
{
	struct record_progress progress = {
		.duration = 5 * SECOND / 2, .is_ring = true,
		.command = "a\033command with a name that is very long",
	};

	check_record(&progress, SECOND, &(struct page_queue_progress){0},
	             "ftwait: recording a\\x1bcommand with a name th, 1 s of 2.5 s, keeping the "
	             "newest");
}
END_TEST

static void check_copying(uint64_t bytes, nsec_t recorded, const char *expected)
{
	const struct spool_progress copied = {.bytes = bytes, .recorded = recorded};

	buffer_init(&line, 500);
	report_copying_append(&line, &copied, 2 * SECOND);
	ck_assert_str_eq(line.text, expected);
	buffer_release(&line);
}

START_TEST(report_prints_what_has_come)
{
	check_copying(3u << 20, 12 * SECOND + SECOND / 2,
	              "receiving the recording, 12 s so far, 3.0 MiB, 1.5 MiB/s");
	check_copying(3u << 20, 0, "unpacking or copying, 3.0 MiB, 1.5 MiB/s");
}
END_TEST

static void check_report(const struct source *source, uint64_t events, nsec_t elapsed,
                         const char *expected)
{
	buffer_init(&line, 500);
	report_progress_append(&line, source, events, elapsed);
	ck_assert_str_eq(line.text, expected);
	buffer_release(&line);
}

START_TEST(report_prints_share_and_rest)
{
	struct source source = {.data_bytes = 100u << 20, .data_read = 25u << 20};

	check_report(&source, 4000000, 2 * SECOND,
	             "reading, 25 % of 100.0 MiB, 2,000,000 events/s, 6 s left");
	source.data_read = source.data_bytes;
	check_report(&source, 4000000, 2 * SECOND,
	             "reading, 100 % of 100.0 MiB, 2,000,000 events/s, 0 s left");
}
END_TEST

/* What the other reader does not tell, or nothing read yet. */
START_TEST(report_without_a_share)
{
	struct source source = {0};

	check_report(&source, 4000000, 2 * SECOND, "reading, 4,000,000 events, 2,000,000 events/s");
	source.data_bytes = 1;
	check_report(&source, 0, 0, "reading, 0 events, 0 events/s");
}
END_TEST

Suite *progress_suite(void)
{
	Suite *suite = suite_create("progress");
	TCase *tests = tcase_create("progress");

	tcase_add_test(tests, record_prints_time_losses_and_rate);
	tcase_add_test(tests, record_of_the_newest);
	tcase_add_test(tests, report_prints_what_has_come);
	tcase_add_test(tests, report_prints_share_and_rest);
	tcase_add_test(tests, report_without_a_share);
	suite_add_tcase(suite, tests);
	return suite;
}
