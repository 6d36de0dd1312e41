/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "clocks/stream_fit.h"

#include <string.h>

#include "clocks/packet_pairs.h"
#include "suites.h"

#define US      UINT64_C(1000)
#define MS      UINT64_C(1000000)
#define SECOND  UINT64_C(1000000000)
#define TURNS   20
#define AHEAD   (40 * SECOND) /* the first machine's clock */
#define REQUEST 1000
#define ANSWER  300

/* The first machine asks, the second one answers. */
struct talk {
	struct stream_sent asked[TURNS], answered[TURNS];
	struct stream_taken question[TURNS], answer[TURNS];
	struct host_stream client, server;
	struct host_packets first, second;
};

/* A segment that is sent again arrives 200 ms later. */
static nsec_t taken(size_t i)
{
	return 50 * US + (i % 5) * 10 * US + (i % 3 == 0 ? 200 * MS : 0);
}

static void stream_set(struct host_stream *stream, uint8_t local, uint16_t local_port,
                       uint8_t peer, uint16_t peer_port)
{
	memset(stream->local.address, local, ADDRESS_BYTES);
	memset(stream->peer.address, peer, ADDRESS_BYTES);
	stream->local.port = local_port;
	stream->peer.port = peer_port;
	stream->sent_count = TURNS;
	stream->taken_count = TURNS;
}

static void talk_make(struct talk *talk)
{
	*talk = (struct talk){0};
	for (size_t i = 0; i < TURNS; i++) {
		nsec_t asked = SECOND + i * SECOND / 2;
		nsec_t arrived = asked + taken(i), answered = arrived + MS;
		nsec_t back = answered + taken(i + 1);

		talk->asked[i] = (struct stream_sent){
			.from = i * REQUEST, .taken = i * ANSWER, .time = asked + AHEAD};
		talk->question[i] =
			(struct stream_taken){i * REQUEST, arrived, arrived + 100 * US};
		talk->answered[i] = (struct stream_sent){
			.from = i * ANSWER, .taken = (i + 1) * REQUEST, .time = answered};
		talk->answer[i] = (struct stream_taken){i * ANSWER, back + AHEAD,
		                                        back + AHEAD + 100 * US};
	}
	stream_set(&talk->client, 1, 40000, 2, 80);
	talk->client.is_active = true;
	talk->client.sent = talk->asked;
	talk->client.taken = talk->answer;
	talk->client.sent_bytes = TURNS * REQUEST;
	talk->client.taken_bytes = TURNS * ANSWER;
	stream_set(&talk->server, 2, 80, 1, 40000);
	talk->server.sent = talk->answered;
	talk->server.taken = talk->question;
	talk->server.sent_bytes = TURNS * ANSWER;
	talk->server.taken_bytes = TURNS * REQUEST;
	talk->first = (struct host_packets){
		.begin = AHEAD,
		.end = AHEAD + 20 * SECOND,
		.streams = &talk->client,
		.stream_count = 1,
	};
	talk->second = (struct host_packets){
		.begin = 0,
		.end = 20 * SECOND,
		.streams = &talk->server,
		.stream_count = 1,
	};
}

static uint64_t talk_fit(const struct talk *talk, struct clock_fit *fit)
{
	return stream_fit_find(&talk->first, &talk->second, fit);
}

START_TEST(lost_packets_do_not_matter)
{
	struct clock_fit fit;
	struct talk talk;

	talk_make(&talk);
	ck_assert_uint_eq(talk_fit(&talk, &fit), 2 * TURNS);
	ck_assert_int_le(fit.line.offset, (int64_t)(AHEAD + fit.bound));
	ck_assert_int_ge(fit.line.offset, (int64_t)(AHEAD - fit.bound));
	/* 500 ppm of 20 s is 10 ms, less what the messages exclude */
	ck_assert_uint_lt(fit.bound, 2 * MS);
}
END_TEST

/* The second byte of what a call takes may have arrived as late as the call returned. */
START_TEST(byte_in_the_middle_arrives_with_the_call)
{
	struct clock_fit fit, split;
	struct talk talk;

	talk_make(&talk);
	(void)talk_fit(&talk, &fit);
	for (size_t i = 0; i < TURNS; i++)
		talk.question[i].from = i ? talk.question[i].from - 1 : 0;
	ck_assert_uint_gt(talk_fit(&talk, &split), 0);
	ck_assert_uint_gt(split.bound, fit.bound + 20 * US);
}
END_TEST

/* Nothing but openings and closes of several connections, each of which the client closes first. */
struct states {
	struct host_stream client[TURNS], server[TURNS];
	struct host_packets first, second;
};

static void states_make(struct states *states, size_t count)
{
	*states = (struct states){0};
	for (size_t i = 0; i < count; i++) {
		nsec_t open = SECOND + i * SECOND / 2, close = open + 100 * MS;
		struct host_stream *client = &states->client[i], *server = &states->server[i];

		stream_set(client, 1, (uint16_t)(40000 + i), 2, 80);
		stream_set(server, 2, 80, 1, (uint16_t)(40000 + i));
		client->sent_count = client->taken_count = 0;
		server->sent_count = server->taken_count = 0;
		client->is_active = true;
		client->established = open + AHEAD;
		server->established = open + taken(i);
		client->closed = close + AHEAD;
		server->peer_closed = close + taken(i + 1);
		client->close_acked = close + taken(i + 1) + taken(i + 2) + AHEAD;
	}
	states->first = (struct host_packets){
		.begin = AHEAD,
		.end = AHEAD + 20 * SECOND,
		.streams = states->client,
		.stream_count = count,
	};
	states->second = (struct host_packets){
		.end = 20 * SECOND,
		.streams = states->server,
		.stream_count = count,
	};
}

START_TEST(states_of_connections_are_messages)
{
	struct clock_fit fit, other;
	struct states states;

	states_make(&states, 3);
	ck_assert_uint_eq(stream_fit_find(&states.first, &states.second, &fit), 9);
	ck_assert_int_le(fit.line.offset, (int64_t)(AHEAD + fit.bound));
	ck_assert_int_ge(fit.line.offset, (int64_t)(AHEAD - fit.bound));
	ck_assert_uint_lt(fit.bound, 15 * MS);
	ck_assert_uint_eq(stream_fit_find(&states.second, &states.first, &other), 9);
	ck_assert_int_le(other.line.offset, (int64_t)other.bound - (int64_t)AHEAD);
	ck_assert_int_ge(other.line.offset, -(int64_t)other.bound - (int64_t)AHEAD);
	states_make(&states, 2);
	ck_assert_uint_eq(stream_fit_find(&states.first, &states.second, &fit), 0);
}
END_TEST

/* Neither machine recorded any packet. */
START_TEST(states_alone_relate_machines)
{
	struct packet_pairs pairs;
	struct states states;

	states_make(&states, TURNS);
	ck_assert_int_eq(packet_pairs_find(&states.first, &states.second, &pairs),
	                 PACKET_PAIRS_FOUND);
	ck_assert_uint_eq(pairs.calls, 3 * TURNS);
	packet_pairs_release(&pairs);
}
END_TEST

/* The clocks are those of strangers: with these ports an end learns too early of the other one. */
START_TEST(states_that_contradict_are_not_of_one_connection)
{
	struct clock_fit fit;
	struct states states;

	states_make(&states, TURNS);
	ck_assert_uint_gt(stream_fit_find(&states.first, &states.second, &fit), 0);
	states.server[5].peer_closed += SECOND;
	ck_assert_uint_eq(stream_fit_find(&states.first, &states.second, &fit), 0);
}
END_TEST

/* What acknowledges a close is known to be that only of an end that closed first. */
START_TEST(each_state_bounds_one_side)
{
	struct clock_fit fit;
	struct states states;

	states_make(&states, TURNS);
	for (size_t i = 0; i < TURNS; i++)
		states.client[i].close_acked = 0;
	ck_assert_uint_eq(stream_fit_find(&states.first, &states.second, &fit), 0);
	states_make(&states, TURNS);
	for (size_t i = 0; i < TURNS; i++)
		states.client[i].closed = 0;
	ck_assert_uint_eq(stream_fit_find(&states.first, &states.second, &fit), 0);
	states_make(&states, TURNS);
	for (size_t i = 0; i < TURNS; i++)
		states.server[i].established = 0;
	ck_assert_uint_eq(stream_fit_find(&states.first, &states.second, &fit), 2 * TURNS);
}
END_TEST

/* A router gives the client another address, but keeps its port. */
static void talk_translate(struct talk *talk)
{
	talk->server.peer.address[15] = 77;
}

START_TEST(translated_addresses_do_not_matter)
{
	struct clock_fit fit, plain;
	struct talk talk;

	talk_make(&talk);
	(void)talk_fit(&talk, &plain);
	talk_translate(&talk);
	ck_assert_uint_eq(talk_fit(&talk, &fit), 2 * TURNS);
	ck_assert_uint_eq(fit.bound, plain.bound);
}
END_TEST

START_TEST(translated_connections_agree_in_all_else)
{
	struct clock_fit fit;
	struct talk talk;

	talk_make(&talk);
	talk_translate(&talk);
	talk.server.peer.port++;
	ck_assert_uint_eq(talk_fit(&talk, &fit), 0);
	talk_make(&talk);
	talk_translate(&talk);
	talk.server.taken_bytes--;
	ck_assert_uint_eq(talk_fit(&talk, &fit), 0);
	talk_make(&talk);
	talk_translate(&talk);
	talk.server.is_cut = true;
	ck_assert_uint_eq(talk_fit(&talk, &fit), 0);
	talk_make(&talk);
	talk_translate(&talk);
	talk.client.sent_count = 3;
	talk.client.taken_count = 4;
	ck_assert_uint_eq(talk_fit(&talk, &fit), 0);
}
END_TEST

/* Two strangers behind routers, beside a connection that is seen from both ends. */
START_TEST(addresses_decide_where_they_agree)
{
	struct host_stream clients[2], servers[2];
	struct clock_fit fit;
	struct talk talk, other;

	talk_make(&talk);
	talk_make(&other);
	talk_translate(&other);
	other.client.local.port = other.server.peer.port = 50000;
	clients[0] = talk.client;
	clients[1] = other.client;
	servers[0] = talk.server;
	servers[1] = other.server;
	talk.first.streams = clients;
	talk.second.streams = servers;
	talk.first.stream_count = talk.second.stream_count = 2;
	ck_assert_uint_eq(talk_fit(&talk, &fit), 2 * TURNS);
}
END_TEST

START_TEST(other_ports_are_another_connection)
{
	struct clock_fit fit;
	struct talk talk;

	talk_make(&talk);
	talk.server.peer.port++;
	ck_assert_uint_eq(talk_fit(&talk, &fit), 0);
}
END_TEST

START_TEST(more_bytes_than_were_sent_are_not_compared)
{
	struct clock_fit fit;
	struct talk talk;

	talk_make(&talk);
	talk.server.taken_bytes++;
	ck_assert_uint_eq(talk_fit(&talk, &fit), 0);
	talk.client.is_cut = true;
	ck_assert_uint_gt(talk_fit(&talk, &fit), 0);
}
END_TEST

/* The peer counts bytes of encryption, say, and has not read all. */
START_TEST(answer_to_more_bytes_than_were_sent_is_not_compared)
{
	struct clock_fit fit;
	struct talk talk;

	talk_make(&talk);
	talk.server.taken_bytes -= REQUEST;
	ck_assert_uint_gt(talk_fit(&talk, &fit), 0);
	talk.answered[3].taken++;
	ck_assert_uint_eq(talk_fit(&talk, &fit), 0);
}
END_TEST

/* The machine has both ends of the connection. */
static void host_set_both(struct host_packets *host, const struct talk *talk,
                          struct host_stream *both)
{
	both[0] = talk->client;
	both[1] = talk->server;
	host->streams = both;
	host->stream_count = 2;
}

/* The same addresses in a network of one of the machines. */
START_TEST(connection_within_a_machine_is_not_compared)
{
	struct host_stream both[2];
	struct clock_fit fit;
	struct talk talk;

	talk_make(&talk);
	host_set_both(&talk.first, &talk, both);
	ck_assert_uint_eq(talk_fit(&talk, &fit), 0);
}
END_TEST

/* Which of two connections with the same ports is which is not known. */
START_TEST(ports_that_are_used_again_are_not_compared)
{
	struct host_stream several[3];
	struct clock_fit fit;
	struct talk talk;

	talk_make(&talk);
	for (size_t i = 0; i < 3; i++)
		several[i] = talk.server;
	talk.second.streams = several;
	talk.second.stream_count = 3;
	several[0].local.address[0] = 0;
	several[1].peer.address[0] = 0;
	ck_assert_uint_gt(talk_fit(&talk, &fit), 0);
	several[1] = talk.server;
	ck_assert_uint_eq(talk_fit(&talk, &fit), 0);
	several[0].local.address[0] = UINT8_MAX;
	ck_assert_uint_eq(talk_fit(&talk, &fit), 0);
	talk.second.streams = &talk.server;
	talk.second.stream_count = 1;
	several[0] = several[1] = talk.client;
	talk.first.streams = several;
	talk.first.stream_count = 2;
	ck_assert_uint_eq(talk_fit(&talk, &fit), 0);
}
END_TEST

START_TEST(one_machine_opens_a_connection)
{
	struct clock_fit fit;
	struct talk talk;

	talk_make(&talk);
	talk.server.is_active = true;
	ck_assert_uint_eq(talk_fit(&talk, &fit), 0);
	talk.client.is_active = false;
	ck_assert_uint_gt(talk_fit(&talk, &fit), 0);
}
END_TEST

/* The other machine has a network with the same addresses. */
START_TEST(connection_within_the_other_machine_is_not_compared)
{
	struct host_stream both[2];
	struct clock_fit fit;
	struct talk talk;

	talk_make(&talk);
	host_set_both(&talk.second, &talk, both);
	ck_assert_uint_eq(talk_fit(&talk, &fit), 0);
}
END_TEST

START_TEST(both_directions_must_be_possible)
{
	struct clock_fit fit;
	struct talk talk;

	talk_make(&talk);
	talk.client.taken_bytes++;
	ck_assert_uint_eq(talk_fit(&talk, &fit), 0);
}
END_TEST

START_TEST(calls_with_one_end_are_not_compared)
{
	struct clock_fit fit;
	struct talk talk;

	talk_make(&talk);
	talk.asked[3].time = 0;
	ck_assert_uint_eq(talk_fit(&talk, &fit), 2 * TURNS - 1);
	talk.server.taken_count = TURNS / 2;
	talk.server.taken_bytes = TURNS / 2 * REQUEST;
	ck_assert_uint_eq(talk_fit(&talk, &fit), TURNS / 2 + TURNS - 1);
}
END_TEST

/* A large call is known only if the peer had received all before it. */
START_TEST(older_bytes_may_be_unsent)
{
	struct clock_fit fit;
	struct talk talk;

	talk_make(&talk);
	for (size_t i = 0; i < TURNS; i++)
		talk.asked[i].is_large = true;
	ck_assert_uint_eq(talk_fit(&talk, &fit), 2 * TURNS);
	for (size_t i = 0; i < TURNS; i++)
		talk.answered[i].taken -= i % 2;
	ck_assert_uint_eq(talk_fit(&talk, &fit), 2 * TURNS - (TURNS / 2 - 1));
	for (size_t i = 0; i < TURNS; i++)
		talk.asked[i].taken = 0;
	ck_assert_uint_eq(talk_fit(&talk, &fit), TURNS + 1);
}
END_TEST

START_TEST(few_calls_may_be_strangers)
{
	struct clock_fit fit;
	struct talk talk;

	talk_make(&talk);
	talk.client.sent_count = talk.server.sent_count = 3;
	ck_assert_uint_eq(talk_fit(&talk, &fit), 0);
}
END_TEST

START_TEST(strangers_contradict)
{
	struct clock_fit fit;
	struct talk talk;

	talk_make(&talk);
	for (size_t i = 0; i < TURNS; i++) {
		talk.question[i].first += i * i * MS;
		talk.question[i].time += i * i * MS;
		talk.answered[i].time += i * i * MS;
	}
	ck_assert_uint_eq(talk_fit(&talk, &fit), 0);
}
END_TEST

Suite *stream_fit_suite(void)
{
	Suite *suite = suite_create("stream_fit");
	TCase *tcase = tcase_create("core");

	tcase_add_test(tcase, states_of_connections_are_messages);
	tcase_add_test(tcase, states_alone_relate_machines);
	tcase_add_test(tcase, translated_addresses_do_not_matter);
	tcase_add_test(tcase, translated_connections_agree_in_all_else);
	tcase_add_test(tcase, addresses_decide_where_they_agree);
	tcase_add_test(tcase, states_that_contradict_are_not_of_one_connection);
	tcase_add_test(tcase, each_state_bounds_one_side);
	tcase_add_test(tcase, lost_packets_do_not_matter);
	tcase_add_test(tcase, byte_in_the_middle_arrives_with_the_call);
	tcase_add_test(tcase, other_ports_are_another_connection);
	tcase_add_test(tcase, more_bytes_than_were_sent_are_not_compared);
	tcase_add_test(tcase, answer_to_more_bytes_than_were_sent_is_not_compared);
	tcase_add_test(tcase, connection_within_a_machine_is_not_compared);
	tcase_add_test(tcase, ports_that_are_used_again_are_not_compared);
	tcase_add_test(tcase, one_machine_opens_a_connection);
	tcase_add_test(tcase, connection_within_the_other_machine_is_not_compared);
	tcase_add_test(tcase, both_directions_must_be_possible);
	tcase_add_test(tcase, calls_with_one_end_are_not_compared);
	tcase_add_test(tcase, older_bytes_may_be_unsent);
	tcase_add_test(tcase, few_calls_may_be_strangers);
	tcase_add_test(tcase, strangers_contradict);
	suite_add_tcase(suite, tcase);
	return suite;
}
