/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "views/summary/explanation.h"

#include <string.h>

#include "base/data/array.h"
#include "engine/report_run.h"
#include "source/source.h"
#include "suites.h"
#include "views/summary/summary.h"

static struct asked asked;
static struct loaded loaded;
static struct report_run run;
static struct source *source;
static uint64_t parts_free; /* 0: as many as ever */

/* A recording of a command, with so much room for history; 0: all that there is. */
static const struct summary *summary_of(const char *path, size_t history_bytes, bool is_all)
{
	const struct analysis *summary = analyses[0];
	struct buffer why;

	ck_assert_str_eq(summary->name, "summary");
	buffer_init(&why, 1000);
	ck_assert_int_eq(source_open(path, &source, &why), 0);
	buffer_release(&why);
	asked = (struct asked)ASKED_EVERYTHING;
	asked.is_all = is_all;
	asked.summary.parts_free = parts_free;
	loaded_init(&loaded, source);
	report_run_init(&run, &loaded, &asked);
	loaded.history_bytes = history_bytes;
	report_run_ask(&run, summary);
	report_run_read(&run);
	return run.view[0].own;
}

static void run_end(void)
{
	report_run_release(&run);
	source = source_close(source);
}

static nsec_t tree_total(const struct chain_tree *tree)
{
	nsec_t total = 0;

	for (size_t i = 0; i < tree->count; i++)
		total += tree->node[i].total;
	return total;
}

/* Shares of the path: by state, and of waits by what they were for. */
struct shares {
	nsec_t total, by_state[PART_STATE_COUNT], by_kind[CAUSE_KIND_COUNT];
};

static struct shares shares_of(const struct chain_tree *tree)
{
	struct shares shares = {0};

	for (size_t i = 1; i < tree->count; i++) {
		const struct chain_node *node = &tree->node[i];

		shares.total += node->total;
		shares.by_state[node->state] += node->total;
		if (node->state == PART_WAITING && node->cause.note)
			shares.by_kind[node->cause.note->kind] += node->total;
	}
	return shares;
}

/* Of the asked programs: what they waited but for having nothing to do. */
static nsec_t waiting_of(const struct summary *summary)
{
	nsec_t waiting = 0;

	for (uint32_t track = 0; track < summary->count; track++)
		if (run.resolved.is_asked[track] && explanation_walks(summary->explanation, track))
			waiting += summary->by_track[track].waiting -
			           summary->by_track[track].for_work;
	return waiting;
}

static const size_t sizes[] = {0, 256, 1000, 5000, 40000};

/* However much of the history is there: nothing of the time is lost, or told twice. */
START_TEST(all_the_time_is_reported)
{
	size_t bytes = sizes[(size_t)_i / 2];
	const struct summary *summary = summary_of("fixtures/demo.dat", bytes, _i % 2);
	const struct explanation *explanation = summary->explanation;
	nsec_t path;

	ck_assert_int_eq(explanation->has_programs, true);
	ck_assert_uint_gt(waiting_of(summary), 0);
	ck_assert_int_eq(explanation->path_track != TRACK_NONE, _i % 2 == 0);
	if (explanation->path_track == TRACK_NONE) {
		ck_assert_uint_eq(tree_total(&explanation->waits), waiting_of(summary));
		return;
	}
	/* along the path that is told, too, and nobody asks for more */
	ck_assert_uint_eq(tree_total(&explanation->waits), 0);
	path = tree_total(&explanation->path) + explanation->path_for_work +
	       explanation->path_asleep;
	ck_assert_uint_eq(path, explanation->path_until - explanation->path_begin);
	ck_assert_uint_eq(explanation->path_until,
	                  run.timeline.track[explanation->path_track].end);
	ck_assert_uint_eq(path, summary->by_track[explanation->path_track].time);
}
END_TEST

/* In percent of the path, as the first sentence has it: the same to half of one. */
static void check_share(nsec_t time, nsec_t total, nsec_t wanted, nsec_t wanted_total)
{
	double share = 100 * nsec_ratio(time, total);

	ck_assert_double_eq_tol(share, 100 * nsec_ratio(wanted, wanted_total), 0.5);
}

/* The command waits for a pipeline for longer than any but the whole history: the same is said of
   it, and what is forgotten all the same is told as unknown. */
START_TEST(less_history_explains_as_much)
{
	static const size_t room[] = {0, 100000, 1000, 256};
	struct shares all = {0};

	for (size_t i = 0; i < ARRAY_SIZE(room); i++) {
		const struct explanation *explanation =
			summary_of("fixtures/demo.dat", room[i], false)->explanation;
		struct shares shares = shares_of(&explanation->path);

		/* and why it is not known */
		ck_assert_uint_eq(explanation->path_sums.forgotten,
		                  shares.by_state[PART_CUT]);
		ck_assert_int_eq(run.timeline.causes_gone > 0, i > 0);
		if (i == 0)
			all = shares;
		for (size_t state = 0; state < PART_STATE_COUNT; state++)
			check_share(shares.by_state[state], shares.total, all.by_state[state],
			            all.total);
		for (size_t kind = 0; kind < CAUSE_KIND_COUNT; kind++)
			check_share(shares.by_kind[kind], shares.total, all.by_kind[kind],
			            all.total);
		run_end();
	}
	ck_assert_uint_eq(all.by_state[PART_UNKNOWN] + all.by_state[PART_CUT], 0);
	(void)summary_of("fixtures/demo.dat", 0, false);
}
END_TEST

/* Each is looked at when its wait has ended: what is forgotten later was told, nothing twice. */
START_TEST(inversions_are_found_when_they_end)
{
	static const size_t room[] = {0, 16000, 1000};
	nsec_t inverted[3] = {0};

	for (size_t i = 0; i < 3; i++) {
		const struct inversions *inversions =
			&summary_of("fixtures/tutorial_disk.dat", room[i], false)
				 ->explanation->inversions;

		for (size_t at = 0; at < inversions->rows.count; at++)
			inverted[i] += ((const struct inversion *)tally_at(
						&inversions->rows, at))
					       ->inverted;
		ck_assert_int_eq(run.timeline.causes_gone > 0, i > 0);
		run_end();
	}
	ck_assert_uint_eq(inverted[0], 3978887);
	ck_assert_uint_eq(inverted[1], inverted[0]);
	ck_assert_uint_le(inverted[2], inverted[0]);
	(void)summary_of("fixtures/demo.dat", 0, false);
}
END_TEST

/* Where some waits stand for others, all time is still there, however much history is kept. */
START_TEST(sampled_waits_are_all_of_the_time)
{
	const struct summary *summary;

	parts_free = 100;
	summary = summary_of("fixtures/demo.dat", sizes[_i], true);
	parts_free = 0;
	if (sizes[_i] == 0) /* with little history few waits are known at once */
		ck_assert_uint_gt(summary->explanation->waits.sample.spared, 0);
	ck_assert_uint_eq(tree_total(&summary->explanation->waits), waiting_of(summary));
}
END_TEST

Suite *explanation_suite(void)
{
	Suite *suite = suite_create("explanation");
	TCase *tests = tcase_create("explanation");

	tcase_add_checked_fixture(tests, NULL, run_end);
	tcase_add_loop_test(tests, all_the_time_is_reported, 0, 2 * (int)ARRAY_SIZE(sizes));
	tcase_add_test(tests, less_history_explains_as_much);
	tcase_add_test(tests, inversions_are_found_when_they_end);
	tcase_add_loop_test(tests, sampled_waits_are_all_of_the_time, 0, (int)ARRAY_SIZE(sizes));
	suite_add_tcase(suite, tests);
	return suite;
}
