/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "engine/host_run.h"

#include "suites.h"

static struct device_names devices;
static struct host_events *events;

static void events_teardown(void)
{
	events = host_events_free(events);
	device_names_release(&devices);
	devices = (struct device_names){0};
}

static uint64_t message_of(enum event_kind kind, uint32_t cpu)
{
	struct event event = {.kind = kind, .cpu = cpu};

	host_event_fit(events, &devices, 0, 0, &event);
	return event.net.message;
}

START_TEST(packets_are_counted_by_cpu_and_direction)
{
	static const struct packet_place sent[] = {{0, 1, 11}, {2, 0, 12}, {2, 2, 13}};
	static const struct packet_place received[] = {{0, 0, 21}, {1, 1, 22}};
	const struct host_messages messages = {sent, received, 3, 2};

	events = host_events_new(&messages, 3);
	ck_assert_uint_eq(message_of(EVENT_NET_QUEUE, 0), 0);
	ck_assert_uint_eq(message_of(EVENT_NET_RECEIVE, 0), 21);
	ck_assert_uint_eq(message_of(EVENT_NET_QUEUE, 2), 12);
	ck_assert_uint_eq(message_of(EVENT_NET_QUEUE, 0), 11);
	ck_assert_uint_eq(message_of(EVENT_NET_QUEUE, 2), 0);
	ck_assert_uint_eq(message_of(EVENT_NET_QUEUE, 2), 13);
	ck_assert_uint_eq(message_of(EVENT_NET_QUEUE, 2), 0);
	ck_assert_uint_eq(message_of(EVENT_NET_RECEIVE, 1), 0);
	ck_assert_uint_eq(message_of(EVENT_NET_RECEIVE, 1), 22);
	ck_assert_uint_eq(message_of(EVENT_NET_RECEIVE, 0), 0);
}
END_TEST

START_TEST(numbers_become_those_of_the_timeline)
{
	struct event wake = {.kind = EVENT_SCHED_WAKING, .cpu = 5, .wake.cpu = 1};
	struct event unknown = {.kind = EVENT_SCHED_WAKEUP, .cpu = 5, .wake.cpu = -1};
	struct event migrate = {.kind = EVENT_SCHED_MIGRATE, .cpu = 4, .migrate.to_cpu = 0};
	struct event block = {.kind = EVENT_BLOCK_ISSUE, .cpu = 4, .block.dev = 8 << 20};
	struct event same = block, file = {.kind = EVENT_FILE_SYNC, .cpu = 4, .file.dev = 8 << 20};

	events = host_events_new(NULL, 6);
	host_event_fit(events, &devices, 1, 4, &wake);
	host_event_fit(events, &devices, 1, 4, &unknown);
	host_event_fit(events, &devices, 1, 4, &migrate);
	host_event_fit(events, &devices, 1, 4, &block);
	host_event_fit(events, &devices, 1, 4, &file);
	host_event_fit(events, &devices, 0, 0, &same);
	ck_assert_int_eq(wake.wake.cpu, 5);
	ck_assert_int_eq(unknown.wake.cpu, -1);
	ck_assert_int_eq(migrate.migrate.to_cpu, 4);
	ck_assert_uint_ne(block.block.dev, 8 << 20);
	ck_assert_uint_eq(device_names_own(&devices, (uint32_t)block.block.dev), 8 << 20);
	ck_assert_uint_eq(file.file.dev, block.block.dev);
	ck_assert_uint_eq(block.block.from_dev, 0);
	ck_assert_uint_eq(same.block.dev, 8 << 20);
}
END_TEST

Suite *host_events_suite(void)
{
	Suite *suite = suite_create("host_events");
	TCase *tests = tcase_create("host_events");

	tcase_add_checked_fixture(tests, NULL, events_teardown);
	tcase_add_test(tests, packets_are_counted_by_cpu_and_direction);
	tcase_add_test(tests, numbers_become_those_of_the_timeline);
	suite_add_tcase(suite, tests);
	return suite;
}
