/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "source/stream/live_feed.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/xalloc.h"
#include "suites.h"

static struct live_waits waits;

static void begin(void)
{
	live_waits_init(&waits);
}

static void end(void)
{
	live_waits_release(&waits);
}

static void put(const char *text)
{
	char *room = live_waits_room(&waits, strlen(text));

	ck_assert_ptr_nonnull(room);
	memcpy(room, text, strlen(text));
	live_waits_fill(&waits, strlen(text));
}

/* Each once, when the stream has reached the time. */
START_TEST(test_reached)
{
	put("waits 7 10 20 S flock locks_lock_inode_wait flock 8:1 99 5 /a lock\n"
	    "waits 8 10 31 S wait4 do_wait child 9\n");
	put("waits 9 10 20 S read anon_pipe_read pipe 77 3,4");
	live_waits_reach(&waits, 19);
	ck_assert_uint_eq(waits.count, 0);
	live_waits_reach(&waits, 30);
	ck_assert_uint_eq(waits.count, 2);
	ck_assert_int_eq(waits.wait[0].tid, 7);
	ck_assert_uint_eq(waits.wait[0].kind, OPEN_WAIT_FLOCK);
	ck_assert_uint_eq(waits.wait[0].since, 10);
	ck_assert_uint_eq(waits.wait[0].seen, 20);
	ck_assert_uint_eq(waits.wait[0].dev, 8u << 20 | 1u);
	ck_assert_uint_eq(waits.wait[0].address, 99);
	ck_assert_int_eq(waits.wait[0].owner, 5);
	ck_assert_str_eq(waits.wait[0].path, "/a lock");
	ck_assert_str_eq(waits.wait[0].place, "locks_lock_inode_wait");
	ck_assert_int_eq(waits.wait[1].tid, 9);
	ck_assert_uint_eq(waits.wait[1].kind, OPEN_WAIT_PIPE);
	ck_assert_int_eq(waits.wait[1].owner, 0); /* several */
	live_waits_reach(&waits, 31);
	ck_assert_uint_eq(waits.count, 1);
	ck_assert_int_eq(waits.wait[0].tid, 8);
	ck_assert_int_eq(waits.wait[0].owner, 9);
	live_waits_reach(&waits, 40);
	ck_assert_uint_eq(waits.count, 0);
}
END_TEST

/* The other ends of what tasks wait for. */
START_TEST(test_ends)
{
	put("waits 1 1 2 S recvfrom wait socket tcp - 312 127.0.0.1:7812\n"
	    "waits 2 1 2 S connect wait socket unix full 5,6 /run/a socket\n"
	    "waits 3 1 2 S sendto wait socket tcp 4096 - 10.0.0.7:80\n"
	    "waits 4 1 2 S read pipe pipe 77 4 /tmp/a fifo\n"
	    "waits 5 1 2 S openat fifo_open pipe 0 0 /tmp/b\n"
	    "waits 6 1 2 S futex futex_wait futex 7f01 99 ended\n"
	    "waits 7 1 2 S futex futex_wait futex 7f02 0 condition\n"
	    "waits 8 1 2 S futex futex_wait futex 7f03 99 left\n"
	    "waits 9 1 2 S read n_tty_read tty 8 /dev/pts/3");
	live_waits_reach(&waits, 2);
	ck_assert_uint_eq(waits.count, 9);
	ck_assert_uint_eq(waits.wait[0].kind, OPEN_WAIT_SOCKET);
	ck_assert_int_eq(waits.wait[0].owner, 312);
	ck_assert_str_eq(waits.wait[0].type, "tcp");
	ck_assert_str_eq(waits.wait[0].path, "127.0.0.1:7812");
	ck_assert_int_eq(waits.wait[1].owner, 0);
	ck_assert_uint_eq(waits.wait[1].holder_count, 2);
	ck_assert_int_eq(waits.wait[1].holder[1], 6);
	ck_assert_uint_eq(waits.wait[1].fact, OPEN_WAIT_FACT_FULL);
	ck_assert_str_eq(waits.wait[1].path, "/run/a socket");
	ck_assert_uint_eq(waits.wait[2].address, 4096);
	ck_assert_uint_eq(waits.wait[2].holder_count, 0);
	ck_assert(!waits.wait[2].has_no_holder);
	ck_assert_int_eq(waits.wait[3].owner, 4);
	ck_assert_str_eq(waits.wait[3].path, "/tmp/a fifo");
	ck_assert(waits.wait[4].has_no_holder);
	ck_assert_uint_eq(waits.wait[5].kind, OPEN_WAIT_LEFT);
	ck_assert_int_eq(waits.wait[5].owner, 99);
	ck_assert_uint_eq(waits.wait[6].kind, OPEN_WAIT_CONDITION);
	ck_assert_uint_eq(waits.wait[7].kind, OPEN_WAIT_LEFT);
	ck_assert_int_eq(waits.wait[7].owner, 0);
	ck_assert_uint_eq(waits.wait[8].kind, OPEN_WAIT_TERMINAL);
	ck_assert_str_eq(waits.wait[8].path, "/dev/pts/3");
}
END_TEST

START_TEST(test_malformed)
{
	put("");
	put("\n\nwaits\nwaits \nwaits 0 1 2 S - - -\nwaits -7 1 2 S - - -\n"
	    "waits 7 3 2 S - - -\nwaits 7 1 2 SS - - -\nwaits 7 1 99999999999999999999 S - - -\n"
	    "task 7 7 S - sh\nwaits 99999999999 1 2 S - - -\n");
	live_waits_reach(&waits, NSEC_NEVER);
	ck_assert_uint_eq(waits.count, 0);
	put("waits 7 1 2 S - - futex zz 1 word\nwaits 8 1 2 S - - flock 8 x y\nwaits 9 1 2 S");
	live_waits_reach(&waits, NSEC_NEVER);
	ck_assert_uint_eq(waits.count, 3);
	ck_assert_uint_eq(waits.wait[0].address, 0);
	ck_assert_int_eq(waits.wait[0].owner, 0);
	ck_assert_uint_eq(waits.wait[1].address, 0);
	ck_assert_ptr_null(waits.wait[2].call);
	ck_assert_ptr_null(waits.wait[2].place);
}
END_TEST

/* No recorder is so far ahead: such lines would be read again at each time that is reached. */
START_TEST(lines_for_a_time_that_never_comes_go)
{
	put("waits 7 1 9000000000000000000 S - - -\nwaits 8 1 9000000000 S - - -");
	live_waits_reach(&waits, 2);
	ck_assert_uint_eq(waits.count, 0);
	live_waits_reach(&waits, NSEC_NEVER);
	ck_assert_uint_eq(waits.count, 1);
	ck_assert_int_eq(waits.wait[0].tid, 8);
}
END_TEST

/* Lines for later take no more than the limit, and all others still come. */
START_TEST(test_bounds)
{
	_cleanup_(freep) char *text = xmalloc(LIVE_WAITS_BYTES_MAX / 2);
	const char line[] = "waits 7 1 9000000000 S - - -\n";
	size_t length = 0;

	ck_assert_ptr_null(live_waits_room(&waits, LIVE_WAITS_BYTES_MAX));
	ck_assert_ptr_null(live_waits_room(&waits, SIZE_MAX));
	for (; length + sizeof(line) < LIVE_WAITS_BYTES_MAX / 2; length += sizeof(line) - 1)
		memcpy(text + length, line, sizeof(line));
	text[length] = '\0';
	put(text);
	live_waits_reach(&waits, 2);
	ck_assert_ptr_null(live_waits_room(&waits, LIVE_WAITS_BYTES_MAX * 2 / 3));
	put("waits 8 1 2 S - - -");
	live_waits_reach(&waits, 2);
	ck_assert_uint_eq(waits.count, 1);
	live_waits_reach(&waits, NSEC_NEVER);
	ck_assert_uint_eq(waits.count, OPEN_WAITS_MAX < length / (sizeof(line) - 1)
	                                       ? OPEN_WAITS_MAX : length / (sizeof(line) - 1));
}
END_TEST

Suite *live_waits_suite(void)
{
	Suite *suite = suite_create("live_waits");
	TCase *tests = tcase_create("live_waits");

	tcase_add_checked_fixture(tests, begin, end);
	tcase_add_test(tests, test_reached);
	tcase_add_test(tests, test_ends);
	tcase_add_test(tests, lines_for_a_time_that_never_comes_go);
	tcase_add_test(tests, test_malformed);
	tcase_add_test(tests, test_bounds);
	suite_add_tcase(suite, tests);
	return suite;
}
