/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/data/array.h"
#include "graph/walk/chain_tree.h"
#include "suites.h"

#define BASES     20
#define NODES_OWN 8

static struct timeline timeline;
static uint64_t seed;

static void tree_setup(void)
{
	timeline_init(&timeline, /* keep_segments= */ true);
	seed = ((uint64_t)time(NULL) ^ (uint64_t)clock() << 32) | 1;
}

static void tree_teardown(void)
{
	timeline_release(&timeline);
}

static uint64_t random_next(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed * UINT64_C(0x2545f4914f6cdd1d);
}

static uint32_t node_put(struct chain_tree *tree, const struct chain_node *node)
{
	struct chain_node *put = tally_add(&tree->nodes);

	*put = *node;
	return tally_number(&tree->nodes, put);
}

/* A base with some nodes of its samples; of what is added up. */
static void base_put_random(struct chain_tree *tree)
{
	uint32_t base = node_put(tree, &(struct chain_node){
		.total = random_next() >> (2 + random_next() % 60),
		.count = 1 + random_next() % 9,
		.max = random_next() >> 3,
		.max_at = 77,
		.state = PART_RUNNING,
	});
	size_t count = random_next() % NODES_OWN;

	for (size_t i = 0; i < count; i++) {
		uint32_t samples = 1 + (uint32_t)(random_next() % 1000 >> random_next() % 10);

		(void)node_put(tree, &(struct chain_node){
			.base = base, .samples = samples, .state = PART_RUNNING});
		tree->node[base].samples += samples;
	}
}

/* Whatever the numbers are nothing is lost or made, and each has its share but for rounding. */
START_TEST(divided_time_is_all_of_it)
{
	uint64_t begin = seed;
	nsec_t before[BASES * NODES_OWN + 1], after[BASES * NODES_OWN + 1];
	uint32_t samples[BASES * NODES_OWN + 1];
	struct chain_tree tree;

	chain_tree_init(&tree, &timeline, 1000);
	for (size_t i = 0; i < BASES; i++)
		base_put_random(&tree);
	for (size_t i = 1; i < tree.count; i++) {
		before[i] = tree.node[i].total;
		samples[i] = tree.node[i].samples;
		after[i] = 0;
	}
	chain_tree_divide(&tree);
	for (size_t i = 1; i < tree.count; i++) {
		const struct chain_node *node = &tree.node[i];
		uint32_t base = node->base ? node->base : (uint32_t)i;

		after[base] += node->total;
		if (node->base == 0)
			continue;
		ck_assert_msg(node->max <= node->total, "seed %llu", (unsigned long long)begin);
		ck_assert_msg(node->total + NODES_OWN >=
		                      nsec_share(before[base], samples[i], samples[base]) &&
		              node->total <= nsec_share(before[base], samples[i],
		                                        samples[base]) + NODES_OWN,
		              "seed %llu: %llu", (unsigned long long)begin,
		              (unsigned long long)node->total);
	}
	for (size_t i = 1; i < tree.count; i++) {
		if (tree.node[i].base)
			continue;
		ck_assert_msg(after[i] == before[i], "seed %llu", (unsigned long long)begin);
		ck_assert_msg(samples[i] == 0 || tree.node[i].total == 0, "seed %llu",
		              (unsigned long long)begin);
		ck_assert_msg(samples[i] == 0 || tree.node[i].count == 0, "seed %llu",
		              (unsigned long long)begin);
	}
	chain_tree_release(&tree);
}
END_TEST

static uint32_t track_put(const char *name)
{
	uint32_t track = timeline_add_track(&timeline, (int32_t)timeline.track_count + 1);

	timeline_add_name(&timeline, track, 0, name, strlen(name));
	return track;
}

static void run_put(uint32_t track, nsec_t begin, nsec_t end)
{
	timeline_add_span(&timeline, &(struct span){
		.track = track, .begin = begin, .end = end, .kind = SEGMENT_RUN});
}

static void sample_put(uint32_t track, nsec_t time, const char *frames)
{
	struct run_sample *sample = timeline_add_sample(&timeline, track, time);

	ck_assert_ptr_nonnull(sample);
	sample->frames = intern_add(&timeline.names, frames, strlen(frames));
}

static nsec_t tree_total(const struct chain_tree *tree)
{
	nsec_t total = 0;

	for (size_t i = 0; i < tree->count; i++)
		total += tree->node[i].total;
	return total;
}

/* A waits for B, which runs, then itself runs; the last track of each wait is B's. */
static uint32_t story_put(const char *name, const char *frames)
{
	uint32_t waiter = track_put(name), waker = track_put("waker");
	struct cause_note cause;

	cause_note_init(&cause, CAUSE_TASK, CONFIDENCE_HIGH);
	cause.waker = waker;
	cause.is_walked = true;
	timeline_add_span(&timeline, &(struct span){.track = waiter, .end = 100,
	                                            .kind = SEGMENT_WAIT, .detail = 'S',
	                                            .cause = &cause});
	run_put(waiter, 100, 200);
	run_put(waker, 0, 200);
	sample_put(waker, 10, frames);
	sample_put(waker, 20, frames);
	sample_put(waiter, 110, frames);
	return waiter;
}

START_TEST(samples_divide_what_ran)
{
	uint32_t waiter = story_put("waiter", "work");
	struct chain_tree tree;

	sample_put(waiter, 130, "other");
	sample_put(waiter, 140, "other");
	sample_put(waiter, 150, "other");
	chain_tree_init(&tree, &timeline, 100);
	tree.has_stacks = true;
	chain_tree_add(&tree, waiter, 0, 200);
	ck_assert_uint_eq(tree_total(&tree), 200);
	chain_tree_divide(&tree);
	ck_assert_uint_eq(tree_total(&tree), 200);
	for (size_t i = 1; i < tree.count; i++) {
		const char *frames = intern_text(&timeline.names, tree.node[i].stacks.frames);

		if (strcmp(frames, "other") == 0)
			ck_assert_uint_eq(tree.node[i].total, 75);
		else if (tree.node[i].stacks.frames)
			ck_assert_uint_eq(tree.node[i].total,
			                  tree.node[i].parent == CHAIN_ROOT ? 25 : 100);
		else
			ck_assert_uint_eq(tree.node[i].total, 0);
	}
	chain_tree_release(&tree);
}
END_TEST

/* One waits once and long, the other of that name often and shortly. */
START_TEST(whose_a_link_is_goes_by_time)
{
	uint32_t often = track_put("git"), once = track_put("git"), pack = track_put("pack");
	struct cause_note cause;
	struct chain_tree tree;
	struct voter voter;

	cause_note_init(&cause, CAUSE_TASK, CONFIDENCE_HIGH);
	cause.waker = pack;
	cause.is_walked = true;
	run_put(pack, 0, 1000);
	timeline_add_span(&timeline, &(struct span){.track = once, .end = 900, .kind = SEGMENT_WAIT,
	                                            .detail = 'S', .cause = &cause});
	run_put(once, 900, 1000);
	for (nsec_t time = 0; time < 1000; time += 100) {
		timeline_add_span(&timeline, &(struct span){.track = often, .begin = time,
		                                            .end = time + 10,
		                                            .kind = SEGMENT_WAIT, .detail = 'S',
		                                            .cause = &cause});
		run_put(often, time + 10, time + 100);
	}
	chain_tree_init(&tree, &timeline, 100);
	chain_tree_add(&tree, once, 0, 900);
	for (nsec_t time = 0; time < 1000; time += 100)
		chain_tree_add(&tree, often, time, time + 10);
	ck_assert_uint_eq(tree.count, 3);
	voter = chain_node_voter(&tree.node[1]);
	ck_assert_uint_eq(voter.all, 1000);
	ck_assert_uint_eq(voter.own, 900);
	ck_assert_uint_eq(voter_task(&voter), once);
	chain_tree_release(&tree);
}
END_TEST

/* Time by what the last link is. */
static nsec_t total_of_ends(const struct chain_tree *tree, const char *comm, enum part_state state)
{
	nsec_t total = 0;

	for (size_t i = 1; i < tree->count; i++) {
		const struct chain_node *node = &tree->node[i];

		if (node->state == (uint8_t)state &&
		    strcmp(intern_text(&timeline.names, node->comm), comm) == 0)
			total += node->total;
	}
	return total;
}

static void wait_put(uint32_t track, nsec_t begin, nsec_t end, uint32_t waker)
{
	struct cause_note cause;

	cause_note_init(&cause, CAUSE_TASK, CONFIDENCE_HIGH);
	cause.waker = waker;
	cause.is_walked = true;
	timeline_add_span(&timeline, &(struct span){.track = track, .begin = begin, .end = end,
	                                            .kind = SEGMENT_WAIT, .detail = 'S',
	                                            .cause = &cause});
}

/* A queue of tasks that wait one for the next: however few nodes there is room for, what the last
   one does is known, only not who is between. */
START_TEST(full_trees_know_how_chains_end)
{
	uint32_t track[8];

	for (uint32_t i = 0; i < 8; i++) {
		char name[8];

		(void)snprintf(name, sizeof(name), "t%u", i);
		track[i] = track_put(name);
		if (i == 0) {
			run_put(track[0], 0, 100);
			continue;
		}
		wait_put(track[i], 0, 100 + 10 * (nsec_t)i, track[i - 1]);
		run_put(track[i], 100 + 10 * (nsec_t)i, 200);
	}
	run_put(track[0], 100, 200);
	for (size_t most = 1; most < 20; most++) {
		struct chain_tree tree;

		chain_tree_init(&tree, &timeline, most);
		for (uint32_t i = 1; i < 8; i++)
			chain_tree_add(&tree, track[i], 0, 100 + 10 * (nsec_t)i);
		/* of seven waits: 110 ns each while the first one ran */
		ck_assert_uint_eq(total_of_ends(&tree, "t0", PART_RUNNING), 7 * 110);
		ck_assert_uint_eq(total_of_ends(&tree, "t1", PART_RUNNING), 6 * 10);
		ck_assert_uint_eq(total_of_ends(&tree, "t6", PART_RUNNING), 10);
		ck_assert_uint_eq(tree.node[CHAIN_ROOT].total, 0);
		chain_tree_release(&tree);
	}
}
END_TEST

/* Where there is no room for more nodes, the time stays what it is. */
START_TEST(full_trees_keep_the_time)
{
	uint32_t stories[] = {story_put("one", "work"), story_put("one", "other"),
	                      story_put("two", "work"), story_put("waker", "work")};

	for (size_t most = 1; most < 20; most++) {
		struct chain_tree tree;

		chain_tree_init(&tree, &timeline, most);
		tree.has_stacks = true;
		for (size_t round = 0; round < 3; round++)
			for (size_t i = 0; i < ARRAY_SIZE(stories); i++)
				chain_tree_add(&tree, stories[i], 0, 200);
		ck_assert_uint_eq(tree_total(&tree), 2400);
		chain_tree_divide(&tree);
		ck_assert_uint_eq(tree_total(&tree), 2400);
		for (size_t i = 0; i < tree.count; i++)
			ck_assert_uint_le(tree.node[i].total, 2400);
		chain_tree_release(&tree);
	}
}
END_TEST

Suite *chain_tree_suite(void)
{
	Suite *suite = suite_create("chain_tree");
	TCase *tests = tcase_create("chain_tree");

	tcase_add_checked_fixture(tests, tree_setup, tree_teardown);
	tcase_add_loop_test(tests, divided_time_is_all_of_it, 0, 50);
	tcase_add_test(tests, samples_divide_what_ran);
	tcase_add_test(tests, full_trees_keep_the_time);
	tcase_add_test(tests, full_trees_know_how_chains_end);
	tcase_add_test(tests, whose_a_link_is_goes_by_time);
	suite_add_tcase(suite, tests);
	return suite;
}
