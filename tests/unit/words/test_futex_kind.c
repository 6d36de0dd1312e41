/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "words/cause/futex_kind.h"

#include <limits.h>

#include "base/data/array.h"
#include "suites.h"

#define WAIT            0x80
#define WAIT_BITSET     0x89
#define WAIT_REALTIME   0x189
#define WAKE            0x81
#define REQUEUE         0x83
#define CMP_REQUEUE     0x84
#define WAKE_OP         0x85
#define LOCK_PI         0x86
#define CMP_REQUEUE_PI  0x8c
#define NO_WAKE         UINT64_MAX

/* What the calls of libraries and runtimes are seen to be. */
START_TEST(one_wait_counts_by_its_calls)
{
	static const struct {
		const char *whose;
		uint64_t sleep;
		uint32_t value;
		bool has_timeout, is_two_locked;
		uint64_t wake, count;
		enum futex_kind kind;
	} rows[] = {
		{"mutex of glibc", WAIT, 2, false, true, WAKE, 1, FUTEX_KIND_LOCK},
		{"of glibc, with a time limit", WAIT_REALTIME, 2, true, true, WAKE, 1,
		 FUTEX_KIND_LOCK},
		{"robust one of glibc", WAIT, 0x80000000u | 4711, false, true, WAKE, 1,
		 FUTEX_KIND_LOCK},
		{"rwlock of glibc, its readers", WAIT_REALTIME, 3, false, true, WAKE, INT_MAX,
		 FUTEX_KIND_LOCK},
		{"with priority inheritance", LOCK_PI, 0, false, true, NO_WAKE, 0,
		 FUTEX_KIND_LOCK},
		{"mutex of musl", WAIT, 0x80000010u, false, false, WAKE, 1, FUTEX_KIND_LOCK},
		{"thread of musl", WAIT, 2, false, false, WAKE, 1, FUTEX_KIND_UNKNOWN},
		{"mutex of bionic, of Rust", WAIT_BITSET, 2, false, false, WAKE, 1,
		 FUTEX_KIND_LOCK},
		{"park() of Rust", WAIT_BITSET, UINT32_MAX, false, false, WAKE, 1,
		 FUTEX_KIND_UNKNOWN},
		{"mutex of libgomp, or a semaphore of musl", WAIT, UINT32_MAX, false, true, WAKE,
		 1, FUTEX_KIND_UNKNOWN},
		{"note of Go", WAIT, 0, false, false, WAKE, 1, FUTEX_KIND_UNKNOWN},
		{"condition or semaphore of glibc", WAIT_REALTIME, 0, false, true, WAKE, 1,
		 FUTEX_KIND_SIGNALLED},
		{"semaphore of bionic", WAIT_REALTIME, UINT32_MAX - 1, false, true, WAKE, 1,
		 FUTEX_KIND_SIGNALLED},
		{"condition of glibc 2.41, of bionic", WAIT_REALTIME, 6, false, true, WAKE, 1,
		 FUTEX_KIND_CONDITION},
		{"condition of glibc, with a time limit", WAIT_BITSET, 0, true, true, WAKE, INT_MAX,
		 FUTEX_KIND_CONDITION},
		{"of glibc 2.41, or a writer at a rwlock", WAIT_REALTIME, 2, false, true, WAKE, 1,
		 FUTEX_KIND_UNKNOWN},
		{"older condition", WAIT, 7, false, true, CMP_REQUEUE, 1, FUTEX_KIND_CONDITION},
		{"the same, signalled", WAIT, 7, false, true, WAKE_OP, 1, FUTEX_KIND_CONDITION},
		{"condition of musl", WAIT, 2, false, false, REQUEUE, 0, FUTEX_KIND_CONDITION},
		{"barrier of glibc, of two", WAIT, 2, false, true, WAKE, INT_MAX,
		 FUTEX_KIND_BARRIER},
		{"who is woken by nobody known", WAIT, 2, false, true, NO_WAKE, 0,
		 FUTEX_KIND_LOCK},
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		uint32_t signs = futex_signs_of_sleep(rows[i].sleep, rows[i].value,
		                                      rows[i].has_timeout,
		                                      rows[i].is_two_locked);

		if (rows[i].wake != NO_WAKE)
			signs |= futex_signs_of_wake(rows[i].wake, rows[i].count);
		ck_assert_msg(futex_kind_of(signs) == rows[i].kind, "%s: %s", rows[i].whose,
		              futex_kind_name(futex_kind_of(signs)));
	}
	ck_assert_int_eq(futex_signs_of_wake(CMP_REQUEUE_PI, 1), FUTEX_MOVED);
}
END_TEST

START_TEST(what_is_not_known_is_nothing)
{
	ck_assert_int_eq(futex_kind_of(0), FUTEX_KIND_UNKNOWN);
	ck_assert_int_eq(futex_kind_of(FUTEX_SLEPT | FUTEX_ENDED), FUTEX_KIND_JOIN);
	/* who wakes has slept there: as those do who pass a lock on, but also a semaphore */
	ck_assert_int_eq(futex_kind_of(FUTEX_SLEPT | FUTEX_WOKEN_ONE | FUTEX_WAKER_SLEPT),
	                 FUTEX_KIND_LOCK);
	ck_assert_int_eq(futex_kind_of(FUTEX_SLEPT | FUTEX_CONDITIONAL | FUTEX_WOKEN_ONE |
	                               FUTEX_WAKER_SLEPT),
	                 FUTEX_KIND_SIGNALLED);
	ck_assert_int_eq(futex_kind_of(FUTEX_SLEPT | FUTEX_CONDITIONAL | FUTEX_OF_SEMAPHORE |
	                               FUTEX_OF_CONDITION),
	                 FUTEX_KIND_SIGNALLED);
}
END_TEST

static enum futex_kind kind_of_rounds(unsigned rounds, uint32_t first, uint32_t others)
{
	struct futex_tally tally = {0};

	for (unsigned i = 0; i < rounds; i++) {
		nsec_t begin = 100 * i;

		ck_assert(futex_tally_add(&tally, i ? others : first, begin, begin + 50));
		ck_assert(!futex_tally_add(&tally, i ? others : first, begin + 10, begin + 51));
	}
	ck_assert_uint_eq(tally.rounds, rounds);
	return futex_tally_kind(&tally);
}

START_TEST(all_waits_count_together)
{
	const uint32_t all = FUTEX_SLEPT | FUTEX_PLAIN | FUTEX_WOKEN_ALL;

	ck_assert_int_eq(kind_of_rounds(1, all | FUTEX_ZERO, 0), FUTEX_KIND_BARRIER);
	ck_assert_int_eq(kind_of_rounds(3, all | FUTEX_ZERO, all), FUTEX_KIND_BARRIER);
	ck_assert_int_eq(kind_of_rounds(3, all, all | FUTEX_WAKER_SLEPT), FUTEX_KIND_BARRIER);
	/* one tells all the others, always of the same: that something has come true */
	ck_assert_int_eq(kind_of_rounds(3, all | FUTEX_ZERO, all | FUTEX_ZERO),
	                 FUTEX_KIND_CONDITION);
	/* one wait that shows it is enough */
	ck_assert_int_eq(kind_of_rounds(3, FUTEX_SLEPT | FUTEX_CONDITIONAL,
	                                FUTEX_SLEPT | FUTEX_CONDITIONAL | FUTEX_OF_SEMAPHORE),
	                 FUTEX_KIND_SEMAPHORE);
	ck_assert_int_eq(kind_of_rounds(3, FUTEX_SLEPT | FUTEX_CONDITIONAL,
	                                FUTEX_SLEPT | FUTEX_CONDITIONAL | FUTEX_WOKEN_ALL),
	                 FUTEX_KIND_CONDITION);
	/* few that look otherwise do not count */
	ck_assert_int_eq(kind_of_rounds(3, all | FUTEX_LOCKED,
	                                FUTEX_SLEPT | FUTEX_LOCKED | FUTEX_WOKEN_ONE),
	                 FUTEX_KIND_LOCK);
	ck_assert_int_eq(kind_of_rounds(3, FUTEX_SLEPT, FUTEX_SLEPT | FUTEX_WOKEN_ONE),
	                 FUTEX_KIND_UNKNOWN);
}
END_TEST

Suite *futex_kind_suite(void)
{
	Suite *suite = suite_create("futex_kind");
	TCase *tests = tcase_create("futex_kind");

	tcase_add_test(tests, one_wait_counts_by_its_calls);
	tcase_add_test(tests, what_is_not_known_is_nothing);
	tcase_add_test(tests, all_waits_count_together);
	suite_add_tcase(suite, tests);
	return suite;
}
