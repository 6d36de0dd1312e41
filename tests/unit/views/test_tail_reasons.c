/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "views/tail/tail_reasons.h"

#include "base/data/array.h"

#include "suites.h"

/* Keys by the order in which the fixture makes them, behind TAIL_KEY_OTHER. */
enum {RAN = 1, LOCK, DISK, QUEUE};

static struct timeline timeline;
static struct interrupt_log interrupts;
static struct tail_units units;
static struct tail_answer answer;

static void key_put(enum tail_what what, enum aim_kind aim)
{
	(void)tally_row(&units.keys, &(struct tail_key){.what = what, .aim.kind = aim});
}

static void setup(void)
{
	timeline_init(&timeline, /* keep_segments= */ true);
	interrupts = (struct interrupt_log){0};
	tail_units_init(&units, &timeline, &interrupts);
	key_put(TAIL_RAN, AIM_NONE);
	key_put(TAIL_WAIT, AIM_LOCK);
	key_put(TAIL_WAIT, AIM_DISK);
	key_put(TAIL_QUEUE, AIM_NONE);
	answer = (struct tail_answer){0};
}

static void teardown(void)
{
	tail_answer_release(&answer);
	tail_units_release(&units);
	timeline_release(&timeline);
}

static void part_put(uint32_t key, nsec_t total)
{
	if (total == 0)
		return;
	ARRAY_GROW(units.part, units.part_count, units.part_capacity);
	units.part[units.part_count++] =
		(struct tail_part){.key = key, .leaf = TAIL_NONE, .total = total};
}

/* A unit that ran so long, waited for the lock and the disk, and was queued. */
static void unit_put(nsec_t ran, nsec_t lock, nsec_t disk, nsec_t queue)
{
	struct tail_unit unit = {.first = units.part_count, .begin = units.count};

	part_put(RAN, ran);
	part_put(LOCK, lock);
	part_put(DISK, disk);
	part_put(QUEUE, queue);
	unit.count = (uint32_t)(units.part_count - unit.first);
	unit.length = ran + lock + disk + queue;
	unit.end = unit.begin + unit.length;
	ARRAY_GROW(units.unit, units.count, units.capacity);
	units.unit[units.count++] = unit;
}

/* So many that ran for 91 to 110. */
static void plain_put(size_t count)
{
	for (size_t i = 0; i < count; i++)
		unit_put(91 + i % 20, 0, 0, 0);
}

static void ask(double part)
{
	tail_answer_init(&answer, &units, part);
	tail_answer_find(&answer);
}

static const struct tail_reason *reason(uint32_t key)
{
	for (size_t i = 0; i < answer.reason_count; i++)
		if (answer.reason[i].key == key)
			return &answer.reason[i];
	ck_abort_msg("no unit votes for key %u", key);
	return NULL;
}

START_TEST(what_only_slow_ones_have_is_named)
{
	plain_put(400);
	for (size_t i = 0; i < 8; i++)
		unit_put(100, 1000, 0, 0);
	ask(0);
	ck_assert_uint_eq(answer.far, 8);
	ck_assert_uint_eq(answer.median, 101);
	ck_assert_uint_eq(answer.reason_count, 1);
	ck_assert(reason(LOCK)->is_named);
	ck_assert_uint_eq(reason(LOCK)->votes, 8);
	ck_assert_uint_eq(reason(LOCK)->slow_with, 8);
	ck_assert_uint_eq(reason(LOCK)->all_with, 8);
	ck_assert_uint_eq(reason(LOCK)->excess, 1000);
	ck_assert_uint_eq(answer.p99, 1100);
	ck_assert_uint_eq(reason(LOCK)->p99_without, 110);
}
END_TEST

/* Votes tell them apart, where means would show both. */
START_TEST(two_causes_are_two_reasons)
{
	plain_put(400);
	for (size_t i = 0; i < 5; i++) {
		unit_put(100, 1000, 0, 0);
		unit_put(100, 0, 3000, 0);
	}
	ask(0);
	ck_assert_uint_eq(answer.reason_count, 2);
	ck_assert(reason(LOCK)->is_named && reason(DISK)->is_named);
	ck_assert_uint_eq(reason(LOCK)->votes, 5);
	ck_assert_uint_eq(reason(DISK)->excess, 3000);
}
END_TEST

/* Running for longer is what others do, too, only less so. */
START_TEST(what_others_have_is_not_named)
{
	plain_put(300);
	for (size_t i = 0; i < 40; i++)
		unit_put(135, 0, 0, 0);
	for (size_t i = 0; i < 8; i++)
		unit_put(150 + i, 0, 0, 0);
	ask(0);
	ck_assert_uint_eq(answer.far, 8);
	ck_assert_uint_eq(reason(RAN)->votes, 8);
	ck_assert_uint_eq(reason(RAN)->all_with, 48);
	ck_assert_double_lt(reason(RAN)->p, 0.05);
	ck_assert(!reason(RAN)->is_named);
}
END_TEST

START_TEST(nothing_that_has_half_is_several_things)
{
	plain_put(400);
	for (size_t i = 0; i < 5; i++)
		unit_put(100, 300, 300, 300);
	ask(0);
	ck_assert_uint_eq(answer.reason_count, 1);
	ck_assert_uint_eq(reason(TAIL_SEVERAL)->votes, 5);
	ck_assert_uint_eq(reason(TAIL_SEVERAL)->excess, 899);
	ck_assert(!reason(TAIL_SEVERAL)->is_named);
}
END_TEST

START_TEST(exactly_half_is_a_reason)
{
	plain_put(400);
	for (size_t i = 0; i < 5; i++)
		unit_put(100, 500, 250, 250);
	ask(0);
	ck_assert_uint_eq(reason(LOCK)->votes, 5);
}
END_TEST

START_TEST(time_for_which_there_is_no_room_is_no_reason)
{
	plain_put(400);
	for (size_t i = 0; i < 5; i++) {
		unit_put(100, 0, 0, 1000);
		units.part[units.part_count - 1].key = TAIL_KEY_OTHER;
	}
	ask(0);
	ck_assert_uint_eq(reason(TAIL_SEVERAL)->votes, 5);
}
END_TEST

START_TEST(two_far_units_prove_nothing)
{
	plain_put(400);
	unit_put(100, 1000, 0, 0);
	unit_put(100, 1000, 0, 0);
	ask(0);
	ck_assert_uint_eq(answer.far, 2);
	ck_assert_double_lt(reason(LOCK)->p, 0.05);
	ck_assert(!reason(LOCK)->is_named);
}
END_TEST

START_TEST(one_vote_proves_nothing)
{
	plain_put(400);
	for (size_t i = 0; i < 3; i++)
		unit_put(100, i == 0 ? 1000 : 0, i == 1 ? 1000 : 0, i == 2 ? 1000 : 0);
	ask(0);
	ck_assert_uint_eq(answer.far, 3);
	ck_assert(!reason(LOCK)->is_named && !reason(DISK)->is_named && !reason(QUEUE)->is_named);
	/* Holm: 3 questions, of which each alone has 3 / 403 */
	ck_assert_double_eq_tol(reason(LOCK)->p, 9.0 / 403, 1e-9);
}
END_TEST

START_TEST(a_part_may_be_asked_for)
{
	plain_put(400);
	ask(0);
	ck_assert_uint_eq(answer.far, 0);
	ck_assert_uint_eq(answer.profile_count, 0);
	tail_answer_release(&answer);
	ask(0.05);
	ck_assert_uint_eq(answer.fence, 109);
	ck_assert_uint_eq(answer.far, 20);
	ck_assert_uint_eq(reason(RAN)->votes, 20);
	ck_assert(!reason(RAN)->is_named);
}
END_TEST

START_TEST(the_profile_sums_to_the_means)
{
	nsec_t slow = 0, other = 0, far_sum = 0, sum = 0;

	plain_put(401);
	for (size_t i = 0; i < 7; i++)
		unit_put(101 + i, 1001 + 3 * i, 17, 13 * i);
	ask(0);
	ck_assert_uint_eq(answer.far, 7);
	for (size_t i = 0; i < units.count; i++)
		*(answer.vote[i] == TAIL_NONE ? &sum : &far_sum) += units.unit[i].length;
	for (size_t i = 0; i < answer.profile_count; i++) {
		slow += answer.profile[i].slow;
		other += answer.profile[i].other;
	}
	ck_assert_uint_eq(answer.profile[0].key, LOCK);
	ck_assert_uint_eq(slow, far_sum / 7);
	ck_assert_uint_eq(other, sum / 401);
}
END_TEST

/* The last unit's wait for the lock has that leaf for so long, another one for the rest but 3. */
static void leaves_put(uint32_t main, nsec_t of_leaf, uint32_t more)
{
	struct tail_unit *unit = &units.unit[units.count - 1];
	struct tail_part *part = tail_unit_part(&units, unit, LOCK);

	part->leaf = main;
	part->of_leaf = of_leaf;
	unit->more = units.more_count;
	unit->more_count = 1;
	ARRAY_GROW(units.more, units.more_count, units.more_capacity);
	units.more[units.more_count++] =
		(struct tail_more){LOCK, more, part->total - of_leaf - 3};
}

/* One key may have another leaf in each unit. */
START_TEST(the_leaves_sum_to_their_key)
{
	const struct tail_profile *row;
	const struct tail_leaf_profile *leaf;
	nsec_t slow = 0, other = 0;

	plain_put(400);
	for (size_t i = 0; i < 7; i++) {
		unit_put(101, 1001 + 3 * i, 0, 0);
		leaves_put(i < 4 ? 5 : 6, 900 + i, 8);
	}
	ask(0);
	row = &answer.profile[0];
	leaf = &answer.leaf[row->first];
	ck_assert_uint_eq(row->key, LOCK);
	ck_assert_uint_eq(row->leaves, 4);
	for (size_t i = 0; i < row->leaves; i++) {
		ck_assert_uint_eq(leaf[i].of.key, LOCK);
		slow += leaf[i].slow.total;
		other += leaf[i].other.total;
	}
	ck_assert_uint_eq(slow, row->slow);
	ck_assert_uint_eq(other, 0);
	ck_assert_uint_eq(leaf[0].of.leaf, 5);
	ck_assert_uint_eq(leaf[0].slow.total, (900 + 901 + 902 + 903) / 7);
	ck_assert_uint_eq(leaf[0].slow.count, 4);
	ck_assert_uint_eq(leaf[0].slow.longest, 903);
	ck_assert_uint_eq(leaf[0].slow.longest_at, 403);
	ck_assert_uint_eq(leaf[1].of.leaf, 6);
	ck_assert_uint_eq(leaf[1].slow.count, 3);
	ck_assert_uint_eq(leaf[2].of.leaf, 8);
	ck_assert_uint_eq(leaf[2].slow.count, 0);
	ck_assert_uint_eq(leaf[3].of.leaf, TAIL_NONE);
	ck_assert_uint_eq(leaf[3].slow.total, 3);
}
END_TEST

/* Each of many keys has a vote: no more than can be looked at are reasons, and none is named. */
START_TEST(there_are_not_too_many_reasons)
{
	size_t votes = 0;

	plain_put(4000);
	for (uint32_t i = 0; i < 300; i++) {
		const struct tail_key key = {.what = TAIL_QUEUE, .behind = i + 1};

		(void)tally_row(&units.keys, &key);
		unit_put(100, 0, 0, 1000);
		units.part[units.part_count - 1].key = (uint32_t)units.key_count - 1;
	}
	ask(0);
	ck_assert_uint_eq(answer.far, 300);
	for (size_t i = 0; i < answer.reason_count; i++) {
		votes += answer.reason[i].votes;
		ck_assert(!answer.reason[i].is_named);
	}
	ck_assert_uint_eq(votes, 300);
	ck_assert_uint_lt(answer.reason_count, 100);
}
END_TEST

START_TEST(without_units_there_is_nothing)
{
	ask(0);
	ck_assert_uint_eq(answer.count + answer.far + answer.reason_count, 0);
	ck_assert_uint_eq(answer.median, 0);
}
END_TEST

Suite *tail_reasons_suite(void)
{
	Suite *suite = suite_create("tail_reasons");
	TCase *tests = tcase_create("tail_reasons");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, what_only_slow_ones_have_is_named);
	tcase_add_test(tests, two_causes_are_two_reasons);
	tcase_add_test(tests, what_others_have_is_not_named);
	tcase_add_test(tests, nothing_that_has_half_is_several_things);
	tcase_add_test(tests, exactly_half_is_a_reason);
	tcase_add_test(tests, time_for_which_there_is_no_room_is_no_reason);
	tcase_add_test(tests, two_far_units_prove_nothing);
	tcase_add_test(tests, one_vote_proves_nothing);
	tcase_add_test(tests, a_part_may_be_asked_for);
	tcase_add_test(tests, the_profile_sums_to_the_means);
	tcase_add_test(tests, the_leaves_sum_to_their_key);
	tcase_add_test(tests, there_are_not_too_many_reasons);
	tcase_add_test(tests, without_units_there_is_nothing);
	suite_add_tcase(suite, tests);
	return suite;
}
