/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analysis/wait_list.h"
#include "suites.h"

#define TRACKS   9
#define SEGMENTS 60 /* of a track */

static struct timeline timeline;
static bool is_asked[TRACKS];
static struct asked asked;
static const struct resolved resolved = {.end = 1000000, .is_asked = is_asked};
static const struct question question = {
	.asked = &asked, .resolved = &resolved, .timeline = &timeline};
static size_t wait_count; /* of the asked tracks */

static uint64_t seed = 1;

static uint64_t below(uint64_t limit)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (seed >> 33) % limit;
}

/* Short segments, so that many waits of different tracks begin at one time, or have no length. */
static void tracks_setup(void)
{
	timeline_init(&timeline, /* keep_segments= */ true);
	wait_count = 0;
	for (uint32_t track = 0; track < TRACKS; track++) {
		nsec_t begin = below(5);

		(void)timeline_add_track(&timeline, 100 + (int32_t)track);
		is_asked[track] = track != 3;
		for (int i = 0; track != 5 && i < SEGMENTS; i++) {
			nsec_t end = begin + below(4);
			bool is_wait = below(3) == 0;

			timeline_add_span(&timeline,
			                  &(struct span){
						  .track = track,
						  .begin = begin,
						  .end = end,
						  .kind = is_wait ? SEGMENT_WAIT : SEGMENT_RUN,
						  .detail = 'S',
					  });
			wait_count += is_wait && is_asked[track];
			begin = end;
		}
	}
	asked = (struct asked)ASKED_EVERYTHING;
}

static void tracks_teardown(void)
{
	timeline_release(&timeline);
}

START_TEST(waits_come_in_order_of_begin)
{
	struct wait_stream stream;
	struct wait wait, last = {0};
	size_t count = 0;

	wait_stream_init(&stream, &question);
	for (; wait_stream_next(&stream, &wait); last = wait) {
		ck_assert(is_asked[wait.track]);
		ck_assert_uint_eq(timeline.track[wait.track].segment[wait.segment].begin,
		                  wait.begin);
		if (count++ == 0)
			continue;
		ck_assert_uint_ge(wait.begin, last.begin);
		if (wait.begin == last.begin)
			ck_assert_uint_ge(wait.track, last.track);
		if (wait.begin == last.begin && wait.track == last.track)
			ck_assert_uint_gt(wait.segment, last.segment);
	}
	ck_assert_uint_gt(count, TRACKS);
	ck_assert_uint_eq(count, wait_count);
	ck_assert(!wait_stream_next(&stream, &wait));
	wait_stream_release(&stream);
}
END_TEST

START_TEST(asked_wait_is_counted)
{
	struct buffer why;

	buffer_init(&why, 256);
	ck_assert(wait_list_has_asked(&question, &why));
	asked.wait = wait_count;
	ck_assert(wait_list_has_asked(&question, &why));
	ck_assert_str_eq(why.text, "");
	asked.wait = wait_count + 1;
	ck_assert(!wait_list_has_asked(&question, &why));
	ck_assert_ptr_nonnull(strstr(why.text, "no wait"));
	buffer_release(&why);
}
END_TEST

Suite *wait_list_suite(void)
{
	Suite *suite = suite_create("wait_list");
	TCase *tests = tcase_create("wait_list");

	tcase_add_checked_fixture(tests, tracks_setup, tracks_teardown);
	tcase_add_test(tests, waits_come_in_order_of_begin);
	tcase_add_test(tests, asked_wait_is_counted);
	suite_add_tcase(suite, tests);
	return suite;
}
