/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "views/tail/tail_reasons.h"

#include "base/data/array.h"
#include "views/tail/tail_measure.h"

#include "suites.h"

/* Keys by the order in which the fixture makes them, behind TAIL_KEY_OTHER. */
enum {RAN = 1, LOCK, DISK, QUEUE};

static struct timeline timeline;
static struct interrupt_log interrupts;
static struct sync_calls syncs;
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
	tail_units_init(&units, &timeline, &interrupts, &syncs);
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
		(struct tail_part){.key = key, .total = total};
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

/* The last unit's wait for the lock has these leaves, by their times. */
static void leaves_put(uint32_t a, nsec_t of_a, uint32_t b, nsec_t of_b)
{
	struct tail_part *part = &units.part[units.part_count - 1];
	const struct tail_leaf_time time[] = {{a, of_a}, {b, of_b}};

	part->first_leaf = units.leaf_time_count;
	part->leaf_count = of_b ? 2 : 1;
	for (size_t i = 0; i < part->leaf_count; i++) {
		ARRAY_GROW(units.leaf_time, units.leaf_time_count, units.leaf_time_capacity);
		units.leaf_time[units.leaf_time_count++] = time[i];
	}
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
		leaves_put(i < 4 ? 5 : 6, 900 + i, 8, 98 + 2 * i);
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
		const struct tail_key key = {.what = TAIL_WAIT, .behind = i + 1};

		(void)tally_row(&units.keys, &key);
		unit_put(100, 1000, 0, 0);
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

/* So many units that were queued because of that task; returns its key. */
static uint32_t queued_put(uint32_t name, size_t count, nsec_t queue)
{
	const struct tail_key key = {.what = TAIL_QUEUE, .behind = name};
	uint32_t number = tally_number(&units.keys, tally_row(&units.keys, &key));

	for (size_t i = 0; i < count; i++) {
		unit_put(100, 0, 0, queue);
		units.part[units.part_count - 1].key = number;
	}
	return number;
}

/* Each one alone has too few votes. */
START_TEST(those_who_had_the_cpu_are_one_reason_together)
{
	uint32_t first;

	plain_put(400);
	first = queued_put(1, 1, 1001);
	for (uint32_t name = 2; name <= 5; name++)
		(void)queued_put(name, 1, 1000 + name);
	ask(0);
	ck_assert_uint_eq(answer.far, 5);
	ck_assert_uint_eq(answer.reason_count, 1);
	ck_assert(reason(QUEUE)->is_named && reason(QUEUE)->is_pooled);
	ck_assert_uint_eq(reason(QUEUE)->votes, 5);
	ck_assert_uint_eq(reason(QUEUE)->all_with, 5);
	ck_assert_uint_eq(reason(QUEUE)->excess, 1003);
	ck_assert_uint_eq(reason(QUEUE)->pooled_count, 5);
	ck_assert_uint_eq(reason(QUEUE)->pooled[0].key, first);
	ck_assert_uint_eq(reason(QUEUE)->p99_without, 110);
	/* of each one unit the reason stays the task */
	ck_assert_uint_eq(answer.vote[400], first);
}
END_TEST

/* A few of many are preempted on any machine. */
START_TEST(few_who_had_the_cpu_are_no_reason_together)
{
	plain_put(400);
	for (uint32_t name = 1; name <= 4; name++)
		(void)queued_put(name, 1, 1000);
	ask(0);
	ck_assert_uint_eq(answer.reason_count, 4);
	for (size_t i = 0; i < answer.reason_count; i++)
		ck_assert(!answer.reason[i].is_named && !answer.reason[i].is_pooled);
}
END_TEST

START_TEST(one_who_had_the_cpu_is_named_alone)
{
	uint32_t key;

	plain_put(400);
	key = queued_put(1, 3, 1000);
	(void)queued_put(2, 1, 1000);
	(void)queued_put(3, 1, 1000);
	ask(0);
	ck_assert_uint_eq(answer.reason_count, 3);
	ck_assert(reason(key)->is_named && !reason(key)->is_pooled);
}
END_TEST

/* Those who are not named alone. */
START_TEST(the_others_who_had_the_cpu_are_one_reason)
{
	uint32_t key;

	plain_put(600);
	key = queued_put(1, 8, 1000);
	for (uint32_t name = 2; name <= 7; name++)
		(void)queued_put(name, 1, 2000);
	ask(0);
	ck_assert_uint_eq(answer.reason_count, 2);
	ck_assert(reason(key)->is_named && !reason(key)->is_pooled);
	ck_assert(reason(QUEUE)->is_named && reason(QUEUE)->is_pooled);
	ck_assert_uint_eq(reason(QUEUE)->votes, 6);
	ck_assert_uint_eq(reason(QUEUE)->all_with, 6);
	ck_assert_uint_eq(reason(QUEUE)->excess, 2000);
}
END_TEST

/* Others were queued as long, but are not far. */
START_TEST(queues_that_many_have_are_no_reason_together)
{
	plain_put(400);
	for (uint32_t name = 1; name <= 20; name++)
		(void)queued_put(name, 1, 80);
	for (uint32_t name = 1; name <= 4; name++)
		(void)queued_put(100 + name, 1, 120);
	ask(0.01);
	for (size_t i = 0; i < answer.reason_count; i++)
		ck_assert(!answer.reason[i].is_named && !answer.reason[i].is_pooled);
}
END_TEST

enum {WORK, SLEEP, NET};

/* All wait for what the holder works; the slow ones for its sleep, too, which is shorter. */
START_TEST(the_leaf_is_what_the_slow_ones_have_more_of)
{
	for (size_t i = 0; i < 400; i++) {
		unit_put(91 + i % 20, 1000, 0, 0);
		leaves_put(WORK, 1000, 0, 0);
	}
	for (size_t i = 0; i < 8; i++) {
		unit_put(100, 1700, 0, 0);
		leaves_put(WORK, 1000, SLEEP, 700);
	}
	ask(0);
	ck_assert_uint_eq(answer.reason_count, 1);
	ck_assert(reason(LOCK)->is_named && !reason(LOCK)->is_by_leaf);
	ck_assert_uint_eq(reason(LOCK)->leaf, SLEEP);
}
END_TEST

/* Waits for the lock differ by nothing but what its holder did meanwhile. */
START_TEST(a_key_that_many_have_is_divided_by_leaf)
{
	plain_put(400);
	for (size_t i = 0; i < 40; i++) {
		unit_put(30, 70, 0, 0);
		leaves_put(WORK, 70, 0, 0);
	}
	for (size_t i = 0; i < 8; i++) {
		unit_put(100, 100, 0, 0);
		leaves_put(SLEEP, 100, 0, 0);
	}
	for (size_t i = 0; i < 2; i++) {
		unit_put(100, 100, 0, 0);
		leaves_put(NET, 60, WORK, 40);
	}
	ask(0);
	ck_assert_uint_eq(answer.far, 10);
	ck_assert_uint_eq(answer.reason_count, 2);
	for (size_t i = 0; i < 2; i++) {
		ck_assert(answer.reason[i].is_named && answer.reason[i].is_by_leaf);
		ck_assert_uint_eq(answer.reason[i].key, LOCK);
	}
	ck_assert_uint_eq(answer.reason[0].leaf, SLEEP);
	ck_assert_uint_eq(answer.reason[0].votes, 8);
	ck_assert_uint_eq(answer.reason[0].all_with, 8);
	ck_assert_uint_eq(answer.reason[0].excess, 100);
}
END_TEST

/* The slow ones have the leaf that all have. */
START_TEST(a_leaf_that_many_have_divides_nothing)
{
	plain_put(400);
	for (size_t i = 0; i < 40; i++) {
		unit_put(30, 70, 0, 0);
		leaves_put(WORK, 70, 0, 0);
	}
	for (size_t i = 0; i < 8; i++) {
		unit_put(100, 100, 0, 0);
		leaves_put(WORK, 100, 0, 0);
	}
	ask(0);
	ck_assert_uint_eq(answer.far, 8);
	ck_assert_uint_eq(answer.reason_count, 1);
	ck_assert_uint_eq(reason(LOCK)->votes, 8);
	ck_assert_uint_eq(reason(LOCK)->all_with, 48);
	ck_assert(!reason(LOCK)->is_named && !reason(LOCK)->is_by_leaf);
}
END_TEST

/* Far by the disk; they ran for longer, too, as two are far by. */
START_TEST(what_goes_along_with_another_cause_is_not_named)
{
	plain_put(400);
	for (size_t i = 0; i < 20; i++)
		unit_put(160, 0, 1000, 0);
	for (size_t i = 0; i < 2; i++)
		unit_put(200, 0, 0, 0);
	ask(0);
	ck_assert(reason(DISK)->is_named && !reason(RAN)->is_named);
	ck_assert_uint_eq(reason(RAN)->votes, 2);
	ck_assert_uint_eq(reason(RAN)->slow_with, 22);
	ck_assert_uint_eq(reason(RAN)->all_with, 22);
}
END_TEST

/* Each third of them had another leaf. */
START_TEST(a_leaf_without_a_majority_is_not_named)
{
	plain_put(400);
	for (size_t i = 0; i < 12; i++) {
		unit_put(100, 1000, 0, 0);
		leaves_put((uint32_t)i % 3, 1000, 0, 0);
	}
	ask(0);
	ck_assert(reason(LOCK)->is_named);
	ck_assert_uint_eq(reason(LOCK)->leaf, TAIL_NONE);
}
END_TEST

/* Some ran for much longer than all others, a few of which are far by what they ran, too; many are
   nearly. */
static void runs_put(size_t longer)
{
	plain_put(1000);
	for (size_t i = 0; i < 120; i++)
		unit_put(i < 100 ? 130 : 145 + i % 20, 0, 0, 0);
	for (size_t i = 0; i < longer; i++)
		unit_put(1000 + 50 * i, 0, 0, 0);
}

START_TEST(what_is_apart_is_named)
{
	runs_put(12);
	ask(0);
	ck_assert_uint_eq(answer.far, 32);
	ck_assert_uint_eq(answer.reason_count, 2);
	ck_assert(answer.reason[0].is_named && !answer.reason[1].is_named);
	ck_assert_uint_eq(answer.reason[0].floor, 1000);
	ck_assert_uint_eq(answer.reason[0].votes, 12);
	ck_assert_uint_eq(answer.reason[0].all_with, 12);
	ck_assert_uint_eq(answer.reason[0].excess, 1000 + 50 * 11 / 2 - answer.median);
	ck_assert_uint_eq(answer.reason[0].votes + answer.reason[1].votes, answer.far);
	ck_assert_uint_eq(answer.reason[1].votes, 20);
	ck_assert_uint_eq(answer.reason[1].all_with, 120);
}
END_TEST

/* Six of a heavy tail often are. */
START_TEST(few_that_are_apart_are_not_named)
{
	runs_put(6);
	ask(0);
	ck_assert_uint_eq(answer.reason_count, 1);
	ck_assert(!answer.reason[0].is_named);
}
END_TEST

static uint64_t random_state;

static nsec_t random_below(nsec_t limit)
{
	random_state = random_state * 6364136223846793005u + 1442695040888963407u;
	return (random_state >> 33) % limit;
}

/* One of several kinds of unit, with some chance in each of its times. */
static void random_put(void)
{
	nsec_t of_a = random_below(80), of_b = random_below(4) ? 0 : random_below(200);

	switch (random_below(12)) {
	case 0:
		unit_put(100, of_a + of_b + 1, 0, 0);
		leaves_put((uint32_t)random_below(3), of_a + 1, 3 + (uint32_t)random_below(3),
		           of_b);
		break;
	case 1:
		(void)queued_put(1 + (uint32_t)random_below(9), 1, 1 + random_below(300));
		break;
	case 2:
		unit_put(100, 0, random_below(100), of_b);
		break;
	default:
		unit_put(90 + random_below(20), 0, 0, 0);
	}
}

/* Each far unit has one reason, and has what its reason is about. */
START_TEST(each_vote_counts_once)
{
	size_t votes = 0, finer = 0;

	random_state = (uint64_t)_i;
	for (size_t i = 0; i < 500; i++)
		random_put();
	ask(_i % 2 ? 0.05 : 0);
	for (size_t i = 0; i < answer.reason_count; i++) {
		const struct tail_reason *of = &answer.reason[i];

		votes += of->votes;
		finer += of->is_by_leaf || of->is_pooled;
		ck_assert_uint_gt(of->votes, 0);
		ck_assert(!(of->is_by_leaf || of->is_pooled) || of->is_named);
		if (of->key == TAIL_SEVERAL)
			continue;
		ck_assert_uint_le(of->votes, of->slow_with);
		ck_assert_uint_le(of->slow_with, of->all_with);
		ck_assert(of->p >= 0 && of->p <= 1);
	}
	ck_assert_uint_eq(votes, answer.far);
	/* a pool, and a leaf */
	ck_assert((_i != 10 && _i != 105) || finer > 0);
}
END_TEST

static int time_compare(const void *a, const void *b)
{
	const nsec_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* Where units that have a reason had its median, and the others their length, 99 of 100 of them
   would take at most p99_without. */
START_TEST(p99_without_is_of_all_units)
{
	nsec_t length[300];

	random_state = (uint64_t)_i;
	for (size_t i = 0; i < ARRAY_SIZE(length); i++)
		random_put();
	ask(_i % 2 ? 0.05 : 0);
	for (size_t i = 0; i < answer.reason_count && answer.reason[i].is_named; i++) {
		const struct tail_reason *of = &answer.reason[i];

		for (size_t n = 0; n < ARRAY_SIZE(length); n++) {
			nsec_t time = tail_reason_time(&answer, of, n);

			length[n] = units.unit[n].length;
			if (time >= of->from)
				length[n] -= time - of->median;
		}
		array_sort(length, ARRAY_SIZE(length), sizeof(*length), time_compare);
		ck_assert_uint_eq(of->p99_without, length[296]);
	}
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
	tcase_add_test(tests, those_who_had_the_cpu_are_one_reason_together);
	tcase_add_test(tests, few_who_had_the_cpu_are_no_reason_together);
	tcase_add_test(tests, one_who_had_the_cpu_is_named_alone);
	tcase_add_test(tests, the_others_who_had_the_cpu_are_one_reason);
	tcase_add_test(tests, queues_that_many_have_are_no_reason_together);
	tcase_add_test(tests, the_leaf_is_what_the_slow_ones_have_more_of);
	tcase_add_test(tests, a_key_that_many_have_is_divided_by_leaf);
	tcase_add_test(tests, a_leaf_that_many_have_divides_nothing);
	tcase_add_test(tests, what_goes_along_with_another_cause_is_not_named);
	tcase_add_test(tests, a_leaf_without_a_majority_is_not_named);
	tcase_add_test(tests, what_is_apart_is_named);
	tcase_add_test(tests, few_that_are_apart_are_not_named);
	tcase_add_loop_test(tests, each_vote_counts_once, 0, 200);
	tcase_add_loop_test(tests, p99_without_is_of_all_units, 0, 200);
	tcase_add_test(tests, without_units_there_is_nothing);
	suite_add_tcase(suite, tests);
	return suite;
}
