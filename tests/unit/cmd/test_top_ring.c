/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/top/top_ring.h"

#include <string.h>

#include "base/cleanup.h"
#include "suites.h"

#define MB (UINT64_C(1) << 20)

START_TEST(the_ring_takes_a_quarter_of_what_is_free)
{
	ck_assert_uint_eq(top_ring_bytes_max(200 * MB, 0), 100 * MB);
	/* the ring's own memory counts as free */
	ck_assert_uint_eq(top_ring_bytes_max(100 * MB, 200 * MB), 100 * MB);
	ck_assert_uint_eq(top_ring_bytes_max(0, 200 * MB), 50 * MB);
	ck_assert_uint_eq(top_ring_bytes_max(8 * MB, 0), TOP_RING_BYTES_MIN);
	ck_assert_uint_eq(top_ring_bytes_max(8 * MB - 2, 0), 0);
	ck_assert_uint_eq(top_ring_bytes_max(0, 0), 0);
	ck_assert_uint_eq(top_ring_bytes_max(600 * MB, 0), TOP_RING_BYTES_MAX);
	ck_assert_uint_eq(top_ring_bytes_max(UINT64_MAX, UINT64_MAX), TOP_RING_BYTES_MAX);
}
END_TEST

START_TEST(nothing_is_saved_before_something_was_read)
{
	_cleanup_(buffer_release) struct buffer said = {0};
	struct top_ring *ring = top_ring_new(/* fd= */ -1, /* is_own= */ false);

	buffer_init(&said, 200);
	top_ring_save(ring, NULL, NULL, &said);
	ck_assert_str_eq(said.text, "nothing has been recorded yet");
	ck_assert(top_ring_is_fine(ring));
	ck_assert_int_eq(top_ring_writer(ring), 0);
	ck_assert(!top_ring_poll(ring, &said) && !top_ring_wait(ring, &said));
	ring = top_ring_free(ring);
	ck_assert_ptr_null(ring);
}
END_TEST

Suite *top_ring_suite(void)
{
	Suite *suite = suite_create("top_ring");
	TCase *tests = tcase_create("top_ring");

	tcase_add_test(tests, the_ring_takes_a_quarter_of_what_is_free);
	tcase_add_test(tests, nothing_is_saved_before_something_was_read);
	suite_add_tcase(suite, tests);
	return suite;
}
