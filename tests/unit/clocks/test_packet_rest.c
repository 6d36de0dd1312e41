/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "clocks/packet_rest.h"

#include <string.h>

#include "base/data/array.h"
#include "suites.h"

#define PACKETS_MAX 16

static struct {
	struct packet_pair pair[PACKETS_MAX];
	size_t count;
} found;

static void take(void *state, const struct packet_pair *pair)
{
	(void)state;
	ck_assert_uint_lt(found.count, PACKETS_MAX);
	found.pair[found.count++] = *pair;
}

/* Looks between the pairs; lists of packets end with bytes 0. */
static void rest_look(const struct packet_sight *sent, const struct packet_sight *received,
                      const struct packet_pair *pair, size_t pair_count)
{
	bool sent_used[PACKETS_MAX] = {0}, received_used[PACKETS_MAX] = {0};
	struct packet_pair pairs[PACKETS_MAX];
	const struct packet_way way = {.pair = pairs, .count = pair_count};
	struct packet_rest rest = {
		.sent = sent, .received = received, .way = &way,
		.sent_used = sent_used, .received_used = received_used, .on_pair = take,
	};

	found.count = 0;
	if (pair_count)
		memcpy(pairs, pair, pair_count * sizeof(*pair));
	while (sent[rest.sent_count].bytes)
		rest.sent_count++;
	while (received[rest.received_count].bytes)
		rest.received_count++;
	for (size_t i = 0; i < pair_count; i++) {
		sent_used[pair[i].sent] = true;
		received_used[pair[i].received] = true;
	}
	packet_rest_find(&rest);
}

static void ck_assert_pair(size_t at, uint32_t sent, uint32_t received)
{
	ck_assert_uint_lt(at, found.count);
	ck_assert_uint_eq(found.pair[at].sent, sent);
	ck_assert_uint_eq(found.pair[at].received, received);
}

static const struct packet_pair ends[] = {{0, 0}, {2, 2}};

START_TEST(a_slow_packet_is_found_between_two_pairs)
{
	const struct packet_sight sent[] = {{100, 90}, {200, 700}, {300, 95}, {0, 0}};
	const struct packet_sight received[] = {{110, 90}, {12000200, 700}, {12000300, 95}, {0, 0}};

	rest_look(sent, received, ends, 2);
	ck_assert_uint_eq(found.count, 1);
	ck_assert_pair(0, 1, 1);
}
END_TEST

START_TEST(what_is_not_sure_is_left_over)
{
	static const struct {
		struct packet_sight sent[5], received[5];
		struct packet_pair pair[2];
	} cases[] = {
		/* an acknowledgement */
		{{{100, 90}, {200, 52}, {300, 95}}, {{110, 90}, {210, 52}, {310, 95}},
		 {{0, 0}, {2, 2}}},
		/* two of one length */
		{{{100, 90}, {200, 700}, {210, 700}, {300, 95}}, {{110, 90}, {220, 700}, {310, 95}},
		 {{0, 0}, {3, 2}}},
		/* received before it was sent */
		{{{100, 90}, {200, 700}, {300, 95}}, {{110, 90}, {190, 700}, {310, 95}},
		 {{0, 0}, {2, 2}}},
		/* overtaken by one that is paired */
		{{{100, 90}, {200, 700}, {300, 95}}, {{110, 90}, {310, 95}, {320, 700}},
		 {{0, 0}, {2, 1}}},
		/* another length */
		{{{100, 90}, {200, 700}, {300, 95}}, {{110, 90}, {210, 701}, {310, 95}},
		 {{0, 0}, {2, 2}}},
		/* pieces with a byte too many */
		{{{100, 90}, {200, 5136}, {300, 95}},
		 {{110, 90}, {210, 1500}, {220, 3689}, {310, 95}},
		 {{0, 0}, {2, 3}}},
		/* after more than 200 ms */
		{{{100, 90}, {200, 700}, {300, 95}},
		 {{110, 90}, {200000201, 700}, {200000310, 95}},
		 {{0, 0}, {2, 2}}},
		/* the pieces may begin with either of two */
		{{{100, 90}, {200, 2948}, {300, 95}},
		 {{110, 90}, {210, 1500}, {220, 1500}, {230, 1500}, {310, 95}},
		 {{0, 0}, {2, 4}}},
		{{{100, 90}, {200, 1500}, {210, 1500}, {220, 1500}, {300, 95}},
		 {{110, 90}, {230, 2948}, {310, 95}},
		 {{0, 0}, {4, 2}}},
		/* a piece that is too early, and one that is too late */
		{{{100, 90}, {200, 5136}, {300, 95}},
		 {{110, 90}, {190, 1500}, {220, 3688}, {310, 95}},
		 {{0, 0}, {2, 3}}},
		{{{100, 90}, {200, 5136}, {300, 95}},
		 {{110, 90}, {210, 1500}, {200000201, 3688}, {200000310, 95}},
		 {{0, 0}, {2, 3}}},
		{{{100, 90}, {200, 1500}, {230, 400}, {300, 95}},
		 {{110, 90}, {220, 1848}, {310, 95}},
		 {{0, 0}, {3, 2}}},
		{{{100, 90}, {200, 1500}, {230, 400}, {300, 95}},
		 {{110, 90}, {200000201, 1848}, {200000310, 95}},
		 {{0, 0}, {3, 2}}},
		/* too small to be cut or joined */
		{{{100, 90}, {200, 500}, {300, 95}},
		 {{110, 90}, {210, 276}, {220, 276}, {310, 95}},
		 {{0, 0}, {2, 3}}},
		{{{100, 90}, {200, 276}, {210, 276}, {300, 95}},
		 {{110, 90}, {220, 500}, {310, 95}},
		 {{0, 0}, {3, 2}}},
	};

	rest_look(cases[_i].sent, cases[_i].received, cases[_i].pair, 2);
	ck_assert_uint_eq(found.count, 0);
}
END_TEST

START_TEST(pieces_of_a_packet_are_all_from_it)
{
	const struct packet_sight sent[] = {{100, 90}, {200, 5136}, {300, 95}, {0, 0}};
	const struct packet_sight received[] = {
		{110, 90}, {210, 1500}, {220, 3688}, {310, 95}, {0, 0},
	};
	const struct packet_pair pair[] = {{0, 0}, {2, 3}};

	rest_look(sent, received, pair, 2);
	ck_assert_uint_eq(found.count, 2);
	ck_assert_pair(0, 1, 1);
	ck_assert_pair(1, 1, 2);
}
END_TEST

/* Of IPv4 and IPv6, with time stamps and other options, or without. */
START_TEST(pieces_have_headers_of_one_length)
{
	static const uint32_t headers[] = {40, 52, 60, 64, 72};
	const uint32_t data = 1500 - headers[_i];
	const struct packet_sight sent[] = {
		{100, 90}, {200, headers[_i] + 2 * data}, {300, 95}, {0, 0}};
	const struct packet_sight received[] = {
		{110, 90}, {210, 1500}, {220, 1500}, {310, 95}, {0, 0},
	};
	const struct packet_pair pair[] = {{0, 0}, {2, 3}};

	rest_look(sent, received, pair, 2);
	ck_assert_uint_eq(found.count, 2);
}
END_TEST

START_TEST(a_joined_packet_is_from_the_last_that_is_in_it)
{
	const struct packet_sight sent[] = {{100, 90}, {200, 1500}, {210, 400}, {300, 95}, {0, 0}};
	const struct packet_sight received[] = {{110, 90}, {220, 1848}, {310, 95}, {0, 0}};
	const struct packet_pair pair[] = {{0, 0}, {3, 2}};

	rest_look(sent, received, pair, 2);
	ck_assert_uint_eq(found.count, 1);
	ck_assert_pair(0, 2, 1);
}
END_TEST

/* As it is, cut, or joined. */
START_TEST(a_packet_is_found_once)
{
	static const struct {
		struct packet_sight sent[6], received[6];
		struct packet_pair pair[2];
		uint32_t found_sent, found_received;
	} cases[] = {
		{{{100, 90}, {200, 3000}, {300, 95}},
		 {{110, 90}, {210, 3000}, {220, 1500}, {230, 1552}, {310, 95}},
		 {{0, 0}, {2, 4}}, 1, 1},
		{{{100, 90}, {200, 2948}, {210, 1500}, {220, 1500}, {300, 95}},
		 {{110, 90}, {230, 2948}, {310, 95}},
		 {{0, 0}, {4, 2}}, 1, 1},
		{{{100, 90}, {200, 400}, {210, 1500}, {220, 1500}, {300, 95}},
		 {{110, 90}, {230, 2948}, {240, 1848}, {310, 95}},
		 {{0, 0}, {4, 3}}, 3, 1},
	};

	rest_look(cases[_i].sent, cases[_i].received, cases[_i].pair, 2);
	ck_assert_uint_eq(found.count, 1);
	ck_assert_pair(0, cases[_i].found_sent, cases[_i].found_received);
}
END_TEST

START_TEST(nothing_is_sure_beyond_the_pairs)
{
	const struct packet_sight sent[] = {{50, 700}, {100, 90}, {200, 800}, {0, 0}};
	const struct packet_sight received[] = {{60, 700}, {110, 90}, {210, 800}, {0, 0}};
	const struct packet_pair pair[] = {{1, 1}};

	rest_look(sent, received, pair, 1);
	ck_assert_uint_eq(found.count, 0);
	rest_look(sent, received, pair, 0);
	ck_assert_uint_eq(found.count, 0);
}
END_TEST

Suite *packet_rest_suite(void)
{
	Suite *suite = suite_create("packet_rest");
	TCase *tests = tcase_create("packet_rest");

	tcase_add_test(tests, a_slow_packet_is_found_between_two_pairs);
	tcase_add_loop_test(tests, what_is_not_sure_is_left_over, 0, 15);
	tcase_add_test(tests, pieces_of_a_packet_are_all_from_it);
	tcase_add_loop_test(tests, pieces_have_headers_of_one_length, 0, 5);
	tcase_add_test(tests, a_joined_packet_is_from_the_last_that_is_in_it);
	tcase_add_loop_test(tests, a_packet_is_found_once, 0, 3);
	tcase_add_test(tests, nothing_is_sure_beyond_the_pairs);
	suite_add_tcase(suite, tests);
	return suite;
}
