/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "views/flow/flow_path.h"

#include <stdlib.h>

#include "base/data/array.h"
#include "base/xalloc.h"
#include "suites.h"

#define TRACKS 6
#define PARTS  4000
#define BEGIN  1000

static struct timeline timeline;
static struct part_log log_kept;
static struct part *part_kept;
static size_t part_count;

static void path_setup(void)
{
	timeline_init(&timeline, /* keep_segments= */ true);
	for (uint32_t i = 0; i < TRACKS; i++)
		timeline_add_track(&timeline, (int32_t)i + 1);
	part_log_init(&log_kept, &timeline);
	part_kept = NULL;
	part_count = 0;
}

static void path_teardown(void)
{
	part_log_release(&log_kept);
	timeline_release(&timeline);
	free(part_kept);
}

/* Parts that follow each other, told to the log as a walk does, the last one first. */
static void path_make(const struct part *parts, size_t count)
{
	nsec_t at = BEGIN;

	part_kept = xcalloc(count, sizeof(*part_kept));
	part_count = count;
	for (size_t i = 0; i < count; i++) {
		part_kept[i] = parts[i];
		part_kept[i].begin = at;
		part_kept[i].end = at += parts[i].end - parts[i].begin;
	}
	for (size_t i = count; i-- > 0;)
		part_log_add(&log_kept, &part_kept[i]);
}

static struct part part_of(nsec_t length, uint32_t track, enum part_state state)
{
	return (struct part){.end = length, .track = track, .state = state};
}

/* A ping-pong of short parts, with one that is long now and then. */
static void path_make_random(void)
{
	struct part *parts = xcalloc(PARTS, sizeof(*parts));
	uint64_t random = 4711;

	for (size_t i = 0; i < PARTS; i++) {
		random = random * 6364136223846793005u + 1442695040888963407u;
		parts[i] = part_of(random >> 40 & (random >> 33 & 7 ? 0x3ff : 0x7ffff),
		                   (uint32_t)(random >> 20 & 3) + (uint32_t)(i % 3),
		                   (enum part_state)(random >> 50 & 3));
	}
	path_make(parts, PARTS);
	free(parts);
}

/* What legs tell, added up. */
struct reported {
	nsec_t at, below;
	size_t legs, weight, parts;
	uint64_t mixed;
	nsec_t time[TRACKS][FLOW_STATE_COUNT];
};

static void mix_check(struct reported *reported, const struct flow_leg *leg)
{
	nsec_t sum = 0;

	for (size_t i = 0; i < leg->share_count; i++) {
		const struct flow_leg_share *share = &leg->share[i];

		ck_assert(share->time > 0);
		for (size_t k = 0; k < i; k++)
			ck_assert(leg->share[k].track != share->track ||
			            leg->share[k].state != share->state);
		reported->time[share->track][share->state] += share->time;
		sum += share->time;
	}
	ck_assert(sum == leg->part.end - leg->part.begin);
	reported->mixed += leg->parts;
	reported->weight += leg->share_count;
}

/* What of the parts it is made of was longer than it may be is alone. */
static void on_leg(void *state, const struct flow_leg *leg)
{
	struct reported *reported = state;
	const struct part *first = &part_kept[reported->parts];

	ck_assert(leg->part.begin == reported->at);
	ck_assert(leg->part.begin <= leg->part.end);
	ck_assert(leg->parts >= 1 && reported->parts + leg->parts <= part_count);
	for (size_t i = 0; i < leg->parts && leg->parts > 1; i++)
		ck_assert(first[i].end - first[i].begin < reported->below);
	if (leg->parts == 1) {
		ck_assert(leg->part.track == first->track && leg->part.end == first->end);
		reported->time[first->track][flow_state_of_part(first)] +=
			first->end - first->begin;
	} else {
		mix_check(reported, leg);
	}
	reported->at = leg->part.end;
	reported->parts += (size_t)leg->parts;
	reported->weight++;
	reported->legs++;
}

static struct reported path_check(const struct flow_path *path)
{
	struct reported reported = {.at = BEGIN, .below = path->mixed_below};
	nsec_t time[TRACKS][FLOW_STATE_COUNT] = {{0}};

	flow_path_visit(path, on_leg, &reported);
	for (size_t i = 0; i < part_count; i++)
		time[part_kept[i].track][flow_state_of_part(&part_kept[i])] +=
			part_kept[i].end - part_kept[i].begin;
	for (size_t track = 0; track < TRACKS; track++)
		for (size_t state = 0; state < FLOW_STATE_COUNT; state++)
			ck_assert_uint_eq(reported.time[track][state], time[track][state]);
	ck_assert_uint_eq(reported.parts, part_count);
	ck_assert_uint_eq(reported.at, part_kept[part_count - 1].end);
	return reported;
}

START_TEST(few_parts_are_reported_as_they_are)
{
	struct flow_path path;

	path_make_random();
	flow_path_settle(&path, &log_kept, PARTS);
	ck_assert_uint_eq(path.mixed_below, 0);
	ck_assert_uint_eq(path.mixed, 0);
	ck_assert_uint_eq(path_check(&path).legs, PARTS);
}
END_TEST

START_TEST(no_path_has_no_leg)
{
	struct flow_path path;
	struct reported reported = {0};

	flow_path_settle(&path, &log_kept, 0);
	flow_path_visit(&path, on_leg, &reported);
	ck_assert_uint_eq(reported.legs, 0);
	ck_assert_uint_eq(path.mixed, 0);
}
END_TEST

START_TEST(short_neighbours_of_all_tasks_are_joined)
{
	const struct part parts[] = {
		part_of(5, 0, PART_RUNNING), part_of(3, 1, PART_RUNNABLE), /* long enough */
		part_of(4, 0, PART_RUNNING), part_of(100, 1, PART_WAITING),
		part_of(2, 2, PART_RUNNING), part_of(2, 2, PART_RUNNING),
	};
	struct flow_path path = {.log = &log_kept, .tracks = TRACKS, .mixed_below = 8};
	struct reported reported;

	path_make(parts, ARRAY_SIZE(parts));
	reported = path_check(&path);
	ck_assert_uint_eq(reported.legs, 4);
	ck_assert_uint_eq(reported.mixed, 4);
	ck_assert_uint_eq(reported.weight, 7); /* of the same task and state there is one share */
}
END_TEST

START_TEST(no_more_is_joined_than_must)
{
	size_t last = PARTS;

	path_make_random();
	for (size_t most = PARTS; most > 30; most = most * 2 / 3) {
		struct flow_path path;
		struct reported reported;

		flow_path_settle(&path, &log_kept, most);
		reported = path_check(&path);
		ck_assert_uint_le(reported.weight, most);
		ck_assert_uint_le(reported.legs, last);
		ck_assert_uint_eq(reported.mixed, path.mixed);
		last = reported.legs;
		if (path.mixed_below > FLOW_MIXED_BELOW_MIN) {
			path.mixed_below /= 2;
			ck_assert_uint_gt(path_check(&path).weight, most);
		}
	}
	ck_assert_uint_lt(last, 100);
}
END_TEST

/* A path of so many tasks that even one leg of all has more to say. */
START_TEST(what_cannot_be_settled_ends)
{
	struct flow_path path;

	path_make_random();
	flow_path_settle(&path, &log_kept, 3);
	ck_assert_uint_eq(path_check(&path).legs, 1);
	ck_assert_uint_eq(path.mixed, PARTS);
}
END_TEST

Suite *flow_path_suite(void)
{
	Suite *suite = suite_create("flow_path");
	TCase *tests = tcase_create("flow_path");

	tcase_add_checked_fixture(tests, path_setup, path_teardown);
	tcase_add_test(tests, few_parts_are_reported_as_they_are);
	tcase_add_test(tests, no_path_has_no_leg);
	tcase_add_test(tests, short_neighbours_of_all_tasks_are_joined);
	tcase_add_test(tests, no_more_is_joined_than_must);
	tcase_add_test(tests, what_cannot_be_settled_ends);
	suite_add_tcase(suite, tests);
	return suite;
}
