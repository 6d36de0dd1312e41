/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "recorder/machine/socket_table.h"

#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "recorder/machine/end_table.h"
#include "suites.h"

static struct peek peek;
static struct socket_table table;

static void begin(void)
{
	peek_init(&peek, PEEK_PATIENCE_NS);
	socket_table_init(&table);
}

static void end(void)
{
	socket_table_release(&table);
	peek_release(&peek);
}

static uint64_t inode_of(int fd)
{
	char path[64], link[64] = "";

	(void)snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	ck_assert_int_gt(readlink(path, link, sizeof(link) - 1), 0);
	ck_assert_int_eq(end_object_of(link, strlen(link)).kind, END_SOCKET);
	return end_object_of(link, strlen(link)).number;
}

/* The socket that listens, and one that is connected to it. */
static void connect_both(int type, int fd[3])
{
	struct sockaddr_in to = {.sin_family = AF_INET};
	socklen_t size = sizeof(to);

	to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	fd[0] = socket(AF_INET, type, 0);
	fd[1] = socket(AF_INET, type, 0);
	ck_assert_int_eq(bind(fd[0], (struct sockaddr *)&to, size), 0);
	ck_assert_int_eq(listen(fd[0], 1), 0);
	ck_assert_int_eq(getsockname(fd[0], (struct sockaddr *)&to, &size), 0);
	ck_assert_int_eq(connect(fd[1], (struct sockaddr *)&to, size), 0);
	fd[2] = -1;
}

static void read_all(void)
{
	socket_table_read(&table, &peek, getpid());
}

START_TEST(other_end_of_tcp)
{
	const struct socket_row *asks, *answers;
	char byte;
	int fd[3];

	connect_both(SOCK_STREAM, fd);
	read_all();
	asks = socket_table_find(&table, inode_of(fd[1]));
	ck_assert_ptr_nonnull(asks);
	/* it has not been accepted */
	ck_assert_ptr_eq(socket_table_other(&table, asks),
	                 socket_table_find(&table, inode_of(fd[0])));
	ck_assert(!socket_is_asking(&table, asks));
	fd[2] = accept(fd[0], NULL, NULL);
	ck_assert_int_eq(write(fd[1], "?", 1), 1);
	ck_assert_int_eq(read(fd[2], &byte, 1), 1);
	read_all();
	asks = socket_table_find(&table, inode_of(fd[1]));
	answers = socket_table_find(&table, inode_of(fd[2]));
	ck_assert_ptr_nonnull(answers);
	ck_assert_ptr_eq(socket_table_other(&table, asks), answers);
	ck_assert_ptr_eq(socket_table_other(&table, answers), asks);
	ck_assert(socket_is_asking(&table, asks));
	ck_assert(!socket_is_asking(&table, answers));
	ck_assert(socket_is_served(&table, answers));
	/* the answer */
	(void)usleep(20000);
	ck_assert_int_eq(write(fd[2], "!", 1), 1);
	read_all();
	ck_assert(!socket_is_asking(&table, socket_table_find(&table, inode_of(fd[1]))));
	for (size_t i = 0; i < 3; i++)
		(void)close(fd[i]);
}
END_TEST

START_TEST(other_end_of_unix)
{
	const struct socket_row *row;
	int fd[2];

	ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, fd), 0);
	read_all();
	row = socket_table_find(&table, inode_of(fd[0]));
	if (row) { /* else the kernel has no list of them */
		ck_assert_ptr_eq(socket_table_other(&table, row),
		                 socket_table_find(&table, inode_of(fd[1])));
		ck_assert(!socket_is_asking(&table, row));
	}
	ck_assert_ptr_null(socket_table_find(&table, 1));
	(void)close(fd[0]);
	(void)close(fd[1]);
}
END_TEST

START_TEST(objects)
{
	ck_assert_int_eq(end_object_of("pipe:[77]", 9).kind, END_PIPE);
	ck_assert_uint_eq(end_object_of("pipe:[77]", 9).number, 77);
	ck_assert_int_eq(end_object_of("anon_inode:[eventfd]", 20).kind, END_EVENT);
	ck_assert_int_eq(end_object_of("anon_inode:[timerfd]", 20).kind, END_NONE);
	ck_assert_int_eq(end_object_of("/a", 2).kind, END_PATH);
	ck_assert_uint_ne(end_object_of("/a", 2).number, end_object_of("/b", 2).number);
}
END_TEST

Suite *socket_table_suite(void)
{
	Suite *suite = suite_create("socket_table");
	TCase *tcase = tcase_create("socket_table"), *kernel = tcase_create("kernel");

	tcase_add_checked_fixture(tcase, begin, end);
	tcase_add_test(tcase, other_end_of_unix);
	tcase_add_test(tcase, objects);
	suite_add_tcase(suite, tcase);
	/* the kernel's tables are of its own byte order, which an emulated program's may not be */
	tcase_set_tags(kernel, "kernel");
	tcase_add_checked_fixture(kernel, begin, end);
	tcase_add_test(kernel, other_end_of_tcp);
	suite_add_tcase(suite, kernel);
	return suite;
}
