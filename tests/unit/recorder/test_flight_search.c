/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "recorder/machine/process_search.h"

#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "suites.h"

#define MATCHES(text) flight_cmdline_matches(text, sizeof(text))

START_TEST(the_command_line_shows_a_flight_recorder)
{
	ck_assert(MATCHES("ftwait\0record\0--trigger\0hung"));
	ck_assert(MATCHES("ftwait\0record\0--trigger=hung\0-o\0x"));
	ck_assert(MATCHES("ftwait\0record\0-q\0--ring=30s"));
	ck_assert(!MATCHES("ftwait\0record\0--ring\0-o\0x"));
	ck_assert(!MATCHES("ftwait\0record\0--\0x\0--trigger\0hung"));
	ck_assert(!MATCHES(""));
	ck_assert(!flight_cmdline_matches("--trigger", sizeof("--trigger") - 1));
}
END_TEST

#define IS_QUIET(text) flight_cmdline_is_quiet(text, sizeof(text))

START_TEST(the_command_line_shows_that_it_is_quiet)
{
	ck_assert(IS_QUIET("ftwait\0record\0-q\0--ring=30s"));
	ck_assert(IS_QUIET("ftwait\0record\0--ring=30s\0--quiet"));
	ck_assert(!IS_QUIET("ftwait\0record\0--ring=30s\0-qx"));
	ck_assert(!IS_QUIET("ftwait\0record\0--ring=30s\0--\0x\0-q"));
}
END_TEST

START_TEST(it_catches_the_signal)
{
	uint64_t bit = UINT64_C(1) << (SIGUSR2 - 1); /* not the same on all machines */
	char *caught = xasprintf("Name:\tx\nSigIgn:\t0\nSigCgt:\t%016" PRIx64 "\nCap:\t1\n", bit | 1);
	char *ignored = xasprintf("Name:\tx\nSigIgn:\t%016" PRIx64 "\nSigCgt:\t%016" PRIx64 "\n",
	                          bit, ~bit);

	ck_assert(flight_status_matches(caught));
	ck_assert(!flight_status_matches(ignored));
	free(caught);
	free(ignored);
	ck_assert(!flight_status_matches("Name:\tx\nSigCgt:\tff ff\n"));
	ck_assert(!flight_status_matches("Name:\tx\n"));
	ck_assert(!flight_status_matches(""));
}
END_TEST

START_TEST(no_other_process_is_one)
{
	ck_assert(!is_flight_recorder((int32_t)getpid()));
	ck_assert(!is_flight_recorder(1));
	ck_assert(!is_flight_recorder(INT32_MAX));
}
END_TEST

Suite *flight_search_suite(void)
{
	Suite *suite = suite_create("flight_search");
	TCase *tests = tcase_create("flight_search");

	tcase_add_test(tests, the_command_line_shows_a_flight_recorder);
	tcase_add_test(tests, the_command_line_shows_that_it_is_quiet);
	tcase_add_test(tests, it_catches_the_signal);
	tcase_add_test(tests, no_other_process_is_one);
	suite_add_tcase(suite, tests);
	return suite;
}
