/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "views/costs.h"

#include <glob.h>

#include "analysis/tables/cost_kind.h"
#include "engine/report_run.h"
#include "source/source.h"
#include "suites.h"
#include "views/summary/explanation.h"
#include "views/summary/summary.h"

struct cost_states {
	nsec_t total, of[COST_KIND_COUNT];
	uint64_t count;
	char task[64]; /* the last one */
};

static struct loaded loaded;
static struct report_run run;
static struct source *source;
static struct asked asked;

static bool costs_of(const char *path, bool is_all)
{
	struct buffer why;
	int r;

	buffer_init(&why, 1000);
	r = source_open(path, &source, &why);
	buffer_release(&why);
	if (r < 0)
		return false;
	asked = (struct asked)ASKED_EVERYTHING;
	asked.is_all = is_all;
	loaded_init(&loaded, source);
	report_run_init(&run, &loaded, &asked);
	ck_assert_ptr_nonnull(analysis_find("costs"));
	ck_assert_ptr_nonnull(analysis_find("summary"));
	report_run_ask(&run, analysis_find("costs"));
	report_run_ask(&run, analysis_find("summary"));
	report_run_read(&run);
	return true;
}

static void run_end(void)
{
	report_run_release(&run);
	source = source_close(source);
}

static void add(void *state, const struct cost_sum *sum)
{
	struct cost_states *states = state;

	ck_assert(sum->count > 0);
	ck_assert_int_eq(sum->cause != NULL, sum->kind == COST_WAIT);
	states->total += sum->total;
	states->of[sum->kind] += sum->total;
	states->count += sum->count;
}

/* Along the path the summary has the same times. */
static void check_path(const struct cost_states *states, const struct explanation *explanation)
{
	const struct chain_tree *path = &explanation->path;
	nsec_t of[COST_KIND_COUNT] = {0};

	for (size_t i = 1; i < path->count; i++) {
		const struct chain_node *node = &path->node[i];

		of[cost_of_part((enum part_state)node->state, node->cause.note)] += node->total;
	}
	of[COST_FOR_WORK] += explanation->path_for_work;
	of[COST_ASLEEP] += explanation->path_asleep;
	for (int kind = 0; kind < COST_KIND_COUNT; kind++)
		ck_assert_uint_eq(states->of[kind], of[kind]);
}

/* For the recorded command, or all tasks: the rows sum to the time, which is that of the tasks. */
static void check_rows(const char *path, bool is_all)
{
	struct cost_states states = {0};
	const struct summary *summary;
	nsec_t times = 0;

	if (!costs_of(path, is_all))
		return; /* no recording */
	summary = run.view[1].own;
	costs_each(run.view[0].own, add, &states);
	ck_assert_uint_eq(states.total, costs_wall(run.view[0].own));
	ck_assert_int_eq(costs_root(run.view[0].own) != NULL,
	                 summary->explanation->path_track != TRACK_NONE);
	if (costs_root(run.view[0].own)) {
		check_path(&states, summary->explanation);
	} else {
		for (uint32_t track = 0; track < summary->count; track++)
			if (run.resolved.is_asked[track])
				times += summary->by_track[track].time;
		ck_assert_uint_eq(states.total, times);
	}
	run_end();
}

START_TEST(rows_sum_to_the_time)
{
	glob_t files;

	ck_assert_int_eq(glob("fixtures/*.dat", 0, NULL, &files), 0);
	ck_assert_uint_gt(files.gl_pathc, 2);
	for (size_t i = 0; i < files.gl_pathc; i++) {
		check_rows(files.gl_pathv[i], /* is_all= */ false);
		check_rows(files.gl_pathv[i], /* is_all= */ true);
	}
	globfree(&files);
}
END_TEST

Suite *costs_suite(void)
{
	Suite *suite = suite_create("costs");
	TCase *tests = tcase_create("costs");

	tcase_add_test(tests, rows_sum_to_the_time);
	suite_add_tcase(suite, tests);
	return suite;
}
