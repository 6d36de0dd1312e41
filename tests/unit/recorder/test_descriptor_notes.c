/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "recorder/programs/descriptor_notes.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/monotonic.h"
#include "suites.h"

static struct descriptor_notes notes;
static int32_t self;

static void setup(void)
{
	descriptor_notes_init(&notes);
	self = (int32_t)getpid();
}

static void teardown(void)
{
	descriptor_notes_release(&notes);
}

/* This thread, the first of its process, has opened it. */
static void opened(int number)
{
	const struct opened_descriptor descriptor = {self, self, (uint32_t)number};

	descriptor_notes_open(&notes, &descriptor);
}

/* A line has that number, and the number of that path. */
static bool has_line(int number, const char *path)
{
	char begin[64], text[200];
	int number_of = -1;

	for (const char *at = notes.lines.text; at; at = strchr(at, '\n')) {
		at += *at == '\n';
		if (sscanf(at, "descriptor-path %d %199[^\n]", &number_of, text) == 2 &&
		    strcmp(text, path) == 0)
			break;
		number_of = -1;
	}
	(void)snprintf(begin, sizeof(begin), "\ndescriptor %d %d ", (int)self, number);
	for (const char *at = strstr(notes.lines.text, begin); at;
	     at = strstr(at + 1, begin)) {
		unsigned long long from, within;
		int of;

		if (sscanf(at + strlen(begin), "%llu %llu %d", &from, &within, &of) == 3 &&
		    of == number_of && from + within <= monotonic_now())
			return true;
	}
	return false;
}

START_TEST(an_opened_file_is_noted)
{
	int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
	int other = open("/dev/zero", O_RDONLY | O_CLOEXEC), again = dup(null);

	opened(null);
	opened(other);
	opened(again);
	descriptor_notes_read(&notes, /* is_last= */ false);
	ck_assert(has_line(null, "/dev/null"));
	ck_assert(has_line(other, "/dev/zero"));
	ck_assert(has_line(again, "/dev/null"));
	ck_assert_uint_eq(notes.paths.count, 2);
	ck_assert_uint_eq(notes.counts.opens, 3);
	ck_assert_uint_eq(notes.counts.gone, 0);
	(void)close(again);
	(void)close(other);
	(void)close(null);
}
END_TEST

START_TEST(what_is_closed_too_soon_is_counted)
{
	int null = open("/dev/null", O_RDONLY | O_CLOEXEC), ends[2];
	int high = fcntl(null, F_DUPFD_CLOEXEC, 500); /* which the look itself does not take */
	char link[64], pipe_name[64] = "";

	ck_assert_int_eq(pipe(ends), 0);
	opened(null);
	opened(null); /* once more: the first one was closed in between */
	opened(ends[0]);
	(void)close(high);
	opened(high);
	descriptor_notes_read(&notes, /* is_last= */ false);
	ck_assert(has_line(null, "/dev/null"));
	(void)snprintf(link, sizeof(link), "/proc/self/fd/%d", ends[0]);
	pipe_name[readlink(link, pipe_name, sizeof(pipe_name) - 1)] = '\0';
	ck_assert_int_eq(strncmp(pipe_name, "pipe:[", 6), 0);
	ck_assert(has_line(ends[0], pipe_name));
	ck_assert_uint_eq(notes.paths.count, 2);
	ck_assert_uint_eq(notes.counts.opens, 4);
	ck_assert_uint_eq(notes.counts.gone, 2);
	(void)close(ends[1]);
	(void)close(ends[0]);
	(void)close(null);
}
END_TEST

START_TEST(a_program_is_looked_at_when_it_opens_or_later)
{
	int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
	int other = open("/dev/zero", O_RDONLY | O_CLOEXEC);

	descriptor_notes_exec(&notes, self, monotonic_now());
	descriptor_notes_read(&notes, /* is_last= */ false);
	ck_assert_uint_eq(notes.lines.length, 0);
	ck_assert_uint_gt(descriptor_notes_due(&notes), monotonic_now());
	opened(null);
	descriptor_notes_read(&notes, /* is_last= */ false);
	ck_assert(has_line(other, "/dev/zero"));
	ck_assert_uint_eq(notes.program_count, 0);
	buffer_clear(&notes.lines);
	descriptor_notes_exec(&notes, self, 1);
	descriptor_notes_read(&notes, /* is_last= */ false);
	ck_assert_uint_gt(notes.lines.length, 0);
	(void)close(other);
	(void)close(null);
}
END_TEST

START_TEST(what_no_call_shows_is_found_once)
{
	char link[64], pipe_name[64] = "";
	size_t length;
	int ends[2];

	descriptor_notes_begin(&notes, &self, 1);
	if (notes.counts.unsure > 0)
		descriptor_notes_exec(&notes, self, monotonic_now());
	ck_assert_uint_ne(descriptor_notes_due(&notes), NSEC_NEVER);
	ck_assert_int_eq(pipe(ends), 0);
	(void)snprintf(link, sizeof(link), "/proc/self/fd/%d", ends[1]);
	pipe_name[readlink(link, pipe_name, sizeof(pipe_name) - 1)] = '\0';
	notes.process[0].due = notes.looks_due = 0;
	descriptor_notes_read(&notes, /* is_last= */ false);
	ck_assert(has_line(ends[1], pipe_name));
	ck_assert_uint_gt(notes.looks_due, monotonic_now());
	length = notes.lines.length;
	notes.looks_due = 0;
	descriptor_notes_read(&notes, /* is_last= */ false);
	ck_assert_uint_eq(notes.lines.length, length);
	/* a fork asks for a look soon, but not before it may be */
	notes.looks_due = notes.looks_rest = monotonic_now() + 10000000000u;
	descriptor_notes_fork(&notes, INT32_MAX);
	ck_assert_uint_eq(notes.looks_due, notes.looks_rest);
	notes.looks_rest = 0;
	descriptor_notes_fork(&notes, INT32_MAX);
	ck_assert_uint_lt(notes.looks_due, monotonic_now() + 1000000000u);
	ck_assert_uint_eq(notes.process_count, 2);
	(void)close(ends[1]);
	(void)close(ends[0]);
}
END_TEST

/* The port that the socket is bound to. */
static uint16_t bound_port(int number)
{
	struct sockaddr_in address = {0};
	socklen_t size = sizeof(address);

	ck_assert_int_eq(getsockname(number, (struct sockaddr *)&address, &size), 0);
	return ntohs(address.sin_port);
}

START_TEST(a_connection_has_its_other_end)
{
	struct sockaddr_in address = {
		.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	int listener = socket(AF_INET, SOCK_STREAM, 0), client = socket(AF_INET, SOCK_STREAM, 0);
	char link[64], name[128] = "";
	int datagrams = socket(AF_INET, SOCK_DGRAM, 0), pair[2];
	size_t length;

	ck_assert_int_eq(bind(listener, (struct sockaddr *)&address, sizeof(address)), 0);
	ck_assert_int_eq(listen(listener, 1), 0);
	address.sin_port = htons(bound_port(listener));
	ck_assert_int_eq(connect(client, (struct sockaddr *)&address, sizeof(address)), 0);
	ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
	descriptor_notes_begin(&notes, &self, 1);
	(void)snprintf(link, sizeof(link), "/proc/self/fd/%d", client);
	length = (size_t)readlink(link, name, 64);
	(void)snprintf(name + length, sizeof(name) - length, " with 127.0.0.1:%u",
	               (unsigned)bound_port(listener));
	ck_assert_int_eq(strncmp(name, "socket:[", 8), 0);
	ck_assert(notes.counts.unsure > 0 || has_line(client, name));
	(void)snprintf(link, sizeof(link), "/proc/self/fd/%d", pair[0]);
	length = (size_t)readlink(link, name, 64);
	length += (size_t)snprintf(name + length, sizeof(name) - length, " with ");
	(void)snprintf(link, sizeof(link), "/proc/self/fd/%d", pair[1]);
	name[length + (size_t)readlink(link, name + length, 64)] = '\0';
	ck_assert(notes.counts.unsure > 0 || has_line(pair[0], name));
	/* one that is connected later */
	descriptor_notes_release(&notes);
	descriptor_notes_init(&notes);
	descriptor_notes_connect(&notes, self, (uint32_t)datagrams);
	ck_assert_int_eq(connect(datagrams, (struct sockaddr *)&address, sizeof(address)), 0);
	descriptor_notes_connected(&notes, self, self);
	descriptor_notes_connected(&notes, self, self); /* of which no begin was seen */
	ck_assert_uint_eq(notes.counts.opens, 1);
	descriptor_notes_read(&notes, /* is_last= */ false);
	(void)snprintf(link, sizeof(link), "/proc/self/fd/%d", datagrams);
	length = (size_t)readlink(link, name, 64);
	(void)snprintf(name + length, sizeof(name) - length, " with 127.0.0.1:%u",
	               (unsigned)bound_port(listener));
	ck_assert(has_line(datagrams, name));
	(void)close(datagrams);
	(void)close(pair[0]);
	(void)close(pair[1]);
	(void)close(client);
	(void)close(listener);
}
END_TEST

START_TEST(beyond_the_limit_lines_are_counted)
{
	int null = open("/dev/null", O_RDONLY | O_CLOEXEC);

	notes.bytes = DESCRIPTOR_BYTES_MAX - 1;
	opened(null);
	descriptor_notes_read(&notes, /* is_last= */ false);
	ck_assert_uint_eq(notes.lines.length, 0);
	ck_assert_uint_eq(notes.counts.left_out, 1);
	/* its path was not written either */
	notes.bytes = 0;
	opened(null);
	descriptor_notes_read(&notes, /* is_last= */ false);
	ck_assert(has_line(null, "/dev/null"));
	(void)close(null);
}
END_TEST

START_TEST(a_process_that_has_ended_has_none)
{
	descriptor_notes_look(&notes, INT32_MAX);
	descriptor_notes_exec(&notes, INT32_MAX, 1);
	descriptor_notes_read(&notes, /* is_last= */ true);
	ck_assert_uint_eq(notes.lines.length, 0);
}
END_TEST

Suite *descriptor_notes_suite(void)
{
	Suite *suite = suite_create("descriptor_notes");
	TCase *tests = tcase_create("descriptor_notes");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, an_opened_file_is_noted);
	tcase_add_test(tests, what_is_closed_too_soon_is_counted);
	tcase_add_test(tests, a_program_is_looked_at_when_it_opens_or_later);
	tcase_add_test(tests, what_no_call_shows_is_found_once);
	tcase_add_test(tests, a_connection_has_its_other_end);
	tcase_add_test(tests, beyond_the_limit_lines_are_counted);
	tcase_add_test(tests, a_process_that_has_ended_has_none);
	suite_add_tcase(suite, tests);
	return suite;
}
