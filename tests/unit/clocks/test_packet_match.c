/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "clocks/packet_match.h"

#include "base/xalloc.h"
#include "suites.h"

#define US      INT64_C(1000)
#define MS      INT64_C(1000000)
#define BURSTS  40
#define BURST   5
#define SINGLES 40
#define PACKETS (BURSTS * BURST + SINGLES)

static void sight_add(struct timed_sight *sight, size_t *count, int64_t time, uint32_t bytes)
{
	sight[*count] = (struct timed_sight){time, bytes, (uint32_t)*count};
	(*count)++;
}

/* Bursts of packets of one length, 10 us apart: each fourth one has lost its second packet, and one
   of another machine precedes each fourth one. Where both happen as many arrive as were sent. */
static void bursts_make(struct packet_match *match, bool has_others)
{
	*match = (struct packet_match){
		.sent = xcalloc(PACKETS, sizeof(*match->sent)),
		.received = xcalloc(PACKETS + BURSTS, sizeof(*match->received)),
		.spread = 100 * US,
	};
	for (int64_t i = 0; i < BURSTS; i++) {
		int64_t begin = i * 50 * MS;

		if (has_others && i % 5 == 0)
			sight_add(match->received, &match->received_count, begin + 5 * US, 1500);
		for (int64_t k = 0; k < BURST; k++) {
			int64_t sent = begin + k * 10 * US;

			sight_add(match->sent, &match->sent_count, sent, 1500);
			if (i % 4 != 0 || k != 1)
				sight_add(match->received, &match->received_count, sent + 30 * US,
				          1500);
		}
	}
	for (int64_t i = 0; i < SINGLES; i++) {
		sight_add(match->sent, &match->sent_count, i * 50 * MS, 2000);
		sight_add(match->received, &match->received_count, i * 50 * MS + 30 * US, 2000);
	}
}

static size_t paired_count(const struct packet_match *match, size_t begin, size_t end)
{
	size_t count = 0;

	for (size_t i = begin; i < end; i++)
		count += match->partner[i] != PACKET_ALONE;
	return count;
}

START_TEST(burst_that_lacks_packets_is_not_paired)
{
	struct packet_match match;

	bursts_make(&match, false);
	packet_match_find(&match);
	for (size_t i = 0; i < BURSTS; i++)
		ck_assert_uint_eq(paired_count(&match, i * BURST, (i + 1) * BURST),
		                  i % 4 == 0 ? 0 : BURST);
	ck_assert_uint_eq(paired_count(&match, BURSTS * BURST, PACKETS), SINGLES);
	packet_match_release(&match);
}
END_TEST

START_TEST(bursts_are_not_paired_if_as_many_packets_may_be_an_accident)
{
	struct packet_match match;

	bursts_make(&match, true);
	packet_match_find(&match);
	ck_assert_uint_eq(paired_count(&match, 0, BURSTS * BURST), 0);
	ck_assert_uint_eq(paired_count(&match, BURSTS * BURST, PACKETS), SINGLES);
	packet_match_release(&match);
}
END_TEST

Suite *packet_match_suite(void)
{
	Suite *suite = suite_create("packet_match");
	TCase *tcase = tcase_create("core");

	tcase_add_test(tcase, burst_that_lacks_packets_is_not_paired);
	tcase_add_test(tcase, bursts_are_not_paired_if_as_many_packets_may_be_an_accident);
	suite_add_tcase(suite, tcase);
	return suite;
}
