/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "clocks/clock_tree.h"

#include "base/data/array.h"
#include "suites.h"

#define US     UINT64_C(1000)
#define MS     UINT64_C(1000000)
#define SECOND UINT64_C(1000000000)
#define HOSTS  4
#define SENT   200 /* packets of a host, at most */
#define TALKS  50  /* packets each way of a talk */

/* What each machine saw; its clock is the true time + 100 s * its number. */
struct net {
	struct packet_sight sent[HOSTS][SENT], received[HOSTS][SENT];
	size_t sent_count[HOSTS], received_count[HOSTS];
	struct host_packets host[HOSTS];
};

static nsec_t clock_of(size_t host, nsec_t time)
{
	return time + host * 100 * SECOND;
}

/* What is sent last must be added last, for each machine. */
static void net_send(struct net *net, size_t from, size_t to, nsec_t time, nsec_t taken,
                     uint32_t bytes)
{
	net->sent[from][net->sent_count[from]++] =
		(struct packet_sight){clock_of(from, time), bytes};
	net->received[to][net->received_count[to]++] =
		(struct packet_sight){clock_of(to, time + taken), bytes};
}

/* The talks of each number take other times. */
static nsec_t talk_time(size_t talk, size_t i)
{
	return 10 * SECOND + talk * 4 * MS + i * 20 * MS + (i * i * (7919 + 2 * talk) % 13) * MS;
}

static nsec_t talk_taken(size_t i)
{
	return 100 * US + (i * i * 31 % 17) * 5 * US;
}

static void net_finish(struct net *net)
{
	for (size_t host = 0; host < HOSTS; host++)
		net->host[host] = (struct host_packets){
			.sent = net->sent[host],
			.sent_count = net->sent_count[host],
			.received = net->received[host],
			.received_count = net->received_count[host],
			.begin = clock_of(host, 9 * SECOND),
			.end = clock_of(host, 13 * SECOND),
		};
}

/* Each machine talks to the next one, but the last one to nobody of these. */
static void chain_make(struct net *net)
{
	*net = (struct net){0};
	for (size_t i = 0; i < TALKS; i++)
		for (size_t talk = 0; talk < HOSTS - 2; talk++) {
			nsec_t time = talk_time(talk, i);
			uint32_t bytes = 100 * (uint32_t)(talk + 1) + (uint32_t)(i % 5);

			net_send(net, talk, talk + 1, time, talk_taken(i), bytes);
			net_send(net, talk + 1, talk, time + MS, talk_taken(i + 3), bytes);
		}
	for (size_t i = 0; i < TALKS; i++)
		net->sent[HOSTS - 1][net->sent_count[HOSTS - 1]++] = (struct packet_sight){
			clock_of(HOSTS - 1, 10 * SECOND + i * i * MS / 2), 100};
	net_finish(net);
}

static nsec_t apart(nsec_t a, nsec_t b)
{
	return a > b ? a - b : b - a;
}

static void check_clock(const struct clock_tree *tree, size_t host, size_t first)
{
	const struct host_clock *clock = &tree->clock[host];
	nsec_t time = clock_of(host, 11 * SECOND);
	nsec_t known = time + (nsec_t)clock_line_shift(&clock->line, time);

	ck_assert_uint_eq(clock->root, first);
	ck_assert_uint_le(apart(known, clock_of(first, 11 * SECOND)), clock->bound);
}

START_TEST(clocks_are_known_by_others)
{
	struct clock_tree tree;
	struct net net;

	chain_make(&net);
	clock_tree_find(net.host, HOSTS, NULL, &tree);
	ck_assert_uint_eq(tree.count, HOSTS);
	for (size_t host = 0; host < HOSTS - 1; host++)
		check_clock(&tree, host, 0);
	ck_assert_uint_eq(tree.clock[0].bound, 0);
	ck_assert_uint_eq(tree.clock[1].via, 0);
	ck_assert_uint_eq(tree.clock[2].via, 1);
	ck_assert_uint_gt(tree.clock[2].bound, tree.clock[1].bound);
	ck_assert_uint_eq(tree.clock[1].matched, (uint64_t)2 * TALKS);
	ck_assert_uint_eq(tree.clock[2].matched, (uint64_t)2 * TALKS);
	ck_assert_uint_eq(tree.clock[3].root, 3);
	ck_assert_uint_eq(tree.clock[3].via, 3);
	ck_assert(!tree.clock[3].is_ambiguous);
	ck_assert_uint_eq(tree.message_count, (size_t)4 * TALKS);
	clock_tree_release(&tree);
}
END_TEST

START_TEST(messages_are_sorted_and_in_order)
{
	struct clock_tree tree;
	struct net net;

	chain_make(&net);
	clock_tree_find(net.host, HOSTS, NULL, &tree);
	for (size_t i = 0; i < tree.message_count; i++) {
		const struct host_message *message = &tree.message[i], *last = message - 1;
		nsec_t sent = net.host[message->from].sent[message->sent].time;
		nsec_t received = net.host[message->to].received[message->received].time;

		sent += (nsec_t)clock_line_shift(&tree.clock[message->from].line, sent);
		received += (nsec_t)clock_line_shift(&tree.clock[message->to].line, received);
		ck_assert_uint_le(sent, received);
		if (i > 0 && last->to == message->to)
			ck_assert_uint_lt(last->received, message->received);
		else if (i > 0)
			ck_assert_uint_lt(last->to, message->to);
	}
	clock_tree_release(&tree);
}
END_TEST

/* Machine 1 forwards what 0 and 2 send each other: each packet belongs to the nearer sender. */
START_TEST(packets_come_from_the_router)
{
	struct clock_tree tree;
	struct net net = {0};

	for (size_t i = 0; i < TALKS; i++) {
		nsec_t time = talk_time(0, i);
		nsec_t answer = time + 2 * MS + (i * i * 37 % 11) * 300 * US;
		uint32_t bytes = 100 + (uint32_t)(i % 5);

		net_send(&net, 0, 1, time, talk_taken(i), bytes);
		net_send(&net, 1, 2, time + 300 * US, talk_taken(i + 1), bytes);
		net_send(&net, 2, 1, answer, talk_taken(i + 2), bytes);
		net_send(&net, 1, 0, answer + 300 * US, talk_taken(i + 3), bytes);
	}
	net_finish(&net);
	clock_tree_find(net.host, 3, NULL, &tree);
	check_clock(&tree, 1, 0);
	check_clock(&tree, 2, 0);
	for (size_t i = 0; i < tree.message_count; i++)
		ck_assert(tree.message[i].from == 1 || tree.message[i].to == 1);
	ck_assert_uint_eq(tree.message_count, (size_t)4 * TALKS);
	clock_tree_release(&tree);
}
END_TEST

/* Only machines 1 and 2 talk to each other. */
static void one_talk_make(struct net *net)
{
	*net = (struct net){0};
	for (size_t i = 0; i < TALKS; i++) {
		nsec_t time = talk_time(0, i);
		uint32_t bytes = 100 + (uint32_t)(i % 5);

		net_send(net, 1, 2, time, talk_taken(i), bytes);
		net_send(net, 2, 1, time + MS, talk_taken(i + 3), bytes);
	}
	net_finish(net);
}

/* Machine 0 talks to nobody, 1 and 2 to each other, and 3 is 2 in the same boot. */
START_TEST(machines_that_talk_form_a_tree)
{
	struct clock_tree tree;
	struct net net;

	one_talk_make(&net);
	net.host[2].same_clock = net.host[3].same_clock = 3;
	clock_tree_find(net.host, HOSTS, NULL, &tree);
	ck_assert_uint_eq(tree.clock[0].root, 0);
	check_clock(&tree, 1, 1);
	check_clock(&tree, 2, 1);
	ck_assert_uint_eq(tree.clock[1].bound, 0);
	ck_assert_uint_eq(tree.clock[2].matched, (uint64_t)2 * TALKS);
	ck_assert_uint_eq(tree.clock[3].root, 1);
	ck_assert_uint_eq(tree.clock[3].via, 2);
	ck_assert_uint_eq(tree.clock[3].bound, tree.clock[2].bound);
	ck_assert_int_eq(tree.clock[3].line.offset, tree.clock[2].line.offset);
	ck_assert_uint_eq(tree.clock[3].matched, (uint64_t)2 * TALKS);
	ck_assert_uint_eq(tree.message_count, (size_t)2 * TALKS);
	clock_tree_release(&tree);
}
END_TEST

static void sights_stretch(struct packet_sight *sight, size_t count)
{
	for (size_t i = 0; i < count; i++)
		sight[i].time += sight[i].time / 2500;
}

/* The first clock gains 400 ppm, so what is open of 2 by 1 is more on it. */
START_TEST(bounds_add_up_on_the_clock_of_the_root)
{
	const int64_t ppm = (INT64_C(1) << CLOCK_SLOPE_BITS) / 1000000;
	struct clock_tree tree, link;
	struct net net;

	chain_make(&net);
	sights_stretch(net.sent[0], net.sent_count[0]);
	sights_stretch(net.received[0], net.received_count[0]);
	net.host[0].begin += net.host[0].begin / 2500;
	net.host[0].end += net.host[0].end / 2500;
	clock_tree_find(net.host, 3, NULL, &tree);
	clock_tree_find(&net.host[1], 2, NULL, &link);
	ck_assert_uint_eq(tree.clock[2].via, 1);
	ck_assert_int_ge(tree.clock[1].line.slope, 100 * ppm);
	ck_assert_uint_ge(link.clock[1].bound, 50 * US);
	ck_assert_uint_ge(tree.clock[2].bound, tree.clock[1].bound + link.clock[1].bound +
	                                               link.clock[1].bound / 10000);
	clock_tree_release(&tree);
	clock_tree_release(&link);
}
END_TEST

/* Machine 1 is 0 in the same boot, 2 talks to 1 only, and 3 is 2 in the same boot. */
START_TEST(one_clock_needs_no_packets)
{
	struct clock_tree tree;
	struct net net;

	one_talk_make(&net);
	net.host[0].same_clock = net.host[1].same_clock = 1;
	net.host[2].same_clock = net.host[3].same_clock = 3;
	clock_tree_find(net.host, HOSTS, NULL, &tree);
	for (size_t host = 0; host < HOSTS; host++) {
		ck_assert_uint_eq(tree.clock[host].root, 0);
		ck_assert_uint_eq(tree.clock[host].matched, host < 2 ? 0 : (uint64_t)2 * TALKS);
	}
	ck_assert_uint_eq(tree.clock[1].bound, 0);
	ck_assert_uint_eq(tree.clock[2].via, 1);
	clock_tree_release(&tree);
}
END_TEST

static void note_pair(void *state, size_t done, size_t all)
{
	size_t *next = state;

	ck_assert_uint_eq(done, (*next)++);
	ck_assert_uint_eq(all, 6);
}

START_TEST(each_comparison_is_told)
{
	size_t told = 0;
	const struct clock_tree_watch watch = {note_pair, &told};
	struct host_packets none[4] = {0};
	struct clock_tree tree;

	clock_tree_find(none, 4, &watch, &tree);
	ck_assert_uint_eq(told, 6);
	clock_tree_release(&tree);
}
END_TEST

START_TEST(order_of_hosts_changes_only_signs)
{
	struct host_packets swapped[2];
	struct clock_tree tree, other;
	struct net net;

	chain_make(&net);
	swapped[0] = net.host[1];
	swapped[1] = net.host[0];
	clock_tree_find(net.host, 2, NULL, &tree);
	clock_tree_find(swapped, 2, NULL, &other);
	ck_assert_int_eq(tree.clock[1].line.offset, -other.clock[1].line.offset);
	ck_assert_uint_eq(tree.clock[1].bound, other.clock[1].bound);
	ck_assert_uint_eq(tree.message_count, other.message_count);
	clock_tree_release(&tree);
	clock_tree_release(&other);
}
END_TEST

START_TEST(one_host_knows_itself)
{
	struct clock_tree tree;
	struct net net;

	chain_make(&net);
	clock_tree_find(net.host, 1, NULL, &tree);
	check_clock(&tree, 0, 0);
	ck_assert_uint_eq(tree.message_count, 0);
	clock_tree_release(&tree);
}
END_TEST

Suite *clock_tree_suite(void)
{
	Suite *suite = suite_create("clock_tree");
	TCase *tcase = tcase_create("core");

	tcase_add_test(tcase, clocks_are_known_by_others);
	tcase_add_test(tcase, messages_are_sorted_and_in_order);
	tcase_add_test(tcase, packets_come_from_the_router);
	tcase_add_test(tcase, machines_that_talk_form_a_tree);
	tcase_add_test(tcase, bounds_add_up_on_the_clock_of_the_root);
	tcase_add_test(tcase, one_clock_needs_no_packets);
	tcase_add_test(tcase, each_comparison_is_told);
	tcase_add_test(tcase, order_of_hosts_changes_only_signs);
	tcase_add_test(tcase, one_host_knows_itself);
	suite_add_tcase(suite, tcase);
	return suite;
}
