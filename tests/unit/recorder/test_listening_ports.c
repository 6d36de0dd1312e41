/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/data/array.h"
#include "recorder/machine/socket_table.h"
#include "suites.h"

#define HEAD "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid\n"

static void parse_is(const char *text, const char *described)
{
	struct listening_ports ports = {0};
	struct buffer to;

	buffer_init(&to, BUFFER_LIMIT_DEFAULT);
	listening_ports_parse(&ports, text);
	listening_ports_describe(&ports, &to);
	ck_assert_str_eq(to.length ? to.text : "", described);
	buffer_release(&to);
}

START_TEST(those_that_listen_count)
{
	static const struct {
		const char *text, *described;
	} cases[] = {
		{"", ""},
		{HEAD, ""},
		{HEAD "   0: 00000000:AFC8 00000000:0000 0A 00000000:00000000 00:00000000\n",
		 "listen 45000\n"},
		/* once each, in order; a connection does not listen */
		{HEAD "   0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000\n"
		      "   1: 00000000000000000000000000000000:0016 "
		      "00000000000000000000000000000000:0000 0A 00000000:00000000\n"
		      "  10: 0200007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000\n"
		      "1234: 0100007F:1F91 0100007F:C350 01 00000000:00000000 00:00000000\n",
		 "listen 22 8080\n"},
		{HEAD "   0: 00000000:0000 00000000:0000 0A 00000000:00000000 00:00000000\n", ""},
		/* cut short, or of another form */
		{HEAD "   0: 00000000:1F90 00000000:0000 0A 0\n   1: 00000000:1F91 00000000:0000",
		 "listen 8080\n"},
		{"listen 80\n", ""},
		{"   0: 00000000 00000000:0000 0A 0\n", ""},
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		parse_is(cases[i].text, cases[i].described);
}
END_TEST

START_TEST(no_more_than_fit)
{
	struct listening_ports ports = {0};
	char line[128];

	for (unsigned port = 1; port <= STREAM_LISTEN_MAX + 10; port++) {
		(void)snprintf(line, sizeof(line), "   0: 00000000:%04X 00000000:0000 0A 0\n",
			       port);
		listening_ports_parse(&ports, line);
	}
	ck_assert_uint_eq(ports.count, STREAM_LISTEN_MAX);
	ck_assert_uint_eq(ports.port[STREAM_LISTEN_MAX - 1], STREAM_LISTEN_MAX);
}
END_TEST

static bool ports_have(const struct listening_ports *ports, uint16_t port)
{
	for (size_t i = 0; i < ports->count; i++)
		if (ports->port[i] == port)
			return true;
	return false;
}

START_TEST(one_of_this_machine_is_found)
{
	struct sockaddr_in address = {.sin_family = AF_INET};
	socklen_t length = sizeof(address);
	struct listening_ports ports = {0};
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	ck_assert_int_eq(bind(fd, (struct sockaddr *)&address, length), 0);
	ck_assert_int_eq(listen(fd, 1), 0);
	ck_assert_int_eq(getsockname(fd, (struct sockaddr *)&address, &length), 0);
	listening_ports_look(&ports, getpid());
	ck_assert(ports_have(&ports, ntohs(address.sin_port)));
	ck_assert_int_eq(close(fd), 0);
	/* of a task that is gone nothing is known */
	ports.count = 0;
	listening_ports_look(&ports, INT32_MAX);
	ck_assert_uint_eq(ports.count, 0);
}
END_TEST

Suite *listening_ports_suite(void)
{
	Suite *suite = suite_create("listening_ports");
	TCase *tests = tcase_create("listening_ports");

	tcase_add_test(tests, those_that_listen_count);
	tcase_add_test(tests, no_more_than_fit);
	tcase_add_test(tests, one_of_this_machine_is_found);
	suite_add_tcase(suite, tests);
	return suite;
}
