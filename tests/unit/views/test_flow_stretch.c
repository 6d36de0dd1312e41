/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "views/flow/flow_path.h"

#include "suites.h"

#define SEGMENTS 500

static struct timeline timeline;
static uint32_t index_of_track;

/* Segments of those lengths, in turns running, runnable and waiting. */
static void track_make(const nsec_t *length, size_t count)
{
	static const enum segment_kind kinds[] = {SEGMENT_RUN, SEGMENT_WAIT, SEGMENT_RUNNABLE};
	nsec_t at = 1000;

	timeline_init(&timeline, /* keep_segments= */ true);
	index_of_track = timeline_add_track(&timeline, 7);
	for (size_t i = 0; i < count; i++) {
		timeline_add_span(&timeline, &(struct span){
						     .track = index_of_track,
						     .begin = at,
						     .end = at + length[i],
						     .kind = kinds[i % 3],
					     });
		at += length[i];
	}
}

static struct track *track_at(void)
{
	return &timeline.track[index_of_track];
}

/* They tile what the window leaves, and what they were made of sums to them; how many. */
static size_t check_tiles(const struct flow_scale *scale, nsec_t begin, nsec_t end)
{
	struct flow_stretch stretch = {0};
	nsec_t at = begin;
	size_t count = 0;

	while (flow_stretch_next(scale, track_at(), &stretch)) {
		nsec_t time[FLOW_STATE_COUNT] = {0}, sum = 0;
		uint64_t segments =
			flow_stretch_mix(scale, &timeline, track_at(), &stretch, time);

		ck_assert_uint_eq(stretch.begin, at);
		ck_assert_uint_lt(stretch.begin, stretch.end);
		for (unsigned i = 0; i < FLOW_STATE_COUNT; i++)
			sum += time[i];
		ck_assert_uint_eq(sum, stretch.end - stretch.begin);
		ck_assert_uint_ge(segments, 1);
		at = stretch.end;
		count++;
	}
	ck_assert_uint_eq(at, end);
	return count;
}

START_TEST(each_segment_is_a_stretch)
{
	static const nsec_t lengths[] = {10, 20, 30, 40};
	const struct flow_scale all = {.begin = 0, .end = 5000};
	const struct flow_scale part = {.begin = 1015, .end = 1035};
	struct flow_stretch stretch = {0};

	track_make(lengths, 4);
	ck_assert_uint_eq(check_tiles(&all, 1000, 1100), 4);
	ck_assert_uint_eq(check_tiles(&part, 1015, 1035), 2);
	ck_assert(flow_stretch_next(&part, track_at(), &stretch));
	ck_assert_uint_eq(stretch.first, 1);
	timeline_release(&timeline);
}
END_TEST

START_TEST(nothing_without_length_is_reported)
{
	static const nsec_t lengths[] = {0, 10, 0, 20, 0};
	const struct flow_scale all = {.begin = 0, .end = 5000};
	const struct flow_scale beside = {.begin = 2000, .end = 5000};
	const struct flow_scale mixed = {.begin = 0, .end = 5000, .mixed_below = 15};

	track_make(lengths, 5);
	ck_assert_uint_eq(check_tiles(&all, 1000, 1030), 2);
	ck_assert_uint_eq(check_tiles(&beside, 2000, 2000), 0);
	ck_assert_uint_eq(check_tiles(&mixed, 1000, 1030), 2);
	timeline_release(&timeline);
}
END_TEST

START_TEST(short_neighbours_are_joined)
{
	static const nsec_t lengths[] = {5, 5, 5, 100, 5, 100, 9, 9, 9};
	const struct flow_scale scale = {.begin = 0, .end = 5000, .mixed_below = 10};
	static const size_t counts[] = {2, 1, 1, 1, 1, 2, 1};
	struct flow_stretch stretch = {0};
	nsec_t time[FLOW_STATE_COUNT] = {0};

	track_make(lengths, 9);
	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		ck_assert(flow_stretch_next(&scale, track_at(), &stretch));
		ck_assert_uint_eq(stretch.count, counts[i]);
		if (i == 0)
			ck_assert_uint_eq(
				flow_stretch_mix(&scale, &timeline, track_at(), &stretch, time), 2);
	}
	ck_assert(!flow_stretch_next(&scale, track_at(), &stretch));
	ck_assert_uint_eq(time[FLOW_RUNNING], 5);
	ck_assert_uint_eq(time[FLOW_WAIT + CAUSE_UNKNOWN], 5);
	timeline_release(&timeline);
}
END_TEST

START_TEST(any_scale_tiles)
{
	nsec_t lengths[SEGMENTS], sum = 0;
	size_t last = SIZE_MAX;
	uint64_t random = 12345;

	for (size_t i = 0; i < SEGMENTS; i++) {
		random = random * 6364136223846793005u + 1442695040888963407u;
		lengths[i] = random >> 40 & (random >> 33 & 1 ? 0xff : 0xfff);
		sum += lengths[i];
	}
	track_make(lengths, SEGMENTS);
	for (nsec_t below = 0; below < 10000; below = below * 2 + 1) {
		const struct flow_scale scale = {
			.begin = 1500, .end = 1000 + sum - 500, .mixed_below = below,
		};
		size_t count = check_tiles(&scale, 1500, 1000 + sum - 500);

		ck_assert_uint_le(count, last);
		last = count;
	}
	ck_assert_uint_lt(last, SEGMENTS / 4);
	timeline_release(&timeline);
}
END_TEST

Suite *flow_stretch_suite(void)
{
	Suite *suite = suite_create("flow_stretch");
	TCase *tests = tcase_create("flow_stretch");

	tcase_add_test(tests, each_segment_is_a_stretch);
	tcase_add_test(tests, nothing_without_length_is_reported);
	tcase_add_test(tests, short_neighbours_are_joined);
	tcase_add_test(tests, any_scale_tiles);
	suite_add_tcase(suite, tests);
	return suite;
}
