/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "base/data/array.h"
#include "graph/walk/wait_graph.h"
#include "suites.h"

static struct cause_note note_of(enum cause_kind kind, enum confidence confidence)
{
	struct cause_note note;

	cause_note_init(&note, kind, confidence);
	return note;
}

static struct timeline timeline;
static struct wait_graph graph;

static void graph_setup(void)
{
	timeline_init(&timeline, /* keep_segments= */ true);
	wait_graph_init(&graph, &timeline);
}

static void graph_teardown(void)
{
	wait_graph_release(&graph);
	timeline_release(&timeline);
}

static uint32_t task_add(const char *name)
{
	uint32_t track = timeline_add_track(&timeline, (int32_t)timeline.track_count + 100);

	timeline_add_name(&timeline, track, 0, name, strlen(name));
	return track;
}

/* The next segment of the track, until `end`. */
static void span_add(uint32_t track, nsec_t end, enum segment_kind kind,
                     const struct cause_note *cause)
{
	const struct track *at = &timeline.track[track];

	timeline_add_span(&timeline, &(struct span){
					     .track = track,
					     .begin = at->begin == NSEC_NEVER ? 0 : at->end,
					     .end = end,
					     .kind = kind,
					     .cause = cause,
				     });
}

static struct cause_note by_task(uint32_t waker)
{
	struct cause_note note = note_of(CAUSE_TASK, CONFIDENCE_HIGH);

	note.waker = waker;
	note.is_walked = true;
	return note;
}

static struct cause_note by_disk(uint32_t dev)
{
	struct cause_note note = note_of(CAUSE_DISK, CONFIDENCE_HIGH);

	note.as.disk.dev = dev;
	return note;
}

static uint32_t task_node(const char *name)
{
	return wait_graph_node(&graph, &(struct wait_node_key){
					       .kind = CAUSE_TASK,
					       .is_task = true,
					       .identity.name = intern_adds(&timeline.names, name),
				       });
}

static const struct wait_edge *edge_between(uint32_t from, uint32_t to)
{
	for (size_t i = 0; i < graph.edge_count; i++)
		if (graph.edge[i].from == from && graph.edge[i].to == to)
			return &graph.edge[i];
	ck_abort_msg("no edge from node %u to node %u", from, to);
}

static void check_edge(const struct wait_edge *edge, nsec_t raw, nsec_t path, uint64_t count,
                       nsec_t max, nsec_t max_at)
{
	ck_assert_uint_eq(edge->raw, raw);
	ck_assert_uint_eq(edge->sum.path, path);
	ck_assert_uint_eq(edge->sum.count, count);
	ck_assert_uint_eq(edge->sum.max, max);
	ck_assert_uint_eq(edge->sum.max_at, max_at);
}

static void check_sums(void)
{
	nsec_t raw = graph.overflow_raw, path = graph.overflow_path;

	for (size_t i = 0; i < graph.edge_count; i++) {
		raw += graph.edge[i].raw;
		path += graph.edge[i].sum.path;
	}
	ck_assert_uint_eq(raw, graph.total);
	ck_assert_uint_eq(path, graph.total);
}

/* A waits 0..20 for B, which waits 0..12 for the disk and runs 12..20: the header's drawing. */
static void drawing_add(uint32_t *ret_a, uint32_t *ret_b)
{
	uint32_t a = task_add("A"), b = task_add("B");
	struct cause_note task = by_task(b), disk = by_disk(254 << 20);

	span_add(a, 20, SEGMENT_WAIT, &task);
	span_add(b, 12, SEGMENT_WAIT, &disk);
	span_add(b, 20, SEGMENT_RUN, NULL);
	*ret_a = a;
	*ret_b = b;
}

static uint32_t disk_node(uint32_t dev)
{
	return wait_graph_node(&graph, &(struct wait_node_key){.kind = CAUSE_DISK,
							       .identity.as.disk.dev = dev});
}

START_TEST(a_wait_is_charged_to_what_it_was_spent_on)
{
	struct cause_note cause;
	uint32_t a, b;

	drawing_add(&a, &b);
	cause = by_task(b);
	wait_graph_add(&graph, a, 0, 20, &cause);
	wait_graph_close(&graph);
	ck_assert_uint_eq(graph.edge_count, 2);
	check_edge(edge_between(task_node("A"), task_node("B")), 20, 8, 1, 20, 0);
	check_edge(edge_between(task_node("B"), disk_node(254 << 20)), 0, 12, 1, 12, 0);
	ck_assert_uint_eq(graph.node[task_node("A")].waiting, 20);
	ck_assert_uint_eq(graph.node[task_node("B")].waited_for, 8);
	ck_assert_uint_eq(graph.node[disk_node(254 << 20)].waited_for, 12);
	ck_assert_uint_eq(graph.knot_count, 0);
	check_sums();
}
END_TEST

START_TEST(names_fold_and_devices_do_not)
{
	uint32_t one = task_add("worker"), two = task_add("worker");
	struct cause_note first = by_disk(1), second = by_disk(2);

	span_add(one, 10, SEGMENT_WAIT, &first);
	span_add(two, 30, SEGMENT_WAIT, &first);
	span_add(two, 35, SEGMENT_WAIT, &second);
	wait_graph_add(&graph, one, 0, 10, &first);
	wait_graph_add(&graph, two, 0, 30, &first);
	wait_graph_add(&graph, two, 30, 35, &second);
	wait_graph_close(&graph);
	ck_assert_uint_eq(graph.edge_count, 2);
	check_edge(edge_between(task_node("worker"), disk_node(1)), 40, 40, 2, 30, 0);
	check_edge(edge_between(task_node("worker"), disk_node(2)), 5, 5, 1, 5, 30);
	check_sums();
}
END_TEST

/* Of one's own name: by time, not by how often. */
START_TEST(an_edge_knows_which_task_had_most)
{
	uint32_t boss = task_add("omp"), busy = task_add("omp"), idle = task_add("omp");
	struct cause_note by_busy = by_task(busy), by_idle = by_task(idle);
	const struct wait_edge *edge;

	span_add(boss, 40, SEGMENT_WAIT, &by_busy);
	span_add(boss, 45, SEGMENT_WAIT, &by_idle);
	span_add(boss, 50, SEGMENT_WAIT, &by_idle);
	span_add(busy, 50, SEGMENT_RUN, NULL);
	span_add(idle, 50, SEGMENT_RUN, NULL);
	wait_graph_add(&graph, boss, 0, 40, &by_busy);
	wait_graph_add(&graph, boss, 40, 45, &by_idle);
	wait_graph_add(&graph, boss, 45, 50, &by_idle);
	wait_graph_close(&graph);
	edge = edge_between(task_node("omp"), task_node("omp"));
	check_edge(edge, 50, 50, 3, 40, 0);
	ck_assert_uint_eq(voter_task(&edge->sum.waiter), boss);
	ck_assert_uint_eq(voter_task(&edge->sum.waited), busy);
	ck_assert_uint_eq(edge->sum.waiter.own, edge->sum.waiter.all);
	ck_assert_uint_lt(edge->sum.waited.own, edge->sum.waited.all);
}
END_TEST

START_TEST(what_has_not_ended_is_an_object_of_its_own)
{
	uint32_t a = task_add("A");
	struct cause_note unknown = note_of(CAUSE_UNKNOWN, CONFIDENCE_LOW);

	span_add(a, 10, SEGMENT_WAIT, &unknown);
	span_add(a, 40, SEGMENT_WAIT, NULL);
	wait_graph_add(&graph, a, 0, 10, &unknown);
	wait_graph_add(&graph, a, 10, 40, NULL);
	wait_graph_close(&graph);
	ck_assert_uint_eq(graph.edge_count, 2);
	ck_assert(!graph.node[graph.edge[0].to].key.is_open);
	check_edge(&graph.edge[0], 10, 10, 1, 10, 0);
	ck_assert(graph.node[graph.edge[1].to].key.is_open);
	check_edge(&graph.edge[1], 30, 30, 1, 30, 10);
	check_sums();
}
END_TEST

/* A wait that is cut by what is asked leads to the cause that it has later. */
START_TEST(a_wait_may_be_cut)
{
	struct cause_note cause;
	uint32_t a, b;

	drawing_add(&a, &b);
	cause = by_task(b);
	wait_graph_add(&graph, a, 0, 15, &cause);
	wait_graph_close(&graph);
	ck_assert_uint_eq(graph.edge_count, 2);
	check_edge(edge_between(task_node("A"), task_node("B")), 15, 3, 1, 15, 0);
	check_edge(edge_between(task_node("B"), disk_node(254 << 20)), 0, 12, 1, 12, 0);
	check_sums();
}
END_TEST

/* The disk from 5 on; before that the submitter, whose doing is inferred. */
START_TEST(a_request_of_another_leads_to_both)
{
	uint32_t a = task_add("A"), b = task_add("B");
	struct cause_note disk = by_disk(7);

	disk.originator = b;
	disk.origin = 5;
	span_add(a, 20, SEGMENT_WAIT, &disk);
	span_add(b, 20, SEGMENT_RUN, NULL);
	wait_graph_add(&graph, a, 0, 20, &disk);
	wait_graph_close(&graph);
	ck_assert_uint_eq(graph.edge_count, 2);
	check_edge(edge_between(task_node("A"), disk_node(7)), 20, 15, 1, 20, 0);
	check_edge(edge_between(task_node("A"), task_node("B")), 0, 5, 1, 5, 0);
	ck_assert_uint_eq(edge_between(task_node("A"), task_node("B"))->kind, CAUSE_DISK);
	check_sums();
}
END_TEST

/* What explains itself is not walked for ever. */
START_TEST(a_wait_that_explains_itself_is_unknown)
{
	uint32_t a = task_add("A"), b = task_add("B");
	struct cause_note by_a = by_task(a), by_b = by_task(b);

	span_add(a, 20, SEGMENT_WAIT, &by_b);
	span_add(b, 20, SEGMENT_WAIT, &by_a);
	wait_graph_add(&graph, a, 0, 20, &by_b);
	wait_graph_close(&graph);
	ck_assert_uint_eq(graph.result.cycles, 1);
	check_edge(edge_between(task_node("A"), task_node("B")), 20, 20, 1, 20, 0);
	check_sums();
}
END_TEST

/* A waits for B and later B for A: a knot; C only waits for it, the disk only ends it. */
static void ping_pong_add(void)
{
	uint32_t a = task_add("A"), b = task_add("B"), c = task_add("C");
	struct cause_note by_a = by_task(a), by_b = by_task(b), disk = by_disk(1);

	span_add(a, 10, SEGMENT_WAIT, &by_b);
	span_add(a, 50, SEGMENT_RUN, NULL);
	span_add(b, 10, SEGMENT_RUN, NULL);
	span_add(b, 40, SEGMENT_WAIT, &by_a);
	span_add(b, 50, SEGMENT_WAIT, &disk);
	span_add(c, 10, SEGMENT_WAIT, &by_b);
	wait_graph_add(&graph, a, 0, 10, &by_b);
	wait_graph_add(&graph, b, 10, 40, &by_a);
	wait_graph_add(&graph, b, 40, 50, &disk);
	wait_graph_add(&graph, c, 0, 10, &by_b);
}

START_TEST(those_that_wait_for_each_other_are_a_knot)
{
	ping_pong_add();
	wait_graph_close(&graph);
	ck_assert_uint_eq(graph.knot_count, 1);
	ck_assert_uint_eq(graph.knot[0].node_count, 2);
	ck_assert_uint_eq(graph.knot[0].path, 40);
	ck_assert_uint_eq(graph.knot[0].raw, 40);
	ck_assert_uint_eq(graph.knot[0].node, task_node("A"));
	ck_assert_uint_eq(graph.node[task_node("A")].knot, 1);
	ck_assert_uint_eq(graph.node[task_node("B")].knot, 1);
	ck_assert_uint_eq(graph.node[task_node("C")].knot, 0);
	ck_assert_uint_eq(edge_between(task_node("A"), task_node("B"))->knot, 1);
	ck_assert_uint_eq(edge_between(task_node("B"), task_node("A"))->knot, 1);
	ck_assert_uint_eq(edge_between(task_node("C"), task_node("B"))->knot, 0);
	ck_assert_uint_eq(edge_between(task_node("B"), disk_node(1))->knot, 0);
	check_sums();
}
END_TEST

START_TEST(only_the_asked_kinds_are_kept)
{
	ping_pong_add();
	wait_graph_keep_kinds(&graph, 1u << CAUSE_DISK);
	wait_graph_close(&graph);
	ck_assert_uint_eq(graph.edge_count, 1);
	ck_assert_uint_eq(graph.edge[0].kind, CAUSE_DISK);
	ck_assert_uint_eq(graph.knot_count, 0);
	ck_assert(graph.node[task_node("B")].has_edge);
	ck_assert(!graph.node[task_node("A")].has_edge);
	ck_assert_uint_eq(graph.node[task_node("B")].waiting, 10);
}
END_TEST

/* Two knots, the lighter one made first, and a node that waits for others of its name. */
START_TEST(knots_are_numbered_by_weight)
{
	static const struct {
		const char *from, *to;
		nsec_t path;
	} edges[] = {
		{"a", "b", 1}, {"b", "a", 1}, {"x", "y", 50}, {"y", "x", 9}, {"s", "s", 5},
		{"b", "x", 900},
	};

	for (size_t i = 0; i < ARRAY_SIZE(edges); i++)
		wait_graph_edge(&graph, task_node(edges[i].from), task_node(edges[i].to),
		                CAUSE_TASK)
			->sum.path = edges[i].path;
	wait_graph_close(&graph);
	ck_assert_uint_eq(graph.knot_count, 3);
	ck_assert_uint_eq(graph.node[task_node("x")].knot, 1);
	ck_assert_uint_eq(graph.node[task_node("y")].knot, 1);
	ck_assert_uint_eq(graph.node[task_node("s")].knot, 2);
	ck_assert_uint_eq(graph.node[task_node("a")].knot, 3);
	ck_assert_uint_eq(graph.knot[1].node_count, 1);
	ck_assert_uint_eq(graph.knot[2].path, 2);
	ck_assert_uint_eq(edge_between(task_node("b"), task_node("x"))->knot, 0);
}
END_TEST

START_TEST(an_edge_is_made_once_for_each_kind)
{
	uint32_t a = task_node("a"), b = task_node("b");

	ck_assert_ptr_nonnull(wait_graph_edge(&graph, a, b, CAUSE_TASK));
	ck_assert_ptr_nonnull(wait_graph_edge(&graph, a, b, CAUSE_TASK));
	ck_assert_uint_eq(graph.edge_count, 1);
	ck_assert_ptr_nonnull(wait_graph_edge(&graph, a, b, CAUSE_LOCK));
	ck_assert_ptr_nonnull(wait_graph_edge(&graph, b, a, CAUSE_TASK));
	ck_assert_uint_eq(graph.edge_count, 3);
	ck_assert_ptr_null(wait_graph_edge(&graph, a, WAIT_NODE_NONE, CAUSE_TASK));
}
END_TEST

/* Beyond the limits time is counted, not lost. */
START_TEST(time_beyond_the_limits_is_counted)
{
	graph.edges.most = 2;
	ping_pong_add();
	ck_assert_uint_eq(graph.edge_count, 2);
	ck_assert_uint_gt(graph.overflows, 0);
	ck_assert_uint_eq(graph.overflow_raw, 20);
	ck_assert_uint_eq(graph.overflow_path, 20);
	check_sums();
}
END_TEST

START_TEST(nodes_have_a_limit_too)
{
	graph.nodes.most = 1;
	ping_pong_add();
	wait_graph_close(&graph);
	ck_assert_uint_eq(graph.node_count, 1);
	ck_assert_uint_eq(graph.edge_count, 0);
	ck_assert_uint_eq(graph.overflow_raw, graph.total);
	check_sums();
}
END_TEST

/* Each runs a little longer than the one before and then waits for the next one; the last one
   runs. The walk goes no deeper than it is told to. */
START_TEST(a_long_chain_is_no_recursion)
{
	enum { LONG = 100000, END = LONG + 10 };
	struct cause_note cause;

	for (uint32_t i = 0; i < LONG; i++)
		(void)task_add(i + 1 < LONG ? "waiter" : "runner");
	for (uint32_t i = 0; i + 1 < LONG; i++) {
		cause = by_task(i + 1);
		if (i > 0)
			span_add(i, i, SEGMENT_RUN, NULL);
		span_add(i, END, SEGMENT_WAIT, &cause);
	}
	span_add(LONG - 1, END, SEGMENT_RUN, NULL);
	cause = by_task(1);
	wait_graph_add(&graph, 0, 0, END, &cause);
	wait_graph_close(&graph);
	/* cut long before the runner: what is behind stays with the edge that led there */
	ck_assert_uint_eq(graph.edge_count, 1);
	check_edge(edge_between(task_node("waiter"), task_node("waiter")), END, END,
	           GRAPH_DEPTH_MAX - 1, END, 0);
	ck_assert_uint_eq(graph.result.truncations, 1);
	ck_assert_uint_eq(graph.knot_count, 1);
	check_sums();
}
END_TEST

enum { ABSURD_TRACKS = 8, ABSURD_END = 400 };

static uint32_t any_track(void)
{
	return random() % 3 ? (uint32_t)random() % ABSURD_TRACKS : TRACK_NONE;
}

/* Any kind, by anybody, from any time: what no kernel would say. */
static struct cause_note absurd_cause(void)
{
	struct cause_note note = note_of((enum cause_kind)(random() % CAUSE_KIND_COUNT),
	                                       (enum confidence)(random() % 3));

	note.waker = any_track();
	note.is_walked = note.waker != TRACK_NONE && random() % 2;
	note.originator = any_track();
	note.origin = random() % 2 ? (nsec_t)random() % ABSURD_END : NSEC_NEVER;
	if (note.kind == CAUSE_DISK)
		note.as.disk.dev = (uint32_t)random() % 2;
	return note;
}

static void absurd_track_fill(uint32_t track)
{
	static const enum segment_kind kinds[] = {
		SEGMENT_RUN,  SEGMENT_RUNNABLE, SEGMENT_WAIT,    SEGMENT_WAIT,
		SEGMENT_WAIT, SEGMENT_STOPPED,  SEGMENT_UNKNOWN,
	};

	timeline.track[track].parent = any_track();
	timeline.track[track].born = random() % 2 ? (nsec_t)random() % ABSURD_END : NSEC_NEVER;
	for (nsec_t end = 0; end < ABSURD_END - 40;) {
		enum segment_kind kind = kinds[(size_t)random() % ARRAY_SIZE(kinds)];
		struct cause_note cause = absurd_cause();
		bool has_cause = (kind == SEGMENT_WAIT || kind == SEGMENT_STOPPED) && random() % 8;

		end += (nsec_t)random() % 40;
		span_add(track, end, kind, has_cause ? &cause : NULL);
	}
}

static void absurd_waits_add(uint32_t index)
{
	const struct track *track = &timeline.track[index];

	for (size_t at = 0; at < track->segment_count; at++) {
		const struct segment *segment = &track->segment[at];
		nsec_t end = timeline_segment_end(track, at);

		if (segment->kind == SEGMENT_WAIT && segment->begin < end)
			wait_graph_add(&graph, index, segment->begin, end,
			               segment->cause == CAUSE_NONE
			                       ? NULL
			                       : &timeline.cause[segment->cause]);
	}
}

START_TEST(sums_hold_for_absurd_timelines)
{
	static const char *const names[] = {"a", "b", "c", "d"};

	srandom((unsigned)_i + 1);
	for (uint32_t track = 0; track < ABSURD_TRACKS; track++)
		(void)task_add(names[track % ARRAY_SIZE(names)]);
	for (uint32_t track = 0; track < ABSURD_TRACKS; track++)
		absurd_track_fill(track);
	for (uint32_t track = 0; track < ABSURD_TRACKS; track++)
		absurd_waits_add(track);
	check_sums();
	wait_graph_close(&graph);
	ck_assert_uint_gt(graph.total, 0);
	for (size_t i = 0; i < graph.edge_count; i++) {
		ck_assert(graph.edge[i].sum.count > 0);
		ck_assert(graph.edge[i].sum.max > 0);
		ck_assert(graph.edge[i].sum.max <= ABSURD_END);
		ck_assert(graph.edge[i].sum.max_at < ABSURD_END);
	}
}
END_TEST

Suite *wait_graph_suite(void)
{
	Suite *suite = suite_create("wait_graph");
	TCase *tests = tcase_create("wait_graph");

	tcase_add_checked_fixture(tests, graph_setup, graph_teardown);
	tcase_add_test(tests, a_wait_is_charged_to_what_it_was_spent_on);
	tcase_add_test(tests, names_fold_and_devices_do_not);
	tcase_add_test(tests, an_edge_knows_which_task_had_most);
	tcase_add_test(tests, what_has_not_ended_is_an_object_of_its_own);
	tcase_add_test(tests, a_wait_may_be_cut);
	tcase_add_test(tests, a_request_of_another_leads_to_both);
	tcase_add_test(tests, a_wait_that_explains_itself_is_unknown);
	tcase_add_test(tests, those_that_wait_for_each_other_are_a_knot);
	tcase_add_test(tests, only_the_asked_kinds_are_kept);
	tcase_add_test(tests, knots_are_numbered_by_weight);
	tcase_add_test(tests, an_edge_is_made_once_for_each_kind);
	tcase_add_test(tests, time_beyond_the_limits_is_counted);
	tcase_add_test(tests, nodes_have_a_limit_too);
	tcase_add_test(tests, a_long_chain_is_no_recursion);
	tcase_add_loop_test(tests, sums_hold_for_absurd_timelines, 0, 300);
	suite_add_tcase(suite, tests);
	return suite;
}
