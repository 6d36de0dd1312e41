/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Walks that step over blocks tell the same as walks that do not: of timelines at random, with long
 * waits for tasks that did much meanwhile, which wait for one another.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "graph/walk/chain_tree.h"
#include "graph/walk/wait_graph.h"
#include "suites.h"

#define TRACKS      90
#define BUSY        4 /* of the tracks: these do much, the others wait long */
#define RUNS        12
#define SEGMENTS    9000 /* of the first track: more than two blocks of the second level */
#define LENGTH_MOST 6

static struct timeline timeline;
static unsigned seed;

static unsigned below(unsigned limit)
{
	return (unsigned)rand_r(&seed) % limit;
}

static void seed_choose(void)
{
	seed = (unsigned)time(NULL) ^ (unsigned)getpid();
	if (getenv("BLOCKS_SEED"))
		seed = (unsigned)strtoul(getenv("BLOCKS_SEED"), NULL, 0);
	printf("seed of walk_blocks: BLOCKS_SEED=%u\n", seed);
	(void)fflush(stdout);
}

static struct cause_note cause_make(nsec_t begin, nsec_t end)
{
	static const enum cause_kind kinds[] = {CAUSE_TASK, CAUSE_TASK, CAUSE_DISK, CAUSE_TIMER,
	                                        CAUSE_WORK, CAUSE_LOCK};
	struct cause_note note;

	cause_note_init(&note, kinds[below(6)], (enum confidence)below(3));
	note.waker = below(TRACKS);
	if (note.kind == CAUSE_WORK && below(2)) {
		note.waker = below(BUSY);
		note.originator = below(TRACKS);
	}
	note.is_walked = note.kind == CAUSE_TASK || note.kind == CAUSE_WORK;
	if (note.kind == CAUSE_WORK && end > begin)
		note.as.work.begun = begin + below((unsigned)(end - begin));
	if (below(3) == 0) {
		note.originator = below(TRACKS);
		note.origin = begin + below((unsigned)(end - begin) + 1);
	}
	if (note.kind == CAUSE_DISK)
		note.as.disk.dev = 1 + below(2);
	return note;
}

static nsec_t segment_add(uint32_t track, nsec_t begin, nsec_t end)
{
	static const enum segment_kind kinds[] = {SEGMENT_RUN, SEGMENT_RUN, SEGMENT_RUNNABLE,
	                                          SEGMENT_RUNNABLE, SEGMENT_WAIT, SEGMENT_STOPPED,
	                                          SEGMENT_UNKNOWN};
	struct span span = {.track = track, .begin = begin, .end = end, .kind = kinds[below(7)]};
	struct sleep_place place = {.frames = 1 + below(2), .waker = below(2)};
	struct cause_note cause;

	if (begin == end)
		span.kind = SEGMENT_WAIT;
	if (span.kind == SEGMENT_RUNNABLE)
		span.detail = (uint8_t)below(4);
	if (span.kind == SEGMENT_WAIT || span.kind == SEGMENT_STOPPED) {
		cause = cause_make(begin, end);
		span.cause = &cause;
		span.place = below(2) ? &place : NULL;
	}
	timeline_add_span(&timeline, &span);
	if (span.kind == SEGMENT_RUN && below(4) == 0) {
		struct run_sample *sample = timeline_add_sample(&timeline, track, begin);

		if (sample)
			sample->frames = 1 + below(3);
	}
	return end;
}

/* A cause of a long wait that leads to a track before this one. */
static struct cause_note long_cause_make(uint32_t track, nsec_t begin, nsec_t end)
{
	static const enum cause_kind kinds[] = {CAUSE_TASK, CAUSE_TASK, CAUSE_DISK, CAUSE_WORK};
	uint32_t other = below(3) ? track - 1 : below(BUSY);
	struct cause_note reason, note;

	cause_note_init(&note, kinds[below(4)], CONFIDENCE_HIGH);
	note.waker = note.originator = other;
	note.is_walked = note.kind != CAUSE_DISK;
	if (note.kind == CAUSE_TASK || end - begin < 3)
		return note;
	note.origin = begin + 1 + below((unsigned)(end - begin) / 2 + 1);
	if (note.kind == CAUSE_WORK) {
		note.as.work.begun = note.origin + below((unsigned)(end - note.origin));
		if (below(2)) {
			reason = cause_make(begin, end);
			note.as.work.reason = timeline_note_cause(&timeline, &reason) + 1;
		}
	}
	return note;
}

/* Most wait long, one for the other, and for those that do much. */
static nsec_t wait_add(uint32_t track, nsec_t begin, nsec_t end)
{
	struct cause_note cause = long_cause_make(track, begin, end);

	timeline_add_span(&timeline, &(struct span){.track = track,
	                                            .begin = begin,
	                                            .end = end,
	                                            .kind = SEGMENT_WAIT,
	                                            .cause = &cause});
	return end;
}

/* Nearly all of the time it waits for the track before: more deep than walks may be. */
static void deep_add(uint32_t track, nsec_t last)
{
	nsec_t t = segment_add(track, 0, 1 + below(20));
	struct cause_note cause;

	cause_note_init(&cause, CAUSE_TASK, CONFIDENCE_HIGH);
	cause.waker = track - 1;
	cause.is_walked = true;
	timeline_add_span(&timeline, &(struct span){.track = track,
	                                            .begin = t,
	                                            .end = last - (nsec_t)2 * (TRACKS - track),
	                                            .kind = SEGMENT_WAIT,
	                                            .cause = &cause});
	(void)segment_add(track, timeline.track[track].end, last);
}

static void timeline_make(void)
{
	bool is_deep = below(3) == 0;
	nsec_t last = 0;

	timeline_init(&timeline, /* keep_segments= */ true);
	for (uint32_t track = 0; track < TRACKS; track++) {
		char name[8];
		nsec_t t = below(3);
		int length = snprintf(name, sizeof(name), "t%u", track / 2);

		(void)timeline_add_track(&timeline, (int32_t)track + 100);
		timeline_add_name(&timeline, track, 0, name, (size_t)length);
		if (track == 0) {
			for (unsigned i = 0; i < SEGMENTS; i++)
				t = segment_add(track, t, t + below(LENGTH_MOST));
			last = t;
		} else if (track < BUSY) {
			while (t < last)
				t = segment_add(track, t, t + below(LENGTH_MOST * track * track));
		} else if (is_deep) {
			deep_add(track, last);
		} else {
			while (t < last) {
				t = segment_add(track, t, t + below(20));
				t = wait_add(track, t, t + below((unsigned)last));
				if (below(8) == 0) /* two of them next to each other */
					t = wait_add(track, t, t + 1 + below((unsigned)last));
			}
		}
	}
	timeline.begin = 0;
	for (uint32_t track = 0; track < TRACKS; track++)
		timeline.end = nsec_max(timeline.end, timeline.track[track].end);
}

/* Each wait of each track, and two stretches that hold many. */
static void each_wait(void (*add)(void *state, uint32_t track, nsec_t begin, nsec_t end,
                                  const struct cause_note *cause),
                      void *state)
{
	for (uint32_t index = 0; index < TRACKS; index++) {
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

static void ignore_part(void *state, const struct part *part)
{
	(void)state;
	(void)part;
}

static void chain_add_all(struct chain_tree *tree)
{
	each_wait(chain_add, tree);
	for (uint32_t track = 0; track < TRACKS; track++)
		chain_tree_add(tree, track, 3, timeline.end);
}

static void assert_same_parts(const uint64_t *a, const uint64_t *b)
{
	for (unsigned i = 0; i < 3; i++)
		ck_assert_uint_eq(a[i], b[i]);
}

static void assert_same_node(const struct chain_node *a, const struct chain_node *b)
{
	ck_assert_uint_eq(a->parent, b->parent);
	ck_assert_uint_eq(a->comm, b->comm);
	ck_assert_uint_eq(a->state, b->state);
	ck_assert(stacks_are_same(&a->stacks, &b->stacks));
	ck_assert_ptr_eq(a->cause.note, b->cause.note);
	ck_assert(a->cause.is_waker_shared == b->cause.is_waker_shared);
	ck_assert(a->cause.is_originator_shared == b->cause.is_originator_shared);
	ck_assert_uint_eq(a->total, b->total);
	ck_assert_uint_eq(a->count, b->count);
	ck_assert_uint_eq(a->max, b->max);
	ck_assert_uint_eq(a->max_at, b->max_at);
	ck_assert_uint_eq(a->base, b->base);
	ck_assert_uint_eq(a->samples, b->samples);
}

START_TEST(test_chains)
{
	uint64_t skipped = 0;

	seed_choose();
	for (int run = 0; run < RUNS; run++) {
		struct chain_tree fast, plain;

		timeline_make();
		chain_tree_init(&fast, &timeline, CHAIN_NODES_MAX);
		chain_tree_init(&plain, &timeline, CHAIN_NODES_MAX);
		fast.has_stacks = plain.has_stacks = below(2);
		plain.on_part = ignore_part;
		chain_add_all(&fast);
		chain_add_all(&plain);
		assert_same_parts(fast.parts_by_confidence, plain.parts_by_confidence);
		ck_assert_uint_eq(fast.result.cycles, plain.result.cycles);
		ck_assert_uint_eq(fast.result.truncations, plain.result.truncations);
		ck_assert_uint_eq(fast.count, plain.count);
		for (size_t i = 1; i < fast.count; i++)
			assert_same_node(&fast.node[i], &plain.node[i]);
		skipped += fast.parts_in_blocks;
		ck_assert_uint_eq(plain.parts_in_blocks, 0);
		chain_tree_release(&fast);
		chain_tree_release(&plain);
		timeline_release(&timeline);
	}
	ck_assert_uint_gt(skipped, 0);
}
END_TEST

static void graph_add(void *state, uint32_t track, nsec_t begin, nsec_t end,
                      const struct cause_note *cause)
{
	wait_graph_add(state, track, begin, end, cause);
}

/* No block is met twice. */
static void graph_add_plainly(void *state, uint32_t track, nsec_t begin, nsec_t end,
                              const struct cause_note *cause)
{
	struct wait_graph *graph = state;

	walk_blocks_forget(&graph->blocks);
	wait_graph_add(graph, track, begin, end, cause);
}

static void assert_same_edge(const struct wait_edge *a, const struct wait_edge *b)
{
	ck_assert_uint_eq(a->from, b->from);
	ck_assert_uint_eq(a->to, b->to);
	ck_assert_uint_eq(a->kind, b->kind);
	ck_assert_uint_eq(a->raw, b->raw);
	ck_assert_uint_eq(a->sum.path, b->sum.path);
	ck_assert_uint_eq(a->sum.count, b->sum.count);
	ck_assert_uint_eq(a->sum.max, b->sum.max);
	ck_assert_uint_eq(a->sum.max_at, b->sum.max_at);
}

START_TEST(test_graph)
{
	size_t kept = 0;

	seed_choose();
	for (int run = 0; run < RUNS; run++) {
		struct wait_graph fast, plain;

		timeline_make();
		wait_graph_init(&fast, &timeline);
		wait_graph_init(&plain, &timeline);
		each_wait(graph_add, &fast);
		each_wait(graph_add_plainly, &plain);
		assert_same_parts(fast.parts_by_confidence, plain.parts_by_confidence);
		ck_assert_uint_eq(fast.result.cycles, plain.result.cycles);
		ck_assert_uint_eq(fast.result.truncations, plain.result.truncations);
		ck_assert_uint_eq(fast.node_count, plain.node_count);
		ck_assert_uint_eq(fast.edge_count, plain.edge_count);
		for (size_t i = 0; i < fast.edge_count; i++)
			assert_same_edge(&fast.edge[i], &plain.edge[i]);
		for (size_t i = 0; i < fast.blocks.count; i++)
			kept += fast.blocks.block[i].sums != NULL;
		wait_graph_release(&fast);
		wait_graph_release(&plain);
		timeline_release(&timeline);
	}
	ck_assert_uint_gt(kept, 0);
}
END_TEST

Suite *walk_blocks_suite(void)
{
	Suite *suite = suite_create("walk_blocks");
	TCase *tcase = tcase_create("random");

	tcase_set_timeout(tcase, 240); /* emulated, it takes long */
	tcase_add_test(tcase, test_chains);
	tcase_add_test(tcase, test_graph);
	suite_add_tcase(suite, tcase);
	return suite;
}
