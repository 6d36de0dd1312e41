/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the machine remembers of objects when there are more of them than it has room for: the
 * oldest that live make room, and the health tells.
 *
 * A (tid 1) does something with an object, X (tid 2) with very many others; B (tid 3) waits, and
 * is woken for the object of A.
 */
#include "state/core/machine.h"

#include <stdio.h>
#include <string.h>

#include "suites.h"

#define ROOM (1u << 18)
#define MINE UINT64_C(0xa000000000) /* address of A's object */

enum { A = 1, X, B };

static struct source source;
static struct timeline timeline;
static struct health health;
static struct machine *machine;
static nsec_t now;
static struct cause_note reported; /* why B's wait ended */

static void on_span(void *state, const struct span *span)
{
	(void)state;
	if (timeline.track[span->track].tid == B && span->kind == SEGMENT_WAIT && span->cause)
		reported = *span->cause;
}

static void report(int64_t tid, enum event_kind kind, struct event event)
{
	event.time = ++now;
	event.tid = tid;
	event.kind = kind;
	event.flags = 0;
	machine_event(machine, &event);
}

static void feed_irq(int64_t tid, enum event_kind kind, struct event event)
{
	event.time = ++now;
	event.tid = tid;
	event.kind = kind;
	event.flags = EVENT_HARDIRQ;
	machine_event(machine, &event);
}

static void switch_to(int64_t from, int64_t to)
{
	static const char names[4][2] = {"0", "A", "X", "B"};

	report(from, EVENT_SCHED_SWITCH,
	       (struct event){.sched_switch = {.prev_tid = from,
	                                       .next_tid = to,
	                                       .prev_comm = {names[from], 1},
	                                       .next_comm = {names[to], 1},
	                                       .letter = 'S'}});
}

static struct event timer(uint64_t address)
{
	return (struct event){.timer = {.timer = address}};
}

static struct event wake_of_b(void)
{
	return (struct event){.wake = {.tid = B, .cpu = 0, .comm = {"B", 1}}};
}

static void timer_expires(uint64_t address, bool wakes_b)
{
	feed_irq(X, EVENT_HRTIMER_ENTRY, timer(address));
	if (wakes_b)
		feed_irq(X, EVENT_SCHED_WAKING, wake_of_b());
	feed_irq(X, EVENT_HRTIMER_EXIT, timer(address));
}

/* B sleeps, A runs. */
static void run_begin(void)
{
	static const struct span_sink sink = {.on_span = on_span};
	struct machine_setup setup = {
		.source = &source,
		.timeline = &timeline,
		.health = &health,
		.sinks = &sink,
		.sink_count = 1,
	};

	health = (struct health){0};
	cause_note_init(&reported, CAUSE_UNKNOWN, CONFIDENCE_LOW);
	now = 0;
	timeline_init(&timeline, /* keep_segments= */ false);
	machine = machine_new(&setup);
	machine_begin(machine, 0);
	switch_to(0, B);
	switch_to(B, A);
}

static void run_end(void)
{
	machine_free(machine);
	timeline_release(&timeline);
	health_release(&health);
}

static int64_t originator(void)
{
	return reported.originator == TRACK_NONE ? 0 : timeline.track[reported.originator].tid;
}

static void check_forgotten(uint64_t count, const char *note)
{
	machine_end(machine, now);
	ck_assert_uint_eq(health.objects_forgotten, count);
	ck_assert_uint_eq(health.note_count, note ? 1 : 0);
	if (note)
		ck_assert_str_eq(health.notes[0], note);
}

START_TEST(timers_that_expired_take_no_room)
{
	report(A, EVENT_HRTIMER_START, timer(MINE));
	switch_to(A, X);
	for (uint64_t i = 1; i <= 2 * ROOM; i++) {
		report(X, EVENT_HRTIMER_START, timer(i));
		timer_expires(i, false);
	}
	timer_expires(MINE, true);
	ck_assert_int_eq(reported.kind, CAUSE_TIMER);
	ck_assert_int_eq(originator(), A);
	ck_assert_int_eq(reported.confidence, CONFIDENCE_HIGH);
	check_forgotten(0, NULL);
}
END_TEST

START_TEST(a_younger_timer_outlives_older_ones)
{
	switch_to(A, X);
	for (uint64_t i = 1; i <= ROOM; i++)
		report(X, EVENT_TIMER_START, timer(i));
	switch_to(X, A);
	report(A, EVENT_TIMER_START, timer(MINE));
	switch_to(A, X);
	for (uint64_t i = ROOM + 1; i < 2 * ROOM; i++)
		report(X, EVENT_TIMER_START, timer(i));
	timer_expires(MINE, true);
	ck_assert_int_eq(originator(), A);
	ck_assert_int_eq(reported.confidence, CONFIDENCE_HIGH);
	check_forgotten(ROOM, "more than 262144 timers at once: forgot the oldest 262144");
}
END_TEST

START_TEST(an_armer_that_was_forgotten_is_reported)
{
	report(A, EVENT_TIMER_START, timer(MINE));
	switch_to(A, X);
	for (uint64_t i = 1; i <= ROOM; i++)
		report(X, EVENT_TIMER_START, timer(i));
	timer_expires(MINE, true);
	ck_assert_int_eq(reported.kind, CAUSE_TIMER);
	ck_assert_int_eq(originator(), 0);
	ck_assert_int_eq(reported.confidence, CONFIDENCE_MEDIUM);
	check_forgotten(1, "more than 262144 timers at once: forgot the oldest 1");
}
END_TEST

/* It is armed again before its callback ends, which must not end that too. */
START_TEST(a_timer_that_its_callback_arms_again_lives)
{
	report(A, EVENT_HRTIMER_START, timer(MINE));
	switch_to(A, X);
	feed_irq(X, EVENT_HRTIMER_ENTRY, timer(MINE));
	feed_irq(X, EVENT_HRTIMER_START, timer(MINE));
	feed_irq(X, EVENT_HRTIMER_EXIT, timer(MINE));
	for (uint64_t i = 1; i <= ROOM; i++)
		report(X, EVENT_HRTIMER_START, timer(i));
	timer_expires(MINE, true);
	ck_assert_int_eq(originator(), 0); /* an interrupt armed it */
	check_forgotten(1, "more than 262144 timers at once: forgot the oldest 1");
}
END_TEST

static struct event request(uint64_t sector)
{
	return (struct event){.block = {.dev = 8u << 20, .sector = sector, .sectors = 8}};
}

/* Bios that become part of a request before them are queued and never complete. */
START_TEST(a_request_outlives_merged_ones)
{
	report(A, EVENT_BLOCK_QUEUE, request(MINE));
	report(A, EVENT_BLOCK_ISSUE, request(MINE));
	switch_to(A, X);
	for (uint64_t i = 1; i < ROOM; i++)
		report(X, EVENT_BLOCK_QUEUE, request(i * 8));
	for (uint64_t i = 1; i <= ROOM; i++) {
		report(X, EVENT_BLOCK_ISSUE, request(i * 8));
		feed_irq(X, EVENT_BLOCK_COMPLETE, request(i * 8));
	}
	feed_irq(X, EVENT_BLOCK_COMPLETE, request(MINE));
	feed_irq(X, EVENT_SCHED_WAKING, wake_of_b());
	ck_assert_int_eq(reported.kind, CAUSE_DISK);
	ck_assert_int_eq(originator(), A);
	check_forgotten(0, NULL);
}
END_TEST

START_TEST(bios_that_are_only_queued_are_not_missed)
{
	switch_to(A, X);
	for (uint64_t i = 1; i <= ROOM + 5; i++)
		report(X, EVENT_BLOCK_QUEUE, request(i * 8));
	check_forgotten(0, NULL);
}
END_TEST

START_TEST(requests_that_were_issued_are_missed)
{
	switch_to(A, X);
	for (uint64_t i = 1; i <= ROOM + 5; i++)
		report(X, EVENT_BLOCK_ISSUE, request(i * 8));
	check_forgotten(5, "more than 262144 requests at once: forgot the oldest 5");
}
END_TEST

static struct event item(uint64_t address)
{
	return (struct event){.work = {.work = address}};
}

START_TEST(work_items_that_were_begun_take_no_room)
{
	report(A, EVENT_WORK_QUEUE, item(MINE));
	switch_to(A, X);
	for (uint64_t i = 1; i <= 2 * ROOM; i++) {
		report(X, EVENT_WORK_QUEUE, item(i));
		report(X, EVENT_WORK_START, item(i));
		report(X, EVENT_WORK_END, item(i));
	}
	report(X, EVENT_WORK_START, item(MINE));
	report(X, EVENT_SCHED_WAKING, wake_of_b());
	ck_assert_int_eq(reported.kind, CAUSE_WORK);
	ck_assert_int_eq(originator(), A);
	ck_assert_int_eq(reported.confidence, CONFIDENCE_HIGH);
	check_forgotten(0, NULL);
}
END_TEST

START_TEST(a_queuer_that_was_forgotten_is_reported)
{
	report(A, EVENT_WORK_QUEUE, item(MINE));
	switch_to(A, X);
	for (uint64_t i = 1; i <= ROOM; i++)
		report(X, EVENT_WORK_QUEUE, item(i));
	report(X, EVENT_WORK_START, item(MINE));
	report(X, EVENT_SCHED_WAKING, wake_of_b());
	ck_assert_int_eq(originator(), 0);
	ck_assert_int_eq(reported.confidence, CONFIDENCE_MEDIUM);
	check_forgotten(1, "more than 262144 work items at once: forgot the oldest 1");
}
END_TEST

static struct event packet(uint64_t address)
{
	return (struct event){.net = {.packet = address, .dev = {"lo", 2}}};
}

/* Of packets that were dropped on their way nothing more is heard. */
START_TEST(a_packet_outlives_dropped_ones)
{
	switch_to(A, X);
	for (uint64_t i = 1; i < ROOM / 2; i++)
		report(X, EVENT_NET_QUEUE, packet(i));
	switch_to(X, A);
	report(A, EVENT_NET_QUEUE, packet(MINE));
	switch_to(A, X);
	for (uint64_t i = ROOM; i < ROOM + ROOM / 2; i++)
		report(X, EVENT_NET_QUEUE, packet(i));
	feed_irq(X, EVENT_NET_RECEIVE, packet(MINE));
	feed_irq(X, EVENT_SCHED_WAKING, wake_of_b());
	ck_assert_int_eq(reported.kind, CAUSE_NET);
	ck_assert_int_eq(originator(), A);
	check_forgotten(0, NULL);
}
END_TEST

/* Connections that an old kernel does not tell the sock of close all the same. */
static struct event segment(uint64_t sock, unsigned state, const uint8_t peer[16])
{
	return (struct event){.socket = {.socket = sock,
	                                 .state = state,
	                                 .local_port = 80,
	                                 .peer_port = 5000,
	                                 .peer = {(const char *)peer, 16}}};
}

START_TEST(connections_that_closed_take_no_room)
{
	enum { ESTABLISHED = 1, CLOSE = 7 };
	uint8_t peer[16] = {[10] = 0xff, [11] = 0xff, [12] = 10};

	switch_to(A, X);
	report(X, EVENT_SOCKET_STATE, segment(MINE, ESTABLISHED, peer));
	for (uint64_t i = 1; i <= 2 * ROOM; i++) {
		memcpy(peer + 12, &i, 4);
		feed_irq(X, EVENT_SOCKET_RECEIVE, segment(0, 0, peer));
		report(X, EVENT_SOCKET_STATE, segment(i, CLOSE, peer));
	}
	feed_irq(X, EVENT_SOCKET_READY, segment(MINE, 0, peer));
	feed_irq(X, EVENT_NET_RECEIVE, packet(7));
	feed_irq(X, EVENT_SOCKET_READY, segment(MINE, 0, peer));
	feed_irq(X, EVENT_SCHED_WAKING, wake_of_b());
	ck_assert_int_eq(reported.kind, CAUSE_NET);
	ck_assert_str_eq(intern_text(&timeline.names, reported.as.net.peer), "10.0.0.0:5000");
	check_forgotten(0, NULL);
}
END_TEST

START_TEST(connections_that_live_are_missed)
{
	uint8_t peer[16] = {[10] = 0xff, [11] = 0xff, [12] = 10};

	switch_to(A, X);
	for (uint64_t i = 1; i <= ROOM + 3; i++)
		feed_irq(X, EVENT_SOCKET_RECEIVE, segment(i, 0, peer));
	check_forgotten(3, "more than 262144 connections at once: forgot the oldest 3");
}
END_TEST

static struct event lock(uint64_t address)
{
	return (struct event){.lock = {.address = address}};
}

START_TEST(an_owner_outlives_those_of_older_locks)
{
	switch_to(A, X);
	for (uint64_t i = 1; i <= ROOM; i++) {
		report(X, EVENT_LOCK_BEGIN, lock(i));
		report(X, EVENT_LOCK_END, lock(i));
	}
	switch_to(X, A);
	report(A, EVENT_LOCK_BEGIN, lock(MINE));
	report(A, EVENT_LOCK_END, lock(MINE));
	/* B is woken, by a bystander's interrupt, and wants the lock until the trace ends */
	feed_irq(A, EVENT_SCHED_WAKING, wake_of_b());
	switch_to(A, B);
	report(B, EVENT_LOCK_BEGIN, lock(MINE));
	switch_to(B, X);
	check_forgotten(1, "more than 262144 owners of locks at once: forgot the oldest 1");
	ck_assert_int_eq(reported.kind, CAUSE_LOCK);
	ck_assert_int_eq(originator(), A);
}
END_TEST

Suite *forgetting_suite(void)
{
	Suite *suite = suite_create("forgetting");
	TCase *tests = tcase_create("forgetting");

	tcase_add_checked_fixture(tests, run_begin, run_end);
	tcase_add_test(tests, timers_that_expired_take_no_room);
	tcase_add_test(tests, a_younger_timer_outlives_older_ones);
	tcase_add_test(tests, an_armer_that_was_forgotten_is_reported);
	tcase_add_test(tests, a_timer_that_its_callback_arms_again_lives);
	tcase_add_test(tests, a_request_outlives_merged_ones);
	tcase_add_test(tests, bios_that_are_only_queued_are_not_missed);
	tcase_add_test(tests, requests_that_were_issued_are_missed);
	tcase_add_test(tests, work_items_that_were_begun_take_no_room);
	tcase_add_test(tests, a_queuer_that_was_forgotten_is_reported);
	tcase_add_test(tests, a_packet_outlives_dropped_ones);
	tcase_add_test(tests, connections_that_closed_take_no_room);
	tcase_add_test(tests, connections_that_live_are_missed);
	tcase_add_test(tests, an_owner_outlives_those_of_older_locks);
	suite_add_tcase(suite, tests);
	return suite;
}
