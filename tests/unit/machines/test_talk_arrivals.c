/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <check.h>
#include <stdio.h>
#include <string.h>

#include "../suites.h"
#include "machines/talk_log.h"

#define MSEC 1000000u

static struct talk_arrivals arrivals;
static struct packet_sight packets[8];
static size_t count;

static void begin(void)
{
	talk_arrivals_init(&arrivals);
	count = 0;
}

static struct event packet(nsec_t time, uint64_t address, uint64_t bytes, const char *device)
{
	return (struct event){
		.time = time,
		.net = {address, bytes, {device, (uint32_t)strlen(device)}, 0},
	};
}

static void arrives(nsec_t time, uint64_t address, uint64_t bytes, const char *device)
{
	struct event event = packet(time, address, bytes, device);

	talk_arrivals_take(&arrivals, &event);
}

static void received(nsec_t time, uint64_t address, uint64_t bytes, const char *device)
{
	struct event event = packet(time, address, bytes, device);

	packets[count] = (struct packet_sight){time, (uint32_t)bytes};
	talk_arrivals_receive(&arrivals, &event, count++);
}

/* Times of the packets, as they are believed in the end. */
static void expect_times(const nsec_t *times)
{
	talk_arrivals_apply(&arrivals, packets);
	for (size_t i = 0; i < count; i++)
		ck_assert_uint_eq(packets[i].time, times[i]);
	talk_arrivals_release(&arrivals);
}

START_TEST(packets_have_the_times_of_their_arrivals)
{
	begin();
	arrives(10, 1, 100, "eth0");
	arrives(12, 2, 100, "eth0");
	received(20, 2, 100, "eth0");
	received(21, 1, 100, "eth0");
	expect_times((nsec_t[]){12, 10});
}
END_TEST

/* The packets that were merged into it arrived later. */
START_TEST(merged_packet_keeps_its_time)
{
	begin();
	arrives(10, 1, 100, "eth0");
	arrives(12, 2, 100, "eth0");
	received(20, 1, 200, "eth0");
	expect_times((nsec_t[]){20});
}
END_TEST

START_TEST(bridge_receives_what_its_port_has_received)
{
	begin();
	arrives(10, 1, 100, "eth0");
	received(20, 1, 100, "eth0");
	received(22, 1, 100, "br0");
	expect_times((nsec_t[]){10, 22});
}
END_TEST

/* One whose driver sometimes leaves out what is recorded may reuse the address of a packet that was
   merged and freed. */
START_TEST(device_that_receives_without_arrival_has_none)
{
	begin();
	arrives(10, 1, 100, "eth0");
	arrives(11, 2, 100, "eth1");
	received(20, 1, 100, "eth0");
	received(21, 2, 100, "eth1");
	received(200 * MSEC, 3, 100, "eth0");
	expect_times((nsec_t[]){20, 11, 200 * MSEC});
}
END_TEST

START_TEST(arrival_counts_once)
{
	begin();
	arrives(200 * MSEC, 1, 100, "eth0");
	received(201 * MSEC, 1, 100, "eth0");
	received(202 * MSEC, 1, 100, "eth0");
	expect_times((nsec_t[]){200 * MSEC, 202 * MSEC});
}
END_TEST

START_TEST(arrival_of_long_ago_is_another_packets)
{
	begin();
	arrives(10, 1, 100, "eth0");
	received(101 * MSEC, 1, 100, "eth0");
	expect_times((nsec_t[]){101 * MSEC});
}
END_TEST

START_TEST(lost_arrivals_say_nothing_against_others)
{
	begin();
	arrives(10, 1, 100, "eth0");
	talk_arrivals_lose(&arrivals, 300 * MSEC);
	received(301 * MSEC, 1, 100, "eth0");
	arrives(302 * MSEC, 2, 100, "eth0");
	received(303 * MSEC, 2, 100, "eth0");
	expect_times((nsec_t[]){301 * MSEC, 302 * MSEC});
}
END_TEST

START_TEST(packet_before_the_first_arrival_says_nothing_against_others)
{
	begin();
	received(200 * MSEC, 1, 100, "eth0");
	arrives(300 * MSEC, 2, 100, "eth0");
	received(301 * MSEC, 3, 100, "eth0");
	received(302 * MSEC, 2, 100, "eth0");
	expect_times((nsec_t[]){200 * MSEC, 301 * MSEC, 300 * MSEC});
}
END_TEST

/* Devices beyond the maximum, and ones without a valid name. */
START_TEST(devices_that_are_not_followed_say_nothing_of_others)
{
	static const char long_name[] = "a-name-of-16-byt";
	char name[16];

	begin();
	for (unsigned i = 0; i < 64; i++) {
		(void)snprintf(name, sizeof(name), "eth%u", i);
		arrives(10 + i, i, 100, name);
	}
	received(90, 63, 100, "eth63");
	arrives(200 * MSEC, 70, 100, "eth64");
	arrives(201 * MSEC, 71, 100, long_name);
	received(202 * MSEC, 70, 100, "eth64");
	received(203 * MSEC, 3, 100, "eth63");
	expect_times((nsec_t[]){90, 202 * MSEC, 203 * MSEC});
}
END_TEST

Suite *talk_arrivals_suite(void)
{
	Suite *suite = suite_create("talk_arrivals");
	TCase *tcase = tcase_create("core");

	tcase_add_test(tcase, packets_have_the_times_of_their_arrivals);
	tcase_add_test(tcase, merged_packet_keeps_its_time);
	tcase_add_test(tcase, bridge_receives_what_its_port_has_received);
	tcase_add_test(tcase, device_that_receives_without_arrival_has_none);
	tcase_add_test(tcase, arrival_counts_once);
	tcase_add_test(tcase, arrival_of_long_ago_is_another_packets);
	tcase_add_test(tcase, lost_arrivals_say_nothing_against_others);
	tcase_add_test(tcase, packet_before_the_first_arrival_says_nothing_against_others);
	tcase_add_test(tcase, devices_that_are_not_followed_say_nothing_of_others);
	suite_add_tcase(suite, tcase);
	return suite;
}
