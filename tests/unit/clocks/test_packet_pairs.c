/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "clocks/packet_pairs.h"

#include "base/data/array.h"
#include "suites.h"

#define US      UINT64_C(1000)
#define MS      UINT64_C(1000000)
#define SECOND  UINT64_C(1000000000)
#define PACKETS 60

/* Two machines; the clock of the first one is 40 s ahead. */
struct talk {
	struct packet_sight there_sent[PACKETS], there_received[PACKETS];
	struct packet_sight back_sent[PACKETS], back_received[PACKETS];
	struct host_packets first, second;
};

/* Packet i is sent at 20 ms * i and something, and takes 100 us and something. */
static nsec_t sent_at(size_t i)
{
	return 10 * SECOND + i * 20 * MS + (i * i * 7919 % 13) * MS;
}

static nsec_t taken(size_t i)
{
	return 100 * US + (i * i * 31 % 17) * 5 * US;
}

static void talk_make(struct talk *talk)
{
	for (size_t i = 0; i < PACKETS; i++) {
		uint32_t bytes = i % 15 == 0 ? 60 + (uint32_t)i : 308;
		nsec_t sent = sent_at(i), answered = sent + taken(i) + 400 * US;

		talk->there_sent[i] = (struct packet_sight){sent + 40 * SECOND, bytes};
		talk->there_received[i] = (struct packet_sight){sent + taken(i), bytes};
		talk->back_sent[i] = (struct packet_sight){answered, bytes};
		talk->back_received[i] =
			(struct packet_sight){answered + taken(i + 5) + 40 * SECOND, bytes};
	}
	talk->first = (struct host_packets){
		.sent = talk->there_sent,
		.sent_count = PACKETS,
		.received = talk->back_received,
		.received_count = PACKETS,
		.begin = 49 * SECOND,
		.end = 53 * SECOND,
	};
	talk->second = (struct host_packets){
		.sent = talk->back_sent,
		.sent_count = PACKETS,
		.received = talk->there_received,
		.received_count = PACKETS,
		.begin = 9 * SECOND,
		.end = 13 * SECOND,
	};
}

START_TEST(packets_of_a_talk_are_paired)
{
	struct packet_pairs pairs;
	struct talk talk;

	talk_make(&talk);
	ck_assert_int_eq(packet_pairs_find(&talk.first, &talk.second, &pairs), PACKET_PAIRS_FOUND);
	ck_assert_uint_eq(pairs.there.count, PACKETS);
	ck_assert_uint_eq(pairs.back.count, PACKETS);
	for (size_t i = 0; i < PACKETS; i++) {
		ck_assert_uint_eq(pairs.there.pair[i].sent, i);
		ck_assert_uint_eq(pairs.there.pair[i].received, i);
	}
	ck_assert_uint_eq(pairs.there.sent_alone + pairs.there.received_alone, 0);
	ck_assert_int_le(pairs.fit.line.offset, (int64_t)(40 * SECOND + 100 * US));
	ck_assert_int_ge(pairs.fit.line.offset, (int64_t)(40 * SECOND - 100 * US));
	packet_pairs_release(&pairs);
}
END_TEST

START_TEST(order_of_machines_changes_only_signs)
{
	struct packet_pairs pairs, other;
	struct talk talk;

	talk_make(&talk);
	ck_assert_int_eq(packet_pairs_find(&talk.first, &talk.second, &pairs), PACKET_PAIRS_FOUND);
	ck_assert_int_eq(packet_pairs_find(&talk.second, &talk.first, &other), PACKET_PAIRS_FOUND);
	ck_assert_uint_eq(pairs.there.count, other.back.count);
	ck_assert_mem_eq(pairs.there.pair, other.back.pair,
	                 pairs.there.count * sizeof(*pairs.there.pair));
	ck_assert_int_eq(pairs.fit.line.offset, -other.fit.line.offset);
	ck_assert_uint_eq(pairs.fit.bound, other.fit.bound);
	packet_pairs_release(&pairs);
	packet_pairs_release(&other);
}
END_TEST

START_TEST(periodic_talk_is_ambiguous)
{
	struct packet_pairs pairs;
	struct talk talk;

	talk_make(&talk);
	for (size_t i = 0; i < PACKETS; i++) {
		nsec_t sent = 10 * SECOND + i * 20 * MS;

		talk.there_sent[i] = (struct packet_sight){sent + 40 * SECOND, 84};
		talk.there_received[i] = (struct packet_sight){sent + taken(i), 84};
		talk.back_sent[i] = (struct packet_sight){sent + 300 * US, 84};
		talk.back_received[i] =
			(struct packet_sight){sent + 300 * US + taken(i) + 40 * SECOND, 84};
	}
	ck_assert_int_eq(packet_pairs_find(&talk.first, &talk.second, &pairs),
	                 PACKET_PAIRS_AMBIGUOUS);
}
END_TEST

/* 20 packets that both machines recorded, after 40 that the second one alone recorded, and before
   40 that the first one alone did and that came like these: as trace-cmd's own talk does, by which
   it compares the clocks before and after a recording. It was 2 ms wrong. */
static void talk_make_twins(struct talk *talk)
{
	talk_make(talk);
	for (size_t i = 0; i < PACKETS; i++) {
		nsec_t own = (i < 40 ? 10 : 13) * SECOND + sent_at(i);
		nsec_t other = i < 20 ? 13 * SECOND + sent_at(i + 40)
		                      : 16 * SECOND + sent_at(i - 20);

		other += 2 * MS;
		talk->there_sent[i] = (struct packet_sight){other, 84};
		talk->there_received[i] = (struct packet_sight){own + taken(i), 84};
		talk->back_sent[i] = (struct packet_sight){own + 400 * US, 84};
		talk->back_received[i] =
			(struct packet_sight){other + 400 * US + taken(i + 5), 84};
	}
	talk->first.begin = 22 * SECOND;
	talk->first.end = 28 * SECOND;
	talk->second.begin = 19 * SECOND;
	talk->second.end = 25 * SECOND;
}

START_TEST(clocks_that_were_compared_are_near)
{
	struct packet_pairs pairs;
	struct talk talk;

	talk_make_twins(&talk);
	ck_assert_int_eq(packet_pairs_find(&talk.first, &talk.second, &pairs),
	                 PACKET_PAIRS_AMBIGUOUS);
	talk.first.near_clock = talk.second.near_clock = 4711;
	ck_assert_int_eq(packet_pairs_find(&talk.first, &talk.second, &pairs), PACKET_PAIRS_FOUND);
	ck_assert_uint_eq(pairs.there.count, 20);
	ck_assert_uint_eq(pairs.back.count, 20);
	ck_assert_int_ge(pairs.fit.line.offset, (int64_t)MS);
	ck_assert_int_le(pairs.fit.line.offset, (int64_t)(3 * MS));
	packet_pairs_release(&pairs);
	talk_make(&talk);
	talk.first.near_clock = talk.second.near_clock = 4711;
	ck_assert_int_eq(packet_pairs_find(&talk.first, &talk.second, &pairs), PACKET_PAIRS_NONE);
}
END_TEST

START_TEST(copy_is_no_talk)
{
	struct packet_pairs pairs;
	struct talk talk, copy;

	talk_make(&talk);
	talk_make(&copy);
	for (size_t i = 0; i < PACKETS; i++) {
		copy.there_sent[i].time += SECOND;
		copy.back_received[i].time += SECOND;
	}
	copy.first.begin += SECOND;
	copy.first.end += SECOND;
	ck_assert_int_eq(packet_pairs_find(&talk.first, &copy.first, &pairs), PACKET_PAIRS_NONE);
}
END_TEST

/* Half of the packets of a talk fit one difference of the clocks, and half another one. */
START_TEST(step_of_a_clock_is_seen)
{
	struct packet_pairs pairs;
	struct talk talk;

	talk_make(&talk);
	for (size_t i = 0; i < PACKETS; i++) {
		talk.there_sent[i].bytes = talk.there_received[i].bytes = 60 + 7 * (uint32_t)i;
		talk.back_sent[i].bytes = talk.back_received[i].bytes = 63 + 7 * (uint32_t)i;
		if (i < PACKETS * 2 / 3)
			continue;
		talk.there_sent[i].time += 50 * MS;
		talk.back_received[i].time += 50 * MS;
	}
	ck_assert_int_eq(packet_pairs_find(&talk.first, &talk.second, &pairs),
	                 PACKET_PAIRS_AMBIGUOUS);
}
END_TEST

START_TEST(no_packets_are_no_talk)
{
	struct packet_pairs pairs;
	struct talk talk;

	talk_make(&talk);
	talk.second.sent_count = 0;
	ck_assert_int_eq(packet_pairs_find(&talk.first, &talk.second, &pairs), PACKET_PAIRS_NONE);
	talk.second.received_count = 0;
	ck_assert_int_eq(packet_pairs_find(&talk.first, &talk.second, &pairs), PACKET_PAIRS_NONE);
	talk.first.sent_count = 0;
	talk.first.received_count = 0;
	ck_assert_int_eq(packet_pairs_find(&talk.first, &talk.second, &pairs), PACKET_PAIRS_NONE);
}
END_TEST

Suite *packet_pairs_suite(void)
{
	Suite *suite = suite_create("packet_pairs");
	TCase *tcase = tcase_create("core");

	tcase_add_test(tcase, packets_of_a_talk_are_paired);
	tcase_add_test(tcase, order_of_machines_changes_only_signs);
	tcase_add_test(tcase, periodic_talk_is_ambiguous);
	tcase_add_test(tcase, clocks_that_were_compared_are_near);
	tcase_add_test(tcase, copy_is_no_talk);
	tcase_add_test(tcase, step_of_a_clock_is_seen);
	tcase_add_test(tcase, no_packets_are_no_talk);
	suite_add_tcase(suite, tcase);
	return suite;
}
