/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "clocks/packet_share.h"

#include "suites.h"

#define MS      UINT64_C(1000000)
#define PACKETS 160

/* Packet i is sent at 10 ms * i + 5 ms and takes none; each has a length of its own. */
struct talk {
	struct packet_sight sight[PACKETS];
	bool is_paired[PACKETS];
};

static const struct share_time all_time = {0, 10 * (int64_t)MS * PACKETS};

static void talk_make(struct talk *talk, size_t alone_from)
{
	for (size_t i = 0; i < PACKETS; i++) {
		talk->sight[i] = (struct packet_sight){10 * MS * i + 5 * MS, 60 + (uint32_t)i};
		talk->is_paired[i] = i < alone_from;
	}
}

static struct packet_share share_of(const struct talk *talk)
{
	const struct share_side side = {talk->sight, PACKETS, NULL, talk->is_paired};
	struct packet_share share;

	packet_share_find(&side, &side, &all_time, &share);
	return share;
}

static struct packet_share share_until(size_t alone_from)
{
	struct talk talk;

	talk_make(&talk, alone_from);
	return share_of(&talk);
}

START_TEST(packets_are_counted_by_slice)
{
	struct packet_share share = share_until(85);

	for (size_t i = 0; i < SHARE_SLICES; i++) {
		ck_assert_uint_eq(share.paired[i], i < 8 ? 10 : i == 8 ? 5 : 0);
		ck_assert_uint_eq(share.alone[i], i < 8 ? 0 : i == 8 ? 5 : 10);
	}
}
END_TEST

START_TEST(packets_in_quick_succession_are_not_alone)
{
	struct packet_share share;
	struct talk talk;

	talk_make(&talk, 0);
	for (size_t i = 1; i < PACKETS; i += 2) {
		talk.sight[i] = talk.sight[i - 1];
		talk.sight[i].time += MS / 10;
	}
	share = share_of(&talk);
	for (size_t i = 0; i < SHARE_SLICES; i++)
		ck_assert_uint_eq(share.alone[i], 0);
}
END_TEST

START_TEST(whole_talk_is_even)
{
	struct packet_share share = share_until(PACKETS);

	ck_assert(!packet_shares_differ(&share, &share));
}
END_TEST

START_TEST(one_direction_that_ends_is_seen)
{
	struct packet_share there = share_until(PACKETS), back = share_until(120);

	ck_assert(packet_shares_differ(&there, &back));
	ck_assert(packet_shares_differ(&back, &there));
}
END_TEST

START_TEST(direction_without_packets_is_even)
{
	struct packet_share there = share_until(PACKETS), back = share_until(120);

	for (size_t i = 0; i < SHARE_SLICES; i++)
		back.alone[i] = 0;
	ck_assert(!packet_shares_differ(&there, &back));
}
END_TEST

START_TEST(both_directions_that_end_are_seen)
{
	struct packet_share share = share_until(120);

	ck_assert(packet_shares_differ(&share, &share));
}
END_TEST

Suite *packet_share_suite(void)
{
	Suite *suite = suite_create("packet_share");
	TCase *tcase = tcase_create("core");

	tcase_add_test(tcase, packets_are_counted_by_slice);
	tcase_add_test(tcase, packets_in_quick_succession_are_not_alone);
	tcase_add_test(tcase, whole_talk_is_even);
	tcase_add_test(tcase, one_direction_that_ends_is_seen);
	tcase_add_test(tcase, direction_without_packets_is_even);
	tcase_add_test(tcase, both_directions_that_end_are_seen);
	suite_add_tcase(suite, tcase);
	return suite;
}
