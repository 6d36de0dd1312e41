/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "machines/command_lead.h"

#include <string.h>

#include "suites.h"

#define MACHINES 3

/* One end of a connection from port 40000 to port 80, between machines with these addresses. */
static struct host_stream end_of(uint8_t local, uint8_t peer, bool is_active)
{
	struct host_stream stream = {.is_active = is_active};

	memset(stream.local.address, local, ADDRESS_BYTES);
	memset(stream.peer.address, peer, ADDRESS_BYTES);
	stream.local.port = is_active ? 40000 : 80;
	stream.peer.port = is_active ? 80 : 40000;
	return stream;
}

static void check_leads(const struct lead_machine machines[static MACHINES],
                        enum command_lead first, enum command_lead second,
                        enum command_lead third)
{
	enum command_lead lead[MACHINES];

	command_lead_find(machines, MACHINES, lead);
	ck_assert_int_eq(lead[0], first);
	ck_assert_int_eq(lead[1], second);
	ck_assert_int_eq(lead[2], third);
}

/* The last machine asks the first one, which asks the second. */
START_TEST(who_is_asked_by_none_leads)
{
	struct host_stream server[] = {end_of(1, 3, false), end_of(1, 2, true)};
	struct host_stream store = end_of(2, 1, false), client = end_of(3, 1, true);
	struct lead_machine machines[MACHINES] = {
		{server, 2, 0, true}, {&store, 1, 0, true}, {&client, 1, 0, true}};

	check_leads(machines, COMMAND_LEADS_NOT, COMMAND_LEADS_NOT, COMMAND_LEADS_ASKING);
	/* that the one in between has no command makes no difference */
	machines[0].has_command = false;
	check_leads(machines, COMMAND_LEADS_NOT, COMMAND_LEADS_NOT, COMMAND_LEADS_ASKING);
	/* a machine without a command does not lead */
	machines[0].has_command = true;
	machines[2].has_command = false;
	check_leads(machines, COMMAND_LEADS_ASKING, COMMAND_LEADS_NOT, COMMAND_LEADS_NOT);
}
END_TEST

START_TEST(both_lead_that_ask_each_other)
{
	struct host_stream one[] = {end_of(1, 2, true), end_of(1, 2, false)};
	struct host_stream other[] = {end_of(2, 1, true), end_of(2, 1, false)};
	struct lead_machine machines[MACHINES] = {
		{one, 2, 0, true}, {other, 2, 0, true}, {NULL, 0, 0, true}};

	check_leads(machines, COMMAND_LEADS_ASKING, COMMAND_LEADS_ASKING, COMMAND_LEADS_NOT);
}
END_TEST

START_TEST(without_connections_time_decides)
{
	/* the peer is no machine here */
	struct host_stream away = end_of(1, 9, true);
	struct lead_machine machines[MACHINES] = {
		{&away, 1, 0, true}, {NULL, 0, 0, true}, {NULL, 0, 2, false}};

	check_leads(machines, COMMAND_LEADS_FIRST, COMMAND_LEADS_FIRST, COMMAND_LEADS_NOT);
	machines[2].has_command = true;
	check_leads(machines, COMMAND_LEADS_NOT, COMMAND_LEADS_NOT, COMMAND_LEADS_NOT);
	machines[0].has_command = machines[1].has_command = false;
	check_leads(machines, COMMAND_LEADS_NOT, COMMAND_LEADS_NOT, COMMAND_LEADS_ALONE);
	machines[2].has_command = false;
	check_leads(machines, COMMAND_LEADS_NOT, COMMAND_LEADS_NOT, COMMAND_LEADS_NOT);
}
END_TEST

/* Two networks with the same addresses: who talks to whom is not known. */
START_TEST(addresses_that_two_have_show_nothing)
{
	struct host_stream client = end_of(1, 2, true), server = end_of(2, 1, false);
	struct lead_machine machines[MACHINES] = {
		{&client, 1, 0, true}, {&server, 1, 0, true}, {&server, 1, 0, true}};

	check_leads(machines, COMMAND_LEADS_FIRST, COMMAND_LEADS_FIRST, COMMAND_LEADS_FIRST);
}
END_TEST

Suite *command_lead_suite(void)
{
	Suite *suite = suite_create("command_lead");
	TCase *tests = tcase_create("command_lead");

	tcase_add_test(tests, who_is_asked_by_none_leads);
	tcase_add_test(tests, both_lead_that_ask_each_other);
	tcase_add_test(tests, without_connections_time_decides);
	tcase_add_test(tests, addresses_that_two_have_show_nothing);
	suite_add_tcase(suite, tests);
	return suite;
}
