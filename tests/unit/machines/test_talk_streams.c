/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "machines/talk_streams.h"

#include "suites.h"

#define SOCKET  0xffff888000001000u
#define TASK    42
#define HEADERS (LINK_HEADER_BYTES + 52)

static struct talk_streams streams;

static void take(nsec_t time, enum event_kind kind, struct event event)
{
	event.time = time;
	event.kind = kind;
	event.tid = event.tid ? event.tid : TASK;
	talk_streams_take(&streams, &event);
}

static void state(nsec_t time, uint64_t to)
{
	static const char local[] = "\0\0\0\0\0\0\0\0\0\0\xff\xff\x0a\0\0\1";
	static const char peer[] = "\0\0\0\0\0\0\0\0\0\0\xff\xff\x0a\0\0\2";

	take(time, EVENT_SOCKET_STATE,
	     (struct event){.socket = {SOCKET, to, 40000, 80, {peer, sizeof(peer) - 1},
	                               {local, sizeof(local) - 1}}});
}

static void packet(nsec_t time, uint64_t bytes)
{
	take(time, EVENT_NET_QUEUE,
	     (struct event){.net = {.bytes = bytes + HEADERS, .dev = {"eth0", 4}}});
}

static void transfer(nsec_t time, enum event_kind kind, int64_t bytes, uint64_t flags)
{
	take(time, kind,
	     (struct event){.transfer = {SOCKET, FAMILY_INET, PROTOCOL_TCP, bytes, flags}});
}

static void ready(nsec_t time)
{
	take(time, EVENT_SOCKET_READY, (struct event){.socket = {.socket = SOCKET}, .tid = 7});
}

static void opened(void)
{
	talk_streams_begin(&streams);
	state(1, STATE_SYN_SENT);
	state(2, STATE_ESTABLISHED);
}

/* The first packet of that length may be another connection's, which is only earlier. */
START_TEST(call_leaves_with_the_packet_of_its_length)
{
	opened();
	packet(10, 0);
	packet(11, 100);
	packet(12, 100);
	transfer(13, EVENT_SOCKET_SEND, 100, 0);
	packet(20, 70);
	transfer(21, EVENT_SOCKET_SEND, 50, 0);
	packet(30, 7);
	transfer(31, EVENT_SOCKET_SEND, 7, 0);
	talk_streams_end(&streams);
	ck_assert_uint_eq(streams.count, 1);
	ck_assert(streams.stream[0].is_active);
	ck_assert_uint_eq(streams.stream[0].sent_bytes, 157);
	ck_assert_uint_eq(streams.stream[0].sent_count, 3);
	ck_assert_uint_eq(streams.stream[0].sent[0].from, 0);
	ck_assert_uint_eq(streams.stream[0].sent[0].time, 11);
	ck_assert_uint_eq(streams.stream[0].sent[1].time, 0);
	ck_assert_uint_eq(streams.stream[0].sent[2].from, 150);
	ck_assert_uint_eq(streams.stream[0].sent[2].time, 30);
	talk_streams_release(&streams);
}
END_TEST

/* A call's bytes may wait for another CPU to send them, and the call may return late. */
START_TEST(packet_of_an_interrupt_is_not_of_the_call)
{
	opened();
	take(10, EVENT_NET_QUEUE,
	     (struct event){.net = {.bytes = 100 + HEADERS, .dev = {"eth0", 4}},
	                    .flags = EVENT_SOFTIRQ});
	transfer(13, EVENT_SOCKET_SEND, 100, 0);
	take(20, EVENT_NET_QUEUE,
	     (struct event){.net = {.bytes = 50 + HEADERS, .dev = {"eth0", 4}},
	                    .flags = EVENT_BH_OFF});
	transfer(23, EVENT_SOCKET_SEND, 50, 0);
	talk_streams_end(&streams);
	ck_assert_uint_eq(streams.stream[0].sent_count, 2);
	ck_assert_uint_eq(streams.stream[0].sent[0].time, 0);
	ck_assert_uint_eq(streams.stream[0].sent[1].time, 20);
	talk_streams_release(&streams);
}
END_TEST

START_TEST(large_call_leaves_with_a_large_packet)
{
	opened();
	packet(10, 0);
	packet(11, 1448);
	packet(12, 1448);
	transfer(13, EVENT_SOCKET_SEND, 20000, 0);
	transfer(15, EVENT_SOCKET_TAKE, 5, 0);
	packet(30, 1448);
	transfer(31, EVENT_SOCKET_SEND, 20000, 0);
	talk_streams_end(&streams);
	ck_assert_uint_eq(streams.stream[0].sent_count, 2);
	ck_assert_uint_eq(streams.stream[0].sent[0].time, 11);
	ck_assert_uint_eq(streams.stream[0].sent[0].taken, 0);
	ck_assert(streams.stream[0].sent[0].is_large);
	ck_assert_uint_eq(streams.stream[0].sent[1].from, 20000);
	ck_assert_uint_eq(streams.stream[0].sent[1].taken, 5);
	ck_assert(streams.stream[0].sent[1].is_large);
	ck_assert_uint_eq(streams.stream[0].sent[1].time, 30);
	talk_streams_release(&streams);
}
END_TEST

/* The first one is full, where a network carries no larger ones. */
START_TEST(packet_of_the_smallest_segment_is_large)
{
	opened();
	packet(10, 499 - 52);
	packet(11, 524);
	packet(12, 1048);
	transfer(13, EVENT_SOCKET_SEND, 20000, 0);
	talk_streams_end(&streams);
	ck_assert_uint_eq(streams.stream[0].sent[0].time, 11);
	talk_streams_release(&streams);
}
END_TEST

/* Three threads send; the first one's call returns last. */
START_TEST(calls_that_overlap_are_not_known)
{
	opened();
	take(10, EVENT_NET_QUEUE,
	     (struct event){.net = {.bytes = 100 + HEADERS, .dev = {"eth0", 4}}, .tid = 43});
	packet(11, 60);
	transfer(12, EVENT_SOCKET_SEND, 60, 0);
	packet(13, 60);
	transfer(14, EVENT_SOCKET_SEND, 60, 0);
	take(15, EVENT_SOCKET_SEND,
	     (struct event){.transfer = {SOCKET, FAMILY_INET, PROTOCOL_TCP, 100, 0}, .tid = 43});
	talk_streams_end(&streams);
	ck_assert_uint_eq(streams.stream[0].sent_count, 3);
	for (size_t i = 0; i < 3; i++)
		ck_assert_uint_eq(streams.stream[0].sent[i].time, 0);
	talk_streams_release(&streams);
}
END_TEST

static void other_sends(nsec_t time, int64_t bytes)
{
	take(time, EVENT_SOCKET_SEND,
	     (struct event){.transfer = {SOCKET, FAMILY_INET, PROTOCOL_TCP, bytes, 0}, .tid = 43});
}

static void other_takes(nsec_t time, int64_t bytes)
{
	take(time, EVENT_SOCKET_TAKE,
	     (struct event){.transfer = {SOCKET, FAMILY_INET, PROTOCOL_TCP, bytes, 0}, .tid = 43});
}

static void other_packet(nsec_t time, uint64_t bytes)
{
	take(time, EVENT_NET_QUEUE,
	     (struct event){.net = {.bytes = bytes + HEADERS, .dev = {"eth0", 4}}, .tid = 43});
}

/* A task that calls on another socket is in no call on this one. */
static void elsewhere(nsec_t time, int64_t tid)
{
	take(time, EVENT_SOCKET_TAKE,
	     (struct event){.transfer = {SOCKET + 1, FAMILY_INET, PROTOCOL_TCP, 1, 0}, .tid = tid});
}

/* A long call waits for room, and others send meanwhile: its first bytes are older than theirs. */
START_TEST(call_without_a_packet_may_have_begun_after_the_last_one)
{
	opened();
	transfer(5, EVENT_SOCKET_TAKE, 10, 0);
	other_takes(9, 10);
	packet(10, 60);
	transfer(11, EVENT_SOCKET_SEND, 60, 0);
	packet(12, 60);
	transfer(13, EVENT_SOCKET_SEND, 60, 0);
	other_packet(20, 1448);
	other_sends(21, 40000);
	packet(30, 60);
	transfer(31, EVENT_SOCKET_SEND, 60, 0);
	elsewhere(32, 43);
	talk_streams_end(&streams);
	ck_assert_uint_eq(streams.stream[0].sent_count, 4);
	for (size_t i = 0; i < 3; i++) {
		ck_assert_uint_eq(streams.stream[0].sent[i].time, 0);
		ck_assert_uint_eq(streams.stream[0].sent[i].taken, 0);
	}
	ck_assert_uint_eq(streams.stream[0].sent[3].time, 30);
	talk_streams_release(&streams);
}
END_TEST

/* What was received may then have been sent by another call than it seems. */
START_TEST(calls_that_overlap_do_not_answer)
{
	opened();
	other_takes(4, 10);
	transfer(5, EVENT_SOCKET_TAKE, 10, 0);
	packet(10, 700);
	transfer(11, EVENT_SOCKET_SEND, 700, 0);
	other_packet(20, 1448);
	other_sends(21, 40000);
	packet(30, 700);
	transfer(31, EVENT_SOCKET_SEND, 700, 0);
	elsewhere(32, 43);
	talk_streams_end(&streams);
	ck_assert_uint_eq(streams.stream[0].sent[0].time, 0);
	ck_assert_uint_eq(streams.stream[0].sent[0].taken, 0);
	ck_assert_uint_eq(streams.stream[0].sent[2].taken, 20);
	ck_assert(streams.stream[0].sent[2].is_large);
	talk_streams_release(&streams);
}
END_TEST

/* Two tasks send what one packet carries; the second call was in its packet when the first one
   returned. What comes next is as long as a full packet. */
START_TEST(calls_that_overlap_may_leave_bytes_unsent)
{
	opened();
	other_packet(9, 60);
	packet(10, 60);
	transfer(11, EVENT_SOCKET_SEND, 60, 0);
	other_sends(12, 60);
	packet(30, 700);
	transfer(31, EVENT_SOCKET_SEND, 700, 0);
	talk_streams_end(&streams);
	ck_assert_uint_eq(streams.stream[0].sent[0].time, 0);
	ck_assert_uint_eq(streams.stream[0].sent[1].time, 0);
	ck_assert(streams.stream[0].sent[2].is_large);
	talk_streams_release(&streams);
}
END_TEST

/* The first ones matter: the call's own may be among them. */
START_TEST(only_some_packets_of_a_task_are_kept)
{
	opened();
	packet(10, 1448);
	for (unsigned i = 0; i < 20; i++)
		packet(11 + i, 1448);
	transfer(50, EVENT_SOCKET_SEND, 30000, 0);
	talk_streams_end(&streams);
	ck_assert_uint_eq(streams.stream[0].sent[0].time, 10);
	talk_streams_release(&streams);
}
END_TEST

START_TEST(headers_are_known)
{
	static const char local[] = "\xfd\0\0\0\0\0\0\0\0\0\0\0\0\0\0\1";
	static const char peer[] = "\xfd\0\0\0\0\0\0\0\0\0\0\0\0\0\0\2";

	for (unsigned is_ipv6 = 0; is_ipv6 < 2; is_ipv6++) {
		uint64_t headers = LINK_HEADER_BYTES + 20 + (is_ipv6 ? 40 : 20);

		opened();
		if (is_ipv6)
			take(3, EVENT_SOCKET_STATE,
			     (struct event){.socket = {SOCKET, STATE_ESTABLISHED, 40000, 80,
		                                       {peer, 16}, {local, 16}}});
		for (unsigned i = 0; i < 3; i++) {
			take(10 + 2 * i, EVENT_NET_QUEUE,
			     (struct event){.net = {.bytes = headers + 100 + 12 * i,
		                                    .dev = {"eth0", 4}}});
			transfer(11 + 2 * i, EVENT_SOCKET_SEND, 100, 0);
		}
		talk_streams_end(&streams);
		ck_assert_uint_eq(streams.stream[is_ipv6].sent_count, 3);
		ck_assert_uint_eq(streams.stream[is_ipv6].sent[0].time, 10);
		ck_assert_uint_eq(streams.stream[is_ipv6].sent[1].time, 12);
		ck_assert_uint_eq(streams.stream[is_ipv6].sent[2].time, 0);
		talk_streams_release(&streams);
	}
}
END_TEST

START_TEST(packet_that_stays_on_the_machine_is_not_of_the_call)
{
	opened();
	take(10, EVENT_NET_QUEUE,
	     (struct event){.net = {.bytes = 100 + HEADERS, .dev = {"lo", 2}}});
	packet(11, 100);
	transfer(12, EVENT_SOCKET_SEND, 100, 0);
	talk_streams_end(&streams);
	ck_assert_uint_eq(streams.stream[0].sent[0].time, 11);
	talk_streams_release(&streams);
}
END_TEST

/* The peer reset it, or both ends have shut it down. */
START_TEST(what_is_left_of_a_closed_connection_is_read)
{
	opened();
	transfer(10, EVENT_SOCKET_TAKE, 30, 0);
	state(11, STATE_CLOSE);
	transfer(12, EVENT_SOCKET_TAKE, 20, 0);
	talk_streams_end(&streams);
	ck_assert_uint_eq(streams.stream[0].taken_bytes, 50);
	talk_streams_release(&streams);
}
END_TEST

/* A sock that was open before the recording began may be that of a later connection. */
START_TEST(connection_that_is_accepted_later_is_followed)
{
	talk_streams_begin(&streams);
	transfer(11, EVENT_SOCKET_SEND, 100, 0);
	state(19, STATE_CLOSE);
	state(21, STATE_ESTABLISHED);
	packet(22, 60);
	transfer(23, EVENT_SOCKET_SEND, 60, 0);
	talk_streams_end(&streams);
	ck_assert_uint_eq(streams.count, 1);
	ck_assert_uint_eq(streams.stream[0].sent_bytes, 60);
	talk_streams_release(&streams);
}
END_TEST

/* A worker that has read a request was in no call before. */
START_TEST(calls_in_turn_do_not_overlap)
{
	opened();
	packet(10, 60);
	transfer(11, EVENT_SOCKET_SEND, 60, 0);
	other_takes(15, 10);
	other_packet(20, 1448);
	other_sends(21, 40000);
	elsewhere(22, TASK);
	talk_streams_end(&streams);
	ck_assert_uint_eq(streams.stream[0].sent[0].time, 10);
	ck_assert_uint_eq(streams.stream[0].sent[1].time, 20);
	talk_streams_release(&streams);
}
END_TEST

/* It may be in a call that waits for room: interrupts send its bytes, and it queues no packet. */
START_TEST(calls_after_the_last_one_of_another_writer_are_not_known)
{
	opened();
	packet(10, 60);
	transfer(11, EVENT_SOCKET_SEND, 60, 0);
	other_takes(15, 10);
	other_packet(20, 1448);
	other_sends(21, 40000);
	talk_streams_end(&streams);
	ck_assert_uint_eq(streams.stream[0].sent[0].time, 10);
	ck_assert_uint_eq(streams.stream[0].sent[1].time, 0);
	talk_streams_release(&streams);
}
END_TEST

/* Its bytes are not counted. What was sent before it began has its numbers. */
START_TEST(calls_beside_one_that_does_not_return_are_not_known)
{
	for (unsigned is_lost = 0; is_lost < 2; is_lost++) {
		opened();
		packet(10, 60);
		transfer(11, EVENT_SOCKET_SEND, 60, 0);
		other_packet(12, 60);
		other_sends(13, 60);
		packet(14, 60);
		transfer(15, EVENT_SOCKET_SEND, 60, 0);
		other_packet(16, 1448);
		packet(18, 60);
		transfer(19, EVENT_SOCKET_SEND, 60, 0);
		if (is_lost)
			talk_streams_lose(&streams, 20, 30);
		talk_streams_end(&streams);
		ck_assert_uint_eq(streams.stream[0].sent_count, 4);
		ck_assert_uint_eq(streams.stream[0].sent[0].time, 10);
		ck_assert_uint_eq(streams.stream[0].sent[1].time, 12);
		ck_assert_uint_eq(streams.stream[0].sent[2].time, 0);
		ck_assert_uint_eq(streams.stream[0].sent[3].time, 0);
		talk_streams_release(&streams);
	}
}
END_TEST

/* It may copy its data piece by piece, and wait between. */
START_TEST(large_call_in_one_packet_needs_the_proviso)
{
	opened();
	packet(10, 16384);
	transfer(11, EVENT_SOCKET_SEND, 16384, 0);
	packet(12, 16385);
	transfer(13, EVENT_SOCKET_SEND, 16385, 0);
	talk_streams_end(&streams);
	ck_assert(!streams.stream[0].sent[0].is_large);
	ck_assert(streams.stream[0].sent[1].is_large);
	ck_assert_uint_eq(streams.stream[0].sent[1].time, 12);
	talk_streams_release(&streams);
}
END_TEST

/* Its reader may begin to send. */
START_TEST(reader_may_be_in_a_call_that_does_not_return)
{
	opened();
	packet(10, 60);
	transfer(11, EVENT_SOCKET_SEND, 60, 0);
	other_takes(12, 60);
	other_packet(13, 1448);
	packet(14, 60);
	transfer(15, EVENT_SOCKET_SEND, 60, 0);
	talk_streams_end(&streams);
	ck_assert_uint_eq(streams.stream[0].sent_count, 2);
	ck_assert_uint_eq(streams.stream[0].sent[0].time, 10);
	ck_assert_uint_eq(streams.stream[0].sent[1].time, 0);
	talk_streams_release(&streams);
}
END_TEST

/* Small writes in quick succession leave in full packets, when there is room; a packet of the
   call's length may then be one of older bytes, or of younger ones. */
START_TEST(packet_of_a_full_segment_needs_the_proviso)
{
	opened();
	packet(10, 1448);
	transfer(11, EVENT_SOCKET_SEND, 1448, 0);
	packet(12, 800);
	transfer(13, EVENT_SOCKET_SEND, 800, 0);
	transfer(14, EVENT_SOCKET_SEND, 1448, 0);
	packet(15, 1448);
	transfer(16, EVENT_SOCKET_SEND, 1448, 0);
	packet(17, 60);
	transfer(18, EVENT_SOCKET_SEND, 60, 0);
	talk_streams_end(&streams);
	ck_assert_uint_eq(streams.stream[0].sent_count, 5);
	ck_assert(!streams.stream[0].sent[0].is_large);
	ck_assert(!streams.stream[0].sent[1].is_large);
	ck_assert_uint_eq(streams.stream[0].sent[2].time, 0);
	ck_assert(streams.stream[0].sent[3].is_large);
	ck_assert_uint_eq(streams.stream[0].sent[3].time, 15);
	ck_assert(!streams.stream[0].sent[4].is_large);
	talk_streams_release(&streams);
}
END_TEST

START_TEST(bytes_have_arrived_when_the_reader_is_notified)
{
	opened();
	ready(10);
	ready(11);
	transfer(14, EVENT_SOCKET_TAKE, 30, FLAG_PEEK);
	transfer(15, EVENT_SOCKET_TAKE, 30, 0);
	transfer(16, EVENT_SOCKET_TAKE, -11, 0);
	transfer(17, EVENT_SOCKET_TAKE, 20, 0);
	talk_streams_end(&streams);
	ck_assert_uint_eq(streams.stream[0].taken_count, 2);
	ck_assert_uint_eq(streams.stream[0].taken[0].first, 10);
	ck_assert_uint_eq(streams.stream[0].taken[0].time, 15);
	ck_assert_uint_eq(streams.stream[0].taken[1].from, 30);
	ck_assert_uint_eq(streams.stream[0].taken[1].first, 17);
	ck_assert_uint_eq(streams.stream[0].taken_bytes, 50);
	talk_streams_release(&streams);
}
END_TEST

START_TEST(lost_events_end_what_is_known)
{
	opened();
	packet(10, 100);
	transfer(11, EVENT_SOCKET_SEND, 100, 0);
	transfer(12, EVENT_SOCKET_TAKE, 10, 0);
	packet(20, 100);
	transfer(21, EVENT_SOCKET_SEND, 100, 0);
	transfer(22, EVENT_SOCKET_TAKE, 10, 0);
	talk_streams_lose(&streams, 15, 30);
	transfer(31, EVENT_SOCKET_TAKE, 10, 0);
	talk_streams_end(&streams);
	ck_assert(streams.stream[0].is_cut);
	ck_assert_uint_eq(streams.stream[0].sent_count, 1);
	ck_assert_uint_eq(streams.stream[0].taken_count, 1);
	ck_assert_uint_eq(streams.stream[0].taken_bytes, 10);
	talk_streams_release(&streams);
}
END_TEST

/* A CPU that lost its first events tells so with the first one that it kept. */
START_TEST(loss_from_the_begin_may_be_told_after_another_one)
{
	opened();
	packet(10, 100);
	transfer(11, EVENT_SOCKET_SEND, 100, 0);
	transfer(12, EVENT_SOCKET_TAKE, 10, 0);
	talk_streams_lose(&streams, 15, 30);
	talk_streams_lose(&streams, 0, 40);
	talk_streams_end(&streams);
	ck_assert_uint_eq(streams.count, 1);
	ck_assert_uint_eq(streams.stream[0].sent_count, 0);
	ck_assert_uint_eq(streams.stream[0].sent_bytes, 0);
	ck_assert_uint_eq(streams.stream[0].taken_count, 0);
	talk_streams_release(&streams);
}
END_TEST

/* What was cut is not counted any more, whatever its tasks do. */
START_TEST(later_loss_changes_nothing_of_what_was_cut)
{
	opened();
	packet(10, 100);
	transfer(11, EVENT_SOCKET_SEND, 100, 0);
	transfer(12, EVENT_SOCKET_TAKE, 10, 0);
	packet(13, 50);
	transfer(14, EVENT_SOCKET_SEND, 50, 0);
	talk_streams_lose(&streams, 20, 30);
	packet(35, 100);
	talk_streams_lose(&streams, 40, 50);
	talk_streams_end(&streams);
	ck_assert_uint_eq(streams.stream[0].sent_count, 2);
	ck_assert_uint_eq(streams.stream[0].sent[0].time, 10);
	ck_assert_uint_eq(streams.stream[0].sent[1].time, 13);
	ck_assert_uint_eq(streams.stream[0].sent[1].taken, 10);
	talk_streams_release(&streams);
}
END_TEST

/* One that opens between two losses is cut by an earlier loss that is told last. */
START_TEST(all_streams_are_cut_by_each_loss)
{
	opened();
	packet(10, 100);
	transfer(11, EVENT_SOCKET_SEND, 100, 0);
	talk_streams_lose(&streams, 12, 20);
	state(21, STATE_SYN_SENT);
	state(22, STATE_ESTABLISHED);
	packet(23, 100);
	transfer(24, EVENT_SOCKET_SEND, 100, 0);
	packet(25, 100);
	transfer(26, EVENT_SOCKET_SEND, 100, 0);
	talk_streams_lose(&streams, 30, 40);
	talk_streams_lose(&streams, 25, 41);
	talk_streams_lose(&streams, 50, 60);
	talk_streams_end(&streams);
	ck_assert_uint_eq(streams.count, 2);
	ck_assert_uint_eq(streams.stream[0].sent_count, 1);
	ck_assert_uint_eq(streams.stream[1].sent_count, 1);
	ck_assert(streams.stream[1].is_cut);
	talk_streams_release(&streams);
}
END_TEST

START_TEST(losses_may_overlap)
{
	talk_streams_begin(&streams);
	talk_streams_lose(&streams, 15, 30);
	talk_streams_lose(&streams, 16, 20);
	state(25, STATE_SYN_SENT);
	state(31, STATE_ESTABLISHED);
	transfer(32, EVENT_SOCKET_SEND, 10, 0);
	talk_streams_end(&streams);
	ck_assert_uint_eq(streams.count, 1);
	ck_assert(!streams.stream[0].is_active);
	talk_streams_release(&streams);
}
END_TEST

START_TEST(connection_of_one_address_stays_on_the_machine)
{
	static const char address[] = "\0\0\0\0\0\0\0\0\0\0\xff\xff\x0a\0\0\1";

	talk_streams_begin(&streams);
	take(1, EVENT_SOCKET_STATE,
	     (struct event){.socket = {SOCKET, STATE_ESTABLISHED, 40000, 80, {address, 16},
	                               {address, 16}}});
	transfer(2, EVENT_SOCKET_SEND, 10, 0);
	talk_streams_end(&streams);
	ck_assert_uint_eq(streams.count, 0);
	talk_streams_release(&streams);
}
END_TEST

/* Its memory may be that of a connection later. */
START_TEST(sock_of_another_protocol_is_no_older_connection)
{
	talk_streams_begin(&streams);
	take(1, EVENT_SOCKET_SEND,
	     (struct event){.transfer = {SOCKET, FAMILY_INET, 17, 100, 0}});
	state(2, STATE_ESTABLISHED);
	transfer(3, EVENT_SOCKET_SEND, 10, 0);
	talk_streams_end(&streams);
	ck_assert_uint_eq(streams.count, 1);
	ck_assert_uint_eq(streams.stream[0].sent_bytes, 10);
	talk_streams_release(&streams);
}
END_TEST

/* Its calls on the CPU that lost events are not counted. */
START_TEST(connection_that_opens_while_events_are_lost_is_not_followed)
{
	talk_streams_begin(&streams);
	talk_streams_lose(&streams, 15, 30);
	state(20, STATE_SYN_SENT);
	state(21, STATE_ESTABLISHED);
	transfer(31, EVENT_SOCKET_SEND, 10, 0);
	talk_streams_end(&streams);
	ck_assert_uint_eq(streams.count, 0);
	talk_streams_release(&streams);
}
END_TEST

/* With TCP Fast Open a server may read and write before it is established. */
START_TEST(connection_that_was_used_before_is_not_followed)
{
	talk_streams_begin(&streams);
	transfer(11, EVENT_SOCKET_SEND, 100, 0);
	state(21, STATE_ESTABLISHED);
	talk_streams_end(&streams);
	ck_assert_uint_eq(streams.count, 0);
	talk_streams_release(&streams);
}
END_TEST

/* A task that reads and then sends was not in the call before it read. */
START_TEST(what_another_task_has_received_proves_nothing)
{
	opened();
	take(10, EVENT_SOCKET_TAKE,
	     (struct event){.transfer = {SOCKET, FAMILY_INET, PROTOCOL_TCP, 8, 0}, .tid = 43});
	transfer(12, EVENT_SOCKET_SEND, 100, 0);
	transfer(14, EVENT_SOCKET_TAKE, 4, 0);
	transfer(15, EVENT_SOCKET_SEND, 100, 0);
	talk_streams_end(&streams);
	ck_assert_uint_eq(streams.stream[0].sent[0].taken, 0);
	ck_assert_uint_eq(streams.stream[0].sent[1].taken, 12);
	talk_streams_release(&streams);
}
END_TEST

/* A sock may have been open before, and may be used again. */
START_TEST(connection_is_followed_from_its_opening)
{
	talk_streams_begin(&streams);
	packet(10, 100);
	transfer(11, EVENT_SOCKET_SEND, 100, 0);
	state(19, STATE_CLOSE);
	state(20, STATE_SYN_SENT);
	state(21, STATE_ESTABLISHED);
	packet(22, 100);
	transfer(23, EVENT_SOCKET_SEND, 100, 0);
	state(30, STATE_CLOSE);
	state(31, STATE_ESTABLISHED);
	packet(32, 60);
	transfer(33, EVENT_SOCKET_SEND, 60, 0);
	talk_streams_end(&streams);
	ck_assert_uint_eq(streams.count, 2);
	ck_assert_uint_eq(streams.stream[0].sent_bytes, 100);
	ck_assert(!streams.stream[1].is_active);
	ck_assert_uint_eq(streams.stream[1].sent_bytes, 60);
	talk_streams_release(&streams);
}
END_TEST

START_TEST(states_are_noted)
{
	const struct host_stream *stream = NULL;

	opened();
	state(10, STATE_FIN_WAIT1);
	state(12, STATE_FIN_WAIT2);
	state(13, STATE_CLOSE);
	state(20, STATE_SYN_SENT);
	state(22, STATE_ESTABLISHED);
	state(30, STATE_CLOSE_WAIT);
	talk_streams_end(&streams);
	ck_assert_uint_eq(streams.count, 2);
	stream = &streams.stream[0];
	ck_assert_uint_eq(stream->established, 2);
	ck_assert_uint_eq(stream->closed, 10);
	ck_assert_uint_eq(stream->close_acked, 12);
	ck_assert_uint_eq(stream->peer_closed, 0);
	stream = &streams.stream[1];
	ck_assert_uint_eq(stream->established, 22);
	ck_assert_uint_eq(stream->peer_closed, 30);
	ck_assert_uint_eq(stream->closed, 0);
	talk_streams_release(&streams);
}
END_TEST

/* The sock may have become that of another connection meanwhile. */
START_TEST(states_after_a_loss_are_not_noted)
{
	opened();
	state(10, STATE_FIN_WAIT1);
	talk_streams_lose(&streams, 11, 15);
	state(20, STATE_FIN_WAIT2);
	talk_streams_lose(&streams, 10, 12); /* of another CPU, told late */
	state(21, STATE_SYN_SENT);
	state(22, STATE_ESTABLISHED);
	talk_streams_lose(&streams, 30, 31);
	talk_streams_end(&streams);
	ck_assert_uint_eq(streams.count, 2);
	ck_assert_uint_eq(streams.stream[0].established, 2);
	ck_assert_uint_eq(streams.stream[0].closed, 0);
	ck_assert_uint_eq(streams.stream[0].close_acked, 0);
	ck_assert(streams.stream[0].is_cut && streams.stream[1].is_cut);
	ck_assert_uint_eq(streams.stream[1].established, 22);
	talk_streams_release(&streams);
}
END_TEST

Suite *talk_streams_suite(void)
{
	Suite *suite = suite_create("talk_streams");
	TCase *tcase = tcase_create("core");

	tcase_add_test(tcase, call_leaves_with_the_packet_of_its_length);
	tcase_add_test(tcase, packet_of_an_interrupt_is_not_of_the_call);
	tcase_add_test(tcase, large_call_leaves_with_a_large_packet);
	tcase_add_test(tcase, packet_of_the_smallest_segment_is_large);
	tcase_add_test(tcase, calls_that_overlap_are_not_known);
	tcase_add_test(tcase, call_without_a_packet_may_have_begun_after_the_last_one);
	tcase_add_test(tcase, calls_that_overlap_do_not_answer);
	tcase_add_test(tcase, calls_that_overlap_may_leave_bytes_unsent);
	tcase_add_test(tcase, only_some_packets_of_a_task_are_kept);
	tcase_add_test(tcase, headers_are_known);
	tcase_add_test(tcase, packet_that_stays_on_the_machine_is_not_of_the_call);
	tcase_add_test(tcase, what_is_left_of_a_closed_connection_is_read);
	tcase_add_test(tcase, connection_that_is_accepted_later_is_followed);
	tcase_add_test(tcase, states_are_noted);
	tcase_add_test(tcase, states_after_a_loss_are_not_noted);
	tcase_add_test(tcase, calls_in_turn_do_not_overlap);
	tcase_add_test(tcase, calls_after_the_last_one_of_another_writer_are_not_known);
	tcase_add_test(tcase, calls_beside_one_that_does_not_return_are_not_known);
	tcase_add_test(tcase, reader_may_be_in_a_call_that_does_not_return);
	tcase_add_test(tcase, large_call_in_one_packet_needs_the_proviso);
	tcase_add_test(tcase, packet_of_a_full_segment_needs_the_proviso);
	tcase_add_test(tcase, bytes_have_arrived_when_the_reader_is_notified);
	tcase_add_test(tcase, lost_events_end_what_is_known);
	tcase_add_test(tcase, loss_from_the_begin_may_be_told_after_another_one);
	tcase_add_test(tcase, later_loss_changes_nothing_of_what_was_cut);
	tcase_add_test(tcase, all_streams_are_cut_by_each_loss);
	tcase_add_test(tcase, losses_may_overlap);
	tcase_add_test(tcase, connection_of_one_address_stays_on_the_machine);
	tcase_add_test(tcase, sock_of_another_protocol_is_no_older_connection);
	tcase_add_test(tcase, connection_that_opens_while_events_are_lost_is_not_followed);
	tcase_add_test(tcase, connection_that_was_used_before_is_not_followed);
	tcase_add_test(tcase, what_another_task_has_received_proves_nothing);
	tcase_add_test(tcase, connection_is_followed_from_its_opening);
	suite_add_tcase(suite, tcase);
	return suite;
}
