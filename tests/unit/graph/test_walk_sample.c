/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Waits that stand for others: of tasks that wake each other at random, as deep as chains become in
 * practice. Sums are those of a walk of every wait; what is an estimate is near.
 */
#include "graph/walk/walk_sample.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/data/array.h"
#include "graph/walk/chain_tree.h"
#include "graph/walk/wait_graph.h"
#include "suites.h"

#define TASKS   40
#define NAMES   4
#define WAKINGS 20000
#define STEP    10

static struct timeline timeline;
static unsigned seed;

static void seed_choose(void)
{
	seed = (unsigned)time(NULL) ^ (unsigned)getpid();
	if (getenv("SAMPLE_SEED"))
		seed = (unsigned)strtoul(getenv("SAMPLE_SEED"), NULL, 0);
	printf("seed of walk_sample: SAMPLE_SEED=%u\n", seed);
	(void)fflush(stdout);
}

static unsigned below(unsigned limit)
{
	return (unsigned)rand_r(&seed) % limit;
}

static void span_add(uint32_t track, enum segment_kind kind, nsec_t end,
                     const struct cause_note *cause)
{
	timeline_add_span(&timeline, &(struct span){
					     .track = track,
					     .begin = timeline.track[track].end,
					     .end = end,
					     .kind = kind,
					     .cause = cause,
				     });
}

/* One task runs at a time. It wakes another one at random, or a disk does, and that runs next. */
static void timeline_make(void)
{
	uint32_t runs = 0;
	nsec_t now = STEP;

	timeline_init(&timeline, /* keep_segments= */ true);
	for (uint32_t track = 0; track < TASKS; track++) {
		char name[8];
		int length = snprintf(name, sizeof(name), "t%u", track % NAMES);

		(void)timeline_add_track(&timeline, (int32_t)track + 100);
		timeline_add_name(&timeline, track, 0, name, (size_t)length);
		span_add(track, SEGMENT_RUN, 1, NULL);
	}
	for (unsigned i = 0; i < WAKINGS; i++, now += 1 + below(2 * STEP)) {
		bool is_by_disk = below(8) == 0;
		uint32_t woken = below(TASKS);
		struct cause_note cause;

		if (woken == runs)
			continue;
		cause_note_init(&cause, is_by_disk ? CAUSE_DISK : CAUSE_TASK, CONFIDENCE_HIGH);
		if (!is_by_disk) {
			cause.waker = runs;
			cause.is_walked = true;
		}
		span_add(woken, SEGMENT_WAIT, now, &cause);
		now += 1 + below(STEP);
		span_add(woken, SEGMENT_RUNNABLE, now, NULL);
		span_add(runs, SEGMENT_RUN, now, NULL);
		runs = woken;
	}
	timeline.end = now;
	for (uint32_t track = 0; track < TASKS; track++)
		span_add(track, SEGMENT_RUN, now, NULL);
}

static void each_wait(void (*add)(void *state, uint32_t track, nsec_t begin, nsec_t end,
                                  const struct cause_note *cause),
                      void *state)
{
	for (uint32_t index = 0; index < TASKS; index++) {
		const struct track *track = &timeline.track[index];

		for (size_t at = 0; at < track->segment_count; at++) {
			nsec_t begin = track->segment[at].begin;
			nsec_t end = timeline_segment_end(track, at);

			if (track->segment[at].kind == SEGMENT_WAIT && begin < end)
				add(state, index, begin, end,
				    timeline_cause_at(&timeline, track->segment[at].cause));
		}
	}
}

static void chain_add(void *state, uint32_t track, nsec_t begin, nsec_t end,
                      const struct cause_note *cause)
{
	(void)cause;
	chain_tree_add(state, track, begin, end);
}

static void chain_add_wait(void *state, uint32_t track, nsec_t begin, nsec_t end,
                           const struct cause_note *cause)
{
	chain_tree_add_wait(state, track, begin, end, cause);
}

static void graph_add(void *state, uint32_t track, nsec_t begin, nsec_t end,
                      const struct cause_note *cause)
{
	wait_graph_add(state, track, begin, end, cause);
}

struct sums {
	nsec_t of_name[NAMES]; /* by who waited */
	nsec_t of_many;
	nsec_t of_state[PART_STATE_COUNT]; /* by the end of the chain */
	nsec_t of_disk_alone;
	uint64_t count; /* of all nodes */
};

static struct sums sums_of(const struct chain_tree *tree)
{
	struct sums sums = {0};

	for (size_t i = 1; i < tree->count; i++) {
		const struct chain_node *node = &tree->node[i], *waiter = node;

		while (waiter->parent != CHAIN_ROOT)
			waiter = &tree->node[waiter->parent];
		if (waiter->comm == tree->many_name)
			sums.of_many += node->total;
		else
			sums.of_name[intern_text(&timeline.names, waiter->comm)[1] - '0'] +=
				node->total;
		sums.of_state[node->state] += node->total;
		sums.count += node->count;
		if (waiter == node)
			sums.of_disk_alone += node->total;
	}
	return sums;
}

static void assert_near(uint64_t estimate, uint64_t exact)
{
	uint64_t apart = estimate > exact ? estimate - exact : exact - estimate;

	ck_assert_msg(apart <= exact / 5, "%ju is not near %ju", (uintmax_t)estimate,
	              (uintmax_t)exact);
}

/* The totals of those who waited are exact, and so is what is no chain. */
START_TEST(sums_of_chains_stay)
{
	struct chain_tree all, some;
	struct sums exact, sums;

	seed_choose();
	timeline_make();
	chain_tree_init(&all, &timeline, CHAIN_NODES_MAX);
	chain_tree_init(&some, &timeline, CHAIN_NODES_MAX);
	some.sample.parts_free = 1000;
	each_wait(chain_add, &all);
	each_wait(chain_add_wait, &some);
	chain_tree_add_rest(&some);
	exact = sums_of(&all);
	sums = sums_of(&some);
	ck_assert_uint_gt(some.sample.spared, some.sample.waits / 2);
	ck_assert_uint_lt(walk_parts_count(some.parts_by_confidence),
	                  walk_parts_count(all.parts_by_confidence) / 2);
	ck_assert_uint_eq(sums.of_many, 0);
	for (unsigned i = 0; i < NAMES; i++)
		ck_assert_uint_eq(sums.of_name[i], exact.of_name[i]);
	ck_assert_uint_eq(sums.of_disk_alone, exact.of_disk_alone);
	assert_near(sums.of_state[PART_RUNNING], exact.of_state[PART_RUNNING]);
	assert_near(sums.of_state[PART_RUNNABLE], exact.of_state[PART_RUNNABLE]);
	assert_near(sums.count, exact.count);
	chain_tree_release(&all);
	chain_tree_release(&some);
	timeline_release(&timeline);
}
END_TEST

/* Whether health has a note of the tree with these words. */
static bool is_noted(const struct chain_tree *tree, const char *words)
{
	struct health health = {0};
	bool is_found = false;

	chain_tree_note(tree, &health);
	for (size_t i = 0; i < health.note_count; i++)
		is_found |= strstr(health.notes[i], words) != NULL;
	health_release(&health);
	return is_found;
}

/* Whether waits of more names are kept back than are walked at the end: nearly always. */
static bool has_rest_of_many(const struct walk_sample *sample)
{
	size_t names = 0;

	for (size_t i = 0; i < sample->count; i++)
		names += sample->kept[i].waits > 0;
	return names > sample->names_max;
}

/* Of more names than there is time for, one wait stands for those of several: no name gets what is
   another's, and together they have all of the time. */
START_TEST(one_stands_for_several_names)
{
	struct chain_tree all, some;
	struct sums exact, sums;
	nsec_t missing = 0;
	uint64_t parts;
	bool is_of_many;

	seed_choose();
	timeline_make();
	chain_tree_init(&all, &timeline, CHAIN_NODES_MAX);
	chain_tree_init(&some, &timeline, CHAIN_NODES_MAX);
	some.sample.parts_free = 1000;
	some.sample.names_max = 1;
	each_wait(chain_add, &all);
	each_wait(chain_add_wait, &some);
	parts = walk_parts_count(some.parts_by_confidence);
	ck_assert(!is_noted(&some, "of any name"));
	is_of_many = has_rest_of_many(&some.sample);
	chain_tree_add_rest(&some);
	ck_assert_uint_gt(walk_parts_count(some.parts_by_confidence), parts);
	exact = sums_of(&all);
	sums = sums_of(&some);
	for (unsigned i = 0; i < NAMES; i++) {
		ck_assert_uint_le(sums.of_name[i], exact.of_name[i]);
		missing += exact.of_name[i] - sums.of_name[i];
	}
	ck_assert_int_eq(sums.of_many > 0, is_of_many);
	ck_assert_uint_eq(sums.of_many, missing);
	ck_assert_uint_eq(sums.of_disk_alone, exact.of_disk_alone);
	ck_assert_int_eq(is_noted(&some, "of any name"), is_of_many);
	ck_assert(!is_noted(&some, "different chains"));
	chain_tree_release(&all);
	chain_tree_release(&some);
	timeline_release(&timeline);
}
END_TEST

/* As long as there is time for it, nothing differs. */
START_TEST(few_parts_are_all_walked)
{
	struct chain_tree all, some;

	seed_choose();
	timeline_make();
	chain_tree_init(&all, &timeline, CHAIN_NODES_MAX);
	chain_tree_init(&some, &timeline, CHAIN_NODES_MAX);
	some.sample.parts_free = UINT32_MAX;
	each_wait(chain_add, &all);
	each_wait(chain_add_wait, &some);
	chain_tree_add_rest(&some);
	ck_assert_uint_eq(some.sample.spared, 0);
	ck_assert_uint_eq(some.count, all.count);
	for (size_t i = 0; i < all.count; i++) {
		ck_assert_uint_eq(some.node[i].total, all.node[i].total);
		ck_assert_uint_eq(some.node[i].count, all.node[i].count);
		ck_assert_uint_eq(some.node[i].max_at, all.node[i].max_at);
	}
	chain_tree_release(&all);
	chain_tree_release(&some);
	timeline_release(&timeline);
}
END_TEST

/*
 * How far the estimates of the edges of a graph are off. Measured over 30 seeds: by 5 % in the root
 * mean square, the least edges now and then by a quarter; so each is judged by a half, and all of a
 * graph by a tenth.
 */
struct errors {
	double squares;
	unsigned count;
};

static void errors_take(struct errors *errors, uint64_t estimate, uint64_t exact)
{
	double error = ((double)estimate - (double)exact) / (double)exact;

	ck_assert_msg(error <= 0.5 && error >= -0.5, "%ju is not near %ju", (uintmax_t)estimate,
	              (uintmax_t)exact);
	errors->squares += error * error;
	errors->count++;
}

/* What waits were directly for is exact, and in the end all of the time is there, also if a wait
   stands for those of other names. */
START_TEST(sums_of_graphs_stay)
{
	struct wait_graph all, some;
	struct errors errors = {0};
	nsec_t path = 0, of_many = 0;
	uint64_t count = 0, exact_count = 0;
	bool is_of_many;

	seed_choose();
	timeline_make();
	wait_graph_init(&all, &timeline);
	wait_graph_init(&some, &timeline);
	some.sample.parts_free = 1000;
	some.sample.names_max = _i ? 1 : NAMES;
	all.sample.parts_free = UINT32_MAX;
	each_wait(graph_add, &all);
	wait_graph_add_rest(&all);
	each_wait(graph_add, &some);
	is_of_many = has_rest_of_many(&some.sample);
	ck_assert(!is_of_many || _i > 0);
	wait_graph_add_rest(&some);
	ck_assert_uint_eq(all.sample.spared, 0);
	ck_assert_uint_gt(some.sample.spared, some.sample.waits / 2);
	for (size_t i = 0; i < all.edge_count; i++) {
		const struct wait_edge *exact = &all.edge[i];
		const struct wait_edge *edge = wait_graph_edge(
			&some, wait_graph_node(&some, &all.node[exact->from].key),
			wait_graph_node(&some, &all.node[exact->to].key),
			(enum cause_kind)exact->kind);

		ck_assert_uint_eq(edge->raw, exact->raw);
		exact_count += exact->sum.count;
		if (_i > 0)
			continue;
		errors_take(&errors, edge->sum.count, exact->sum.count);
		errors_take(&errors, edge->sum.path, exact->sum.path);
	}
	ck_assert_double_le(errors.squares, errors.count / 100.0);
	for (size_t i = 0; i < some.edge_count; i++) {
		path += some.edge[i].sum.path;
		count += some.edge[i].sum.count;
		if (some.edge[i].raw == 0)
			of_many += some.edge[i].sum.path;
	}
	ck_assert_int_eq(of_many > 0, is_of_many);
	ck_assert(some.edge_count == all.edge_count || _i > 0);
	ck_assert_int_eq(some.sample.spared_of_many > 0, is_of_many);
	ck_assert_uint_eq(path, some.total);
	wait_graph_release(&all);
	wait_graph_release(&some);
	timeline_release(&timeline);
}
END_TEST

/* However long the parts: together they are what the walk stands for. */
START_TEST(scaled_parts_are_all_of_it)
{
	static const nsec_t times[] = {1, 7, 1000, 999999999937u, (nsec_t)1 << 61};

	seed_choose();
	for (size_t of = 0; of < ARRAY_SIZE(times); of++) {
		for (size_t for_time = of; for_time < ARRAY_SIZE(times); for_time++) {
			struct walk_scale scale = {.whole = times[of], .time = times[for_time]};
			nsec_t left = scale.whole, sum = 0;

			while (left) {
				nsec_t part = below(3) ? 1 + left / (2 + below(9)) : left;

				sum += walk_scale_next(&scale, part);
				left -= part;
				ck_assert_uint_le(sum, scale.time);
			}
			ck_assert_uint_eq(sum, scale.time);
		}
	}
}
END_TEST

Suite *walk_sample_suite(void)
{
	Suite *suite = suite_create("walk_sample");
	TCase *tests = tcase_create("walk_sample");

	tcase_add_test(tests, sums_of_chains_stay);
	tcase_add_test(tests, one_stands_for_several_names);
	tcase_add_test(tests, few_parts_are_all_walked);
	tcase_add_loop_test(tests, sums_of_graphs_stay, 0, 2);
	tcase_add_test(tests, scaled_parts_are_all_of_it);
	suite_add_tcase(suite, tests);
	return suite;
}
