/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/data/array.h"
#include "graph/timeline/shared_cause.h"
#include "suites.h"

static struct timeline timeline;

static void cause_setup(void)
{
	timeline_init(&timeline, /* keep_segments= */ true);
	for (int32_t tid = 1; tid <= 3; tid++) {
		char name[] = {'t', (char)('0' + tid)};
		uint32_t track = timeline_add_track(&timeline, tid);

		timeline_add_name(&timeline, track, 0, name, sizeof(name));
	}
}

static void cause_teardown(void)
{
	timeline_release(&timeline);
}

static struct cause_note note_make(enum cause_kind kind, uint32_t waker)
{
	struct cause_note note;

	cause_note_init(&note, kind, CONFIDENCE_HIGH);
	note.waker = waker;
	return note;
}

static void check_shared(const struct cause_note *a, const struct cause_note *b, bool is_shared)
{
	ck_assert_int_eq(cause_notes_are_shared(a, b), is_shared);
	ck_assert_int_eq(cause_notes_are_shared(b, a), is_shared);
	if (is_shared)
		ck_assert_uint_eq(shared_cause_hash(a, 5), shared_cause_hash(b, 5));
	else
		ck_assert_uint_ne(shared_cause_hash(a, 5), shared_cause_hash(b, 5));
}

START_TEST(whoever_woke_is_no_difference)
{
	struct cause_note a = note_make(CAUSE_TASK, 0), b = note_make(CAUSE_TASK, 1);

	check_shared(&a, &a, true);
	check_shared(&a, &b, true);
	check_shared(&a, NULL, false);
	ck_assert(cause_notes_are_shared(NULL, NULL));
	ck_assert_uint_eq(shared_cause_hash(NULL, 5), 5);
}
END_TEST

START_TEST(what_it_is_for_is_one)
{
	struct cause_note a = note_make(CAUSE_DISK, 0), b = a;

	a.as.disk.dev = b.as.disk.dev = 8 << 20;
	b.as.disk.sector = 1000;
	check_shared(&a, &b, true);
	b.as.disk.dev++;
	check_shared(&a, &b, false);
	b = a;
	b.purpose = 1;
	check_shared(&a, &b, false);
	b = a;
	b.memory = 1;
	check_shared(&a, &b, false);
	b = a;
	b.is_walked = !a.is_walked;
	check_shared(&a, &b, false);
	b = note_make(CAUSE_TIMER, 0);
	check_shared(&a, &b, false);
}
END_TEST

START_TEST(only_what_all_have_is_reported)
{
	struct cause_note a = note_make(CAUSE_TASK, 0), b = note_make(CAUSE_TASK, 0);
	struct shared_cause shared = shared_cause_of(&a);
	struct cause cause;

	b.originator = 2;
	shared_cause_add(&shared, &a);
	shared_cause_add(&shared, NULL);
	cause = shared_cause_result(&timeline, &shared);
	ck_assert(cause.has_waker && !cause.has_originator);
	ck_assert_str_eq(cause.waker.comm, "t1");
	shared_cause_add(&shared, &b);
	ck_assert(shared.is_waker_shared && !shared.is_originator_shared);
	b.waker = 1;
	shared_cause_add(&shared, &b);
	cause = shared_cause_result(&timeline, &shared);
	ck_assert(!cause.has_waker && !cause.has_originator);
	ck_assert_int_eq(cause.kind, CAUSE_TASK);
	/* what differed once is never shared again */
	shared_cause_add(&shared, &(struct cause_note){.waker = 0, .kind = CAUSE_TASK});
	ck_assert(!shared.is_waker_shared);
}
END_TEST

START_TEST(a_sector_of_many_is_not_reported)
{
	struct cause_note a = note_make(CAUSE_DISK, 0), b;
	struct shared_cause shared = shared_cause_of(&a);
	struct cause cause;

	a.as.disk.dev = 8 << 20;
	a.as.disk.sector = 1000;
	b = a;
	b.as.disk.sector = 2000;
	shared_cause_add(&shared, &b);
	cause = shared_cause_result(&timeline, &shared);
	ck_assert_uint_eq(cause.as.disk.dev, 8 << 20);
	ck_assert_uint_eq(cause.as.disk.sector, 0);
}
END_TEST

Suite *shared_cause_suite(void)
{
	Suite *suite = suite_create("shared_cause");
	TCase *tests = tcase_create("shared_cause");

	tcase_add_checked_fixture(tests, cause_setup, cause_teardown);
	tcase_add_test(tests, whoever_woke_is_no_difference);
	tcase_add_test(tests, what_it_is_for_is_one);
	tcase_add_test(tests, only_what_all_have_is_reported);
	tcase_add_test(tests, a_sector_of_many_is_not_reported);
	suite_add_tcase(suite, tests);
	return suite;
}
