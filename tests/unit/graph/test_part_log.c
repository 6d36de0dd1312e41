/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>

#include "base/data/array.h"
#include "graph/walk/part_log.h"
#include "suites.h"

#define CAUSES 300

static struct timeline timeline;
static struct part_log log_kept;

static void log_setup(void)
{
	uint32_t track;

	timeline_init(&timeline, /* keep_segments= */ true);
	track = timeline_add_track(&timeline, 1);
	for (nsec_t i = 0; i < CAUSES; i++) {
		struct cause_note note;

		cause_note_init(&note, CAUSE_DISK, CONFIDENCE_HIGH);
		note.origin = i; /* no two are the same */
		timeline_add_span(&timeline, &(struct span){.track = track,
		                                            .begin = i,
		                                            .end = i + 1,
		                                            .kind = SEGMENT_WAIT,
		                                            .cause = &note});
	}
	ck_assert_uint_eq(timeline.cause_count, CAUSES);
	part_log_init(&log_kept, &timeline);
}

static void log_teardown(void)
{
	part_log_release(&log_kept);
	timeline_release(&timeline);
}

/* The parts that were added, and how many of them were told so far. */
struct expected {
	struct part *part;
	size_t count, reported;
};

static void expected_on_part(void *state, const struct part *part)
{
	struct expected *expected = state;
	const struct part *meant;

	ck_assert(expected->reported < expected->count);
	meant = &expected->part[expected->count - ++expected->reported];
	ck_assert(part->begin == meant->begin);
	ck_assert(part->end == meant->end);
	ck_assert(part->depth == meant->depth);
	ck_assert(part->track == meant->track);
	ck_assert((int)part->state == (int)meant->state);
	ck_assert(part->cpu == meant->cpu);
	ck_assert(part->cause == meant->cause);
	ck_assert((int)part->confidence == (int)meant->confidence);
	ck_assert(part->is_open == meant->is_open);
	ck_assert(part->is_inferred == meant->is_inferred);
}

static uint64_t seed = 1;

static uint64_t below(uint64_t limit)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (seed >> 33) % limit;
}

/* Small and large numbers alike, up to `bits` long. */
static uint64_t any_number(unsigned bits)
{
	uint64_t all = below(UINT32_MAX) << 32 | below(UINT32_MAX);

	return all >> (64 - 1 - below(bits));
}

static const struct cause_note *any_cause(void)
{
	switch (below(4)) {
	case 0:
		return NULL;
	case 1:
		return timeline_named_cause(&timeline, CAUSE_WORK_PENDING, (uint32_t)below(9));
	default:
		return &timeline.cause[below(CAUSES)];
	}
}

static struct part any_part(nsec_t end)
{
	nsec_t length = any_number(30);

	return (struct part){
		.begin = end - length,
		.end = end,
		.depth = (uint32_t)any_number(20),
		.track = (uint32_t)any_number(22),
		.state = (enum part_state)below(PART_STATE_COUNT),
		.cpu = (uint16_t)any_number(15),
		.cause = any_cause(),
		.confidence = (enum confidence)below(CONFIDENCE_HIGH + 1),
		.is_open = below(2),
		.is_inferred = below(2),
	};
}

static void check_round_trip(struct part *part, size_t count)
{
	struct expected expected = {part, count, 0};

	for (size_t i = 0; i < count; i++)
		part_log_add(&log_kept, &part[i]);
	part_log_visit(&log_kept, expected_on_part, &expected);
	ck_assert_uint_eq(expected.reported, count);
	expected.reported = 0;
	part_log_visit(&log_kept, expected_on_part, &expected); /* telling changes nothing */
	ck_assert_uint_eq(expected.reported, count);
	ck_assert_uint_le(log_kept.byte_count, count * PART_BYTES_MAX);
}

static const size_t counts[] = {
	0, 1, 2, PART_BLOCK - 1, PART_BLOCK, PART_BLOCK + 1, 5 * PART_BLOCK, 20000};

/* Block borders; parts that come again, as a walk's do, between those that do not. */
START_TEST(any_parts_come_back)
{
	size_t count = counts[_i];
	struct part *part = xcalloc(count + 1, sizeof(*part));
	nsec_t end = (nsec_t)1 << 60;

	for (size_t i = 0; i < count; i++) {
		part[i] = any_part(end);
		if (i >= 8 && below(2)) {
			nsec_t length = part[i].end - part[i].begin;

			part[i] = part[i - 1 - below(8)];
			part[i].begin = end - length;
			part[i].end = end;
		}
		end = part[i].begin;
	}
	check_round_trip(part, count);
	free(part);
}
END_TEST

START_TEST(greatest_numbers_fit)
{
	struct part part[] = {
		{
			.begin = 0,
			.end = NSEC_NEVER,
			.depth = UINT32_MAX,
			.track = UINT32_MAX,
			.state = PART_CUT,
			.cpu = UINT16_MAX,
			.cause = &timeline.cause[CAUSES - 1],
			.confidence = CONFIDENCE_HIGH,
			.is_open = true,
		},
		{.begin = 0, .end = 0},
	};

	check_round_trip(part, ARRAY_SIZE(part));
}
END_TEST

/* Two tasks that pass a token to and fro: what makes paths long. */
START_TEST(like_parts_take_few_bytes)
{
	enum { PARTS = 10 * PART_BLOCK };
	nsec_t end = (nsec_t)1 << 60;

	for (size_t i = 0; i < PARTS; i++) {
		struct part part = {
			.begin = end - 2000 - below(2000),
			.end = end,
			.track = 100 + (uint32_t)(i / 2 % 2),
			.depth = (uint32_t)(i / 2 % 2),
			.state = i % 2 ? PART_RUNNING : PART_RUNNABLE,
			.cpu = (uint16_t)(i / 2 % 2),
			.confidence = CONFIDENCE_HIGH,
		};

		part_log_add(&log_kept, &part);
		end = part.begin;
	}
	ck_assert_uint_le(log_kept.byte_count, 31 * PARTS / 10);
}
END_TEST

/* Each with a disk request of its own. */
START_TEST(fresh_causes_take_few_bytes)
{
	nsec_t end = (nsec_t)1 << 60;

	for (size_t i = CAUSES; i-- > 0;) {
		struct part part = {
			.begin = end - 500000,
			.end = end,
			.track = 1000,
			.state = PART_WAITING,
			.cause = &timeline.cause[i],
			.confidence = CONFIDENCE_HIGH,
		};

		part_log_add(&log_kept, &part);
		end = part.begin;
	}
	ck_assert_uint_le(log_kept.byte_count, 10 * CAUSES);
}
END_TEST

Suite *part_log_suite(void)
{
	Suite *suite = suite_create("part_log");
	TCase *tests = tcase_create("part_log");

	tcase_add_checked_fixture(tests, log_setup, log_teardown);
	tcase_add_loop_test(tests, any_parts_come_back, 0, (int)ARRAY_SIZE(counts));
	tcase_add_test(tests, greatest_numbers_fit);
	tcase_add_test(tests, like_parts_take_few_bytes);
	tcase_add_test(tests, fresh_causes_take_few_bytes);
	suite_add_tcase(suite, tests);
	return suite;
}
