/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/cleanup.h"
#include "base/text/buffer.h"
#include "recorder/machine/held_locks.h"
#include "suites.h"

static const char locks[] =
	"1: FLOCK  ADVISORY  WRITE 25702 fe:00:1234 0 EOF\n"
	"1: -> FLOCK  ADVISORY  WRITE 25707 fe:00:1234 0 EOF\n"
	"1:  -> FLOCK  ADVISORY  WRITE 25708 fe:00:1234 0 EOF\n"
	"2: POSIX  ADVISORY  READ  31 08:01:99 128 191\n"
	"2: -> POSIX  ADVISORY  WRITE 25707 08:01:99 0 EOF\n"
	"3: OFDLCK ADVISORY  WRITE -1 08:01:100 0 EOF\n"
	"3: -> OFDLCK ADVISORY  WRITE 40 08:01:100 0 EOF\n"
	"4: LEASE  ACTIVE    WRITE 50 08:01:101 0 EOF\n"
	"garbage\n"
	"5: NEWKIND ADVISORY WRITE 60 08:01:102 0 EOF\n"
	"5: -> FLOCK ADVISORY WRITE 61 08:01:102 0 EOF";

static struct held_lock lock;

START_TEST(holder_of_what_the_process_waits_for)
{
	ck_assert(held_lock_find(locks, 25707, 1234, &lock));
	ck_assert_str_eq(lock.kind, "flock");
	ck_assert_int_eq(lock.owner, 25702);
	ck_assert_uint_eq(lock.major, 0xfe);
	ck_assert_uint_eq(lock.minor, 0);
	ck_assert_uint_eq(lock.inode, 1234);
	ck_assert(held_lock_find(locks, 25707, 99, &lock));
	ck_assert_str_eq(lock.kind, "posix");
	ck_assert_int_eq(lock.owner, 31);
}
END_TEST

/* The one that waits behind another waiter waits for the holder, too. */
START_TEST(queue_of_waiters)
{
	ck_assert(held_lock_find(locks, 25708, 0, &lock));
	ck_assert_int_eq(lock.owner, 25702);
}
END_TEST

START_TEST(owner_that_is_not_known)
{
	ck_assert(held_lock_find(locks, 40, 100, &lock));
	ck_assert_int_eq(lock.owner, 0);
}
END_TEST

START_TEST(no_such_wait)
{
	ck_assert(!held_lock_find(locks, 25702, 1234, &lock));
	ck_assert(!held_lock_find(locks, 25707, 77, &lock));
	ck_assert(!held_lock_find(locks, 61, 102, &lock));
	ck_assert(!held_lock_find("", 1, 1, &lock));
}
END_TEST

START_TEST(lock_that_others_have)
{
	ck_assert(held_lock_of_file(locks, 7, 1234, &lock));
	ck_assert_int_eq(lock.owner, 25702);
	ck_assert_str_eq(lock.kind, "flock");
	ck_assert(held_lock_of_file(locks, 7, 100, &lock));
	ck_assert_int_eq(lock.owner, 0);
	ck_assert(!held_lock_of_file(locks, 25702, 1234, &lock)); /* it has it itself */
	ck_assert(!held_lock_of_file(locks, 7, 102, &lock));      /* of a kind that is not known */
	ck_assert(!held_lock_of_file(locks, 7, 77, &lock));
}
END_TEST

START_TEST(lines_of_a_recording)
{
	_cleanup_(buffer_release) struct buffer lines = {0};

	buffer_init(&lines, BUFFER_LIMIT_DEFAULT);
	held_locks_describe(locks, NULL, 0, &lines);
	ck_assert_str_eq(lines.text, "locked flock 254:0 1234 0 9223372036854775807 w 25702\n"
	                             "locked posix 8:1 99 128 191 r 31\n");
	buffer_clear(&lines);
	held_locks_describe(locks, (const int32_t[]){7, 31}, 2, &lines);
	ck_assert_str_eq(lines.text, "locked posix 8:1 99 128 191 r 31\n");
}
END_TEST

Suite *held_locks_suite(void)
{
	Suite *suite = suite_create("held_locks");
	TCase *tcase = tcase_create("held_locks");

	tcase_add_test(tcase, holder_of_what_the_process_waits_for);
	tcase_add_test(tcase, queue_of_waiters);
	tcase_add_test(tcase, owner_that_is_not_known);
	tcase_add_test(tcase, no_such_wait);
	tcase_add_test(tcase, lock_that_others_have);
	tcase_add_test(tcase, lines_of_a_recording);
	suite_add_tcase(suite, tcase);
	return suite;
}
