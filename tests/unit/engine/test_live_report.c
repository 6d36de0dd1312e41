/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "engine/live_report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/data/array.h"
#include "base/xalloc.h"
#include "builder/datfile.h"
#include "source/source.h"
#include "suites.h"

#define PERIOD     1000000u /* ns, as long as one round */
#define PIECES_MAX 64

/* A waits for B twice a round, on the other CPU. Where a period ends both run, so that a report of
   the finished trace knows no more. */
static const char opening[] =
	"unit us\ncpus 2\n"
	"tasks A=101/alice B=102/bob C=103/carol\n"
	"   0/0 0  sched_switch 0:R > A\n"
	"   1/1 0  sched_switch 0:R > B\n";
static const char round_format[] =
	"%4u/0 A  sched_switch A:S > 0\n"
	"%4u/1 B  sched_waking A\n"
	"%4u/0 0  sched_switch 0:R > A\n";
static const char round_rest_format[] =
	"%4u/0 A  sched_switch A:S > 0\n"
	"%4u/1 B  sched_waking A\n"
	"%4u/0 0  sched_switch 0:R > A\n";

/* In the second round: a task that lives for a short time. */
static const char visit[] =
	"1500/1 B  sched_switch B:R > C\n"
	"1520/1 C  sched_switch C:X > B\n";

struct piece_text {
	nsec_t begin, end;
	char *text;
};

struct pieces {
	struct source *source;
	struct asked asked;
	struct loaded loaded;
	struct report_run plan;
	struct live_run *run;
	struct live_report report;
	struct piece_text piece[PIECES_MAX];
	size_t count;
	uint64_t events;
};

static struct source *trace_open(const char *text)
{
	struct machine machine = {.long_bytes = 8, .page_bytes = 4096, .version = 6};
	struct source *source = NULL;
	struct buffer why;
	char path[32];
	int fd;

	buffer_init(&why, 1024);
	if (datfile_from_text(text, &machine, &fd, &why) < 0)
		ck_abort_msg("%s", why.text);
	(void)snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (source_open(path, &source, &why) < 0)
		ck_abort_msg("%s", why.text);
	(void)close(fd);
	buffer_release(&why);
	return source;
}

/* Rows alone: without the head, which names the period, and without the health. To be freed. */
static char *rows_of(struct report_run *run)
{
	char *text = NULL;
	size_t length;
	struct report_form form = {
		.out = xopen_memstream(&text, &length),
		.presenter = presenter_find("csv"),
		.file = "trace",
	};

	report_run_show(run, &form);
	(void)fclose(form.out);
	return text;
}

static void ask(struct report_run *run)
{
	static const char *const views[] = {"waits", "sched", "chains"};

	for (size_t i = 0; i < ARRAY_SIZE(views); i++)
		report_run_ask(run, analysis_find(views[i]));
}

static void piece_end(struct pieces *pieces)
{
	struct report_run *report = &pieces->report.report;

	ck_assert_uint_lt(pieces->count, PIECES_MAX);
	live_report_end(&pieces->report);
	pieces->events += report->health.events;
	pieces->piece[pieces->count++] = (struct piece_text){
		.begin = report->period.begin,
		.end = report->period.end,
		.text = rows_of(report),
	};
	live_report_release(&pieces->report);
}

static void on_period(void *state)
{
	struct pieces *pieces = state;

	piece_end(pieces);
	(void)live_run_renew(pieces->run);
	live_report_begin(&pieces->report, pieces->run, &pieces->plan,
	                  live_run_last(pieces->run));
}

static void on_span(void *state, const struct span *span)
{
	struct pieces *pieces = state;

	live_report_take_span(&pieces->report, span);
}

static void on_interval(void *state, const struct interval *interval)
{
	struct pieces *pieces = state;

	live_report_take_interval(&pieces->report, interval);
}

/* tracks_max: see struct live_run_setup. */
static void pieces_read(struct pieces *pieces, const char *text, size_t history_bytes,
                        uint32_t tracks_max)
{
	struct live_run_setup setup = {
		.history_bytes = history_bytes,
		.on_span = on_span,
		.on_interval = on_interval,
		.interval_kinds = INTERVAL_MASK_ALL,
		.period = PERIOD,
		.tracks_max = tracks_max,
		.overlap = 1,
		.on_period = on_period,
		.state = pieces,
	};

	*pieces = (struct pieces){.asked = ASKED_EVERYTHING, .source = trace_open(text)};
	loaded_init(&pieces->loaded, pieces->source);
	report_run_init(&pieces->plan, &pieces->loaded, &pieces->asked);
	ask(&pieces->plan);
	setup.source = pieces->source;
	pieces->run = live_run_new(&setup);
	live_report_begin(&pieces->report, pieces->run, &pieces->plan, NSEC_NEVER);
	live_run_read(pieces->run);
	live_run_reach(pieces->run, live_run_last(pieces->run));
	piece_end(pieces);
}

static void pieces_release(struct pieces *pieces)
{
	for (size_t i = 0; i < pieces->count; i++)
		free(pieces->piece[i].text);
	live_run_free(pieces->run);
	report_run_release(&pieces->plan);
	source_close(pieces->source);
}

/* The same rows of a report of the finished trace. To be freed. */
static char *window_rows(const char *text, nsec_t begin, nsec_t end)
{
	struct source *source = trace_open(text);
	struct asked asked = ASKED_EVERYTHING;
	struct loaded loaded;
	struct report_run run;
	char *rows;

	asked.from = begin;
	asked.to = end;
	loaded_init(&loaded, source);
	report_run_init(&run, &loaded, &asked);
	ask(&run);
	report_run_read(&run);
	rows = rows_of(&run);
	report_run_release(&run);
	source_close(source);
	return rows;
}

/* Rounds of 1 ms each. To be freed. */
static char *rounds(unsigned count)
{
	char *text = NULL;
	size_t length;
	FILE *to = xopen_memstream(&text, &length);

	(void)fputs(opening, to);
	for (unsigned i = 0; i < count; i++) {
		unsigned at = i * 1000;

		(void)fprintf(to, round_format, at + 100, at + 300, at + 400);
		if (i == 1)
			(void)fputs(visit, to);
		(void)fprintf(to, round_rest_format, at + 700, at + 900, at + 950);
	}
	(void)fclose(to);
	return text;
}

static void check_rounds(uint32_t tracks_max, uint64_t generations)
{
	char *text = rounds(5);
	struct pieces pieces;

	pieces_read(&pieces, text, 1u << 20, tracks_max);
	ck_assert_uint_eq(pieces.count, 5);
	for (size_t i = 0; i < pieces.count; i++) {
		const struct piece_text *piece = &pieces.piece[i];
		char *rows = window_rows(text, piece->begin, piece->end);

		if (i > 0)
			ck_assert_uint_eq(piece->begin, pieces.piece[i - 1].end);
		if (i < 4)
			ck_assert_uint_eq(piece->end - piece->begin, PERIOD);
		ck_assert_str_eq(piece->text, rows);
		free(rows);
	}
	ck_assert_ptr_nonnull(strstr(pieces.piece[2].text, "alice"));
	ck_assert_uint_eq(pieces.events, 5 * 6 + 4);
	ck_assert_uint_eq(live_run_counts(pieces.run).generations, generations);
	pieces_release(&pieces);
	free(text);
}

START_TEST(each_period_is_as_a_window_of_the_finished_trace)
{
	check_rounds(0, 0);
}
END_TEST

START_TEST(another_generation_goes_on)
{
	check_rounds(1, 1);
}
END_TEST

#define VISITORS 40

/* A period, and another one in which many tasks live for a short time. To be freed. */
static char *crowd(void)
{
	char *text = NULL;
	size_t length;
	FILE *to = xopen_memstream(&text, &length);

	(void)fputs("unit us\ncpus 1\ntasks A=101/alice", to);
	for (unsigned i = 0; i < VISITORS; i++)
		(void)fprintf(to, " V%u=%u/visitor", i, 200 + i);
	(void)fputs("\n0/0 0  sched_switch 0:R > A\n", to);
	for (unsigned i = 0; i < VISITORS; i++)
		(void)fprintf(to,
		              "%u/0 A  sched_switch A:R > V%u\n"
		              "%u/0 V%u  sched_switch V%u:X > A\n",
		              1010 + i * 10, i, 1015 + i * 10, i, i);
	(void)fclose(to);
	return text;
}

START_TEST(many_new_tasks_end_a_period_early)
{
	char *text = crowd();
	struct pieces pieces;

	pieces_read(&pieces, text, 1u << 20, 4);
	ck_assert_uint_gt(pieces.count, 2);
	ck_assert_uint_ge(live_run_counts(pieces.run).generations, 1);
	for (size_t i = 1; i < pieces.count; i++)
		ck_assert_uint_eq(pieces.piece[i].begin, pieces.piece[i - 1].end);
	ck_assert_uint_eq(pieces.events, 2 * VISITORS + 1);
	pieces_release(&pieces);
	free(text);
}
END_TEST

START_TEST(a_full_history_ends_a_period_early)
{
	char *text = rounds(20);
	struct pieces pieces;

	pieces_read(&pieces, text, 300, 0);
	ck_assert_uint_gt(pieces.count, 20);
	for (size_t i = 1; i < pieces.count; i++)
		ck_assert_uint_eq(pieces.piece[i].begin, pieces.piece[i - 1].end);
	ck_assert_uint_eq(pieces.events, 20 * 6 + 4);
	pieces_release(&pieces);
	free(text);
}
END_TEST

START_TEST(a_long_time_without_events_is_not_divided)
{
	static const char text[] = "unit us\ncpus 1\n"
				   "tasks A=101/alice B=102/bob\n"
				   "        0/0 B  sched_switch B:R > A\n"
				   "      100/0 A  sched_switch A:S > B\n"
				   "900000500/0 B  sched_waking A\n"
				   "900000600/0 B  sched_switch B:S > A\n";
	struct pieces pieces;

	pieces_read(&pieces, text, 1u << 20, 0);
	ck_assert_uint_eq(pieces.count, 3);
	ck_assert_uint_eq(pieces.piece[0].end - pieces.piece[0].begin, PERIOD);
	ck_assert_uint_eq(pieces.piece[1].end - pieces.piece[0].begin, 900000u * (nsec_t)PERIOD);
	ck_assert_uint_eq(pieces.piece[2].end - pieces.piece[2].begin, 600000);
	pieces_release(&pieces);
}
END_TEST

Suite *live_report_suite(void)
{
	Suite *suite = suite_create("live_report");
	TCase *all = tcase_create("all");

	tcase_add_test(all, each_period_is_as_a_window_of_the_finished_trace);
	tcase_add_test(all, another_generation_goes_on);
	tcase_add_test(all, many_new_tasks_end_a_period_early);
	tcase_add_test(all, a_full_history_ends_a_period_early);
	tcase_add_test(all, a_long_time_without_events_is_not_divided);
	suite_add_tcase(suite, all);
	return suite;
}
