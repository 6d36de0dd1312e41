/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "views/summary/explanation.h"

#include <string.h>

#include "graph/aims/awaited.h"
#include "suites.h"

#define NODES_MAX 1000
#define ROUND     ((nsec_t)100) /* of a task's running and sleeping */
#define ROUNDS    8

/* A shell, what it started, and a task that is no child of its. */
enum { SHELL, CHILD, GRANDCHILD, OTHER, TRACKS };

static struct timeline timeline;
static struct interrupt_log interrupts;
static struct spare_cpus spare;
static struct walks_ahead ahead;
static struct chain_tree path;
static struct path_sums sums;

static void tracks_setup(void)
{
	timeline_init(&timeline, /* keep_segments= */ true);
	spare = (struct spare_cpus){.hosts = &timeline.hosts};
	for (int32_t tid = 1; tid <= TRACKS; tid++)
		(void)timeline_add_track(&timeline, tid);
	timeline.track[CHILD].parent = SHELL;
	timeline.track[GRANDCHILD].parent = CHILD;
	for (uint32_t track = 0; track < TRACKS; track++)
		timeline.track[track].born = 0;
	ahead = (struct walks_ahead){
		.timeline = &timeline, .interrupts = &interrupts, .spare = &spare,
		.nodes_max = NODES_MAX};
	chain_tree_init(&path, &timeline, NODES_MAX);
	sums = (struct path_sums){0};
}

static void tracks_teardown(void)
{
	chain_tree_release(&path);
	had_cpu_release(&sums.had_cpu);
	walks_ahead_release(&ahead);
	spare_cpus_release(&spare);
	interrupt_log_release(&interrupts);
	timeline_release(&timeline);
}

static void name_child(nsec_t time, const char *name)
{
	timeline_add_name(&timeline, CHILD, time, name, strlen(name));
}

static nsec_t track_end(uint32_t track)
{
	return timeline.track[track].begin == NSEC_NEVER ? 0 : timeline.track[track].end;
}

static void add_span(uint32_t track, enum segment_kind kind, nsec_t end,
                     const struct cause_note *cause)
{
	timeline_add_span(&timeline, &(struct span){
		.track = track,
		.begin = track_end(track),
		.end = end,
		.kind = kind,
		.detail = kind == SEGMENT_WAIT ? 'S' : 0,
		.cause = cause,
	});
}

static void add_run(uint32_t track, nsec_t end)
{
	add_span(track, SEGMENT_RUN, end, NULL);
}

/* It waited until then for that task, or for a disk: TRACK_NONE. */
static void add_wait(uint32_t track, nsec_t end, uint32_t waker)
{
	struct cause_note note;

	cause_note_init(&note, waker == TRACK_NONE ? CAUSE_DISK : CAUSE_TASK, CONFIDENCE_HIGH);
	note.waker = waker;
	note.is_walked = waker != TRACK_NONE;
	add_span(track, SEGMENT_WAIT, end, &note);
}

/* It runs three quarters of the time, and waits for a disk in the last one. */
static void add_rounds(uint32_t track, unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		nsec_t begin = track_end(track);

		add_run(track, begin + ROUND / 4 * 3);
		add_wait(track, begin + ROUND, TRACK_NONE);
	}
}

static void show_open(uint32_t track, enum segment_kind kind, nsec_t end)
{
	timeline_show_open(&timeline, &(struct span){
		.track = track, .begin = track_end(track), .end = end, .kind = kind,
		.detail = 'S'});
}

/* All that the tracks did is walked ahead and forgotten; they that wait still do. */
static void forget(unsigned waiting)
{
	nsec_t end = 0;

	for (uint32_t track = 0; track < TRACKS; track++)
		end = nsec_max(end, track_end(track));
	for (uint32_t track = 0; track < TRACKS; track++)
		show_open(track, waiting >> track & 1 ? SEGMENT_WAIT : SEGMENT_RUN, end + 1);
	walks_ahead_go_on(&ahead, SHELL, track_end_of_known(&timeline, SHELL));
	for (uint32_t track = 0; track < timeline.track_count; track++)
		timeline_hide_open(&timeline, track);
	timeline.half = NSEC_NEVER;
	timeline_trim(&timeline);
}

static void walk_shell(nsec_t begin)
{
	struct walk_on on;

	walk_on_begin(&on, &ahead, &path, &sums);
	chain_tree_add(&path, SHELL, begin, track_end(SHELL));
	walk_on_end(&on);
}

static nsec_t path_total(enum part_state state, size_t depth)
{
	nsec_t total = 0;

	for (size_t i = 1; i < path.count; i++)
		if (path.node[i].state == state && path.node[i].depth == depth)
			total += path.node[i].total;
	return total;
}

/* All that is told of the child is told of it by its last name. */
static void check_names(void)
{
	for (size_t i = 1; i < path.count; i++)
		if (path.node[i].depth == 2)
			ck_assert_uint_eq(path.node[i].comm,
			                  timeline.track[CHILD].last_name);
}

/* However often the child's history is forgotten while the shell waits. */
START_TEST(a_child_is_known_all_the_time)
{
	nsec_t length = ROUNDS * ROUND;

	name_child(0, "sh");
	add_run(SHELL, 10);
	add_rounds(CHILD, ROUNDS / 2);
	for (int i = 0; i < _i; i++) {
		forget(1u << SHELL);
		ck_assert_uint_eq(ahead.count, 1);
		add_rounds(CHILD, 1);
	}
	name_child(track_end(CHILD), "make");
	add_rounds(CHILD, (unsigned)(ROUNDS / 2 - _i));
	add_wait(SHELL, length, CHILD);
	walk_shell(10);
	ck_assert_uint_eq(path_total(PART_RUNNING, 2), length / 4 * 3 - 10);
	ck_assert_uint_eq(path_total(PART_WAITING, 2), length / 4);
	ck_assert_uint_eq(path_total(PART_CUT, 2), 0);
	ck_assert_uint_eq(sums.forgotten, 0);
	check_names();
	/* the wait is over: they are of no more use */
	forget(0);
	ck_assert_uint_eq(ahead.count, 0);
}
END_TEST

/* A shell that waits for a shell that waits for what runs. */
START_TEST(a_child_of_a_child_is_known)
{
	nsec_t length = ROUNDS * ROUND;

	add_run(SHELL, 10);
	add_run(CHILD, 20);
	add_rounds(GRANDCHILD, ROUNDS);
	forget(1u << SHELL | 1u << CHILD);
	ck_assert_uint_eq(ahead.count, 2);
	add_wait(CHILD, length, GRANDCHILD);
	add_run(CHILD, length + 5);
	add_wait(SHELL, length + 5, CHILD);
	walk_shell(0);
	ck_assert_uint_eq(path_total(PART_RUNNING, 2), 10 + 5);
	ck_assert_uint_eq(path_total(PART_RUNNING, 3), length / 4 * 3 - 20);
	ck_assert_uint_eq(path_total(PART_WAITING, 3), length / 4);
	/* of its own time the shell's history is forgotten as ever */
	ck_assert_uint_eq(path_total(PART_CUT, 1), 10);
	ck_assert_uint_eq(sums.forgotten, 10);
}
END_TEST

/* A child that has not ended the wait is not what it was for. */
START_TEST(another_task_is_not_the_child)
{
	nsec_t length = ROUNDS * ROUND;

	add_run(SHELL, 10);
	add_rounds(CHILD, ROUNDS);
	add_rounds(OTHER, ROUNDS);
	forget(1u << SHELL);
	ck_assert_uint_eq(ahead.count, 1);
	add_rounds(OTHER, 1);
	add_wait(SHELL, length + ROUND, OTHER);
	walk_shell(10);
	ck_assert_uint_eq(path_total(PART_RUNNING, 2), ROUND / 4 * 3);
	ck_assert_uint_eq(path_total(PART_WAITING, 2), ROUND / 4);
	ck_assert_uint_eq(path_total(PART_CUT, 2), length - 10);
	ck_assert_uint_eq(sums.forgotten, length - 10);
}
END_TEST

/* Of a wait that was begun while the child ran on there is no telling where the child was then. */
START_TEST(a_part_of_the_child_is_not_taken)
{
	nsec_t length = ROUNDS * ROUND;

	add_run(SHELL, 10);
	add_rounds(CHILD, ROUNDS);
	forget(1u << SHELL);
	add_wait(SHELL, length / 2, OTHER);
	add_wait(SHELL, length, CHILD);
	walk_shell(length / 2);
	ck_assert_uint_eq(path_total(PART_CUT, 2), length / 2);
}
END_TEST

/* What a walk costs is bounded. */
START_TEST(of_many_children_none_is_walked)
{
	add_run(SHELL, 10);
	add_rounds(CHILD, ROUNDS);
	for (unsigned i = 0; i < CHILDREN_AHEAD_MAX; i++) {
		uint32_t track = timeline_add_track(&timeline, (int32_t)(TRACKS + i + 1));

		timeline.track[track].parent = SHELL;
		timeline.track[track].born = i + (unsigned)_i > 0 ? 0 : 11;
		show_open(track, SEGMENT_RUN, ROUND);
	}
	forget(1u << SHELL);
	/* one of them was born while the shell waited for the others */
	ck_assert_uint_eq(ahead.count, _i ? 0 : CHILDREN_AHEAD_MAX);
}
END_TEST

Suite *walks_ahead_suite(void)
{
	Suite *suite = suite_create("walks_ahead");
	TCase *tests = tcase_create("walks_ahead");

	tcase_add_checked_fixture(tests, tracks_setup, tracks_teardown);
	tcase_add_loop_test(tests, a_child_is_known_all_the_time, 0, ROUNDS / 2);
	tcase_add_test(tests, a_child_of_a_child_is_known);
	tcase_add_test(tests, another_task_is_not_the_child);
	tcase_add_test(tests, a_part_of_the_child_is_not_taken);
	tcase_add_loop_test(tests, of_many_children_none_is_walked, 0, 2);
	suite_add_tcase(suite, tests);
	return suite;
}
