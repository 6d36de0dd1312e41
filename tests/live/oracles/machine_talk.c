/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One of several machines that talk to each other over TCP or UDP, each in a network namespace:
 *
 *	machine_talk database PORT FILE       stores each request in FILE, synced, and answers
 *	machine_talk server PORT PAUSE_US [DB DBPORT]
 *	                                      sleeps and answers; asks the database first, if there
 *	                                      is one
 *	machine_talk proxy PORT PAUSE_US BACKEND BACKENDPORT
 *	                                      sleeps, asks the backend on a new connection for each
 *	                                      request, and answers
 *	machine_talk backend PORT COUNT       takes so many connections, one after the other, with
 *	                                      a request each; naps and answers
 *	machine_talk client ADDRESS PORT COUNT PAUSE_US BYTES[+SPREAD] [ANSWER]
 *	                                      asks so often, and sleeps before each request; their
 *	                                      sizes differ by up to SPREAD bytes
 *	machine_talk listener PORT            takes datagrams until an empty one
 *	machine_talk teller ADDRESS PORT COUNT PAUSE_US BYTES[+SPREAD]
 *	                                      sends datagrams, which nobody answers
 *
 * server, database and proxy serve one connection, until it is closed. What each knows of its
 * requests goes to standard output at the end, a line a request, times in ns of CLOCK_MONOTONIC:
 *
 *	client   N SENT ANSWERED TID WAITS
 *	server   N GOT DONE ASKED TOLD TID  it answers at DONE; from ASKED to TOLD it waits for the
 *	                                    database, 0: there is none
 *	database N GOT DONE TID
 *	proxy    N GOT DONE TID WAITS
 *	backend  N GOT DONE TID NAPS        the nap of truth_nap() begins at NAPS
 *	told     N SENT TID
 *	heard    N GOT TID
 *
 * The role waits for its answer from WAITS on. WAITS and NAPS are 0 if it was preempted meanwhile,
 * as the wait may have begun later then.
 */
#include <arpa/inet.h>
#include <fcntl.h>
#include <inttypes.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "truth.h"

#define BYTES_MAX      (4u << 20)
#define OUTPUT_BYTES   (1u << 20)
#define CONNECT_TRIES  200
#define CONNECT_PAUSE  20000000

/* Begins each request. */
struct request {
	uint32_t number, bytes, answer; /* bytes with this, and what the answer shall have */
};

static char bytes[BYTES_MAX];

static uint32_t number_of(const char *text)
{
	uint32_t number;

	truth_must(sscanf(text, "%" SCNu32, &number) == 1, text);
	return number;
}

static struct sockaddr_in address_of(const char *address, const char *port)
{
	struct sockaddr_in to = {.sin_family = AF_INET,
	                         .sin_port = htons((uint16_t)number_of(port))};

	truth_must(inet_pton(AF_INET, address, &to.sin_addr) == 1, address);
	return to;
}

static void no_delay(int fd)
{
	int on = 1;

	(void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
}

/* Waits for the other machine to listen. */
static int connect_to(const char *address, const char *port)
{
	struct sockaddr_in to = address_of(address, port);

	for (int try = 0; try < CONNECT_TRIES; try++) {
		int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

		truth_must(fd >= 0, "socket");
		if (connect(fd, (struct sockaddr *)&to, sizeof(to)) == 0) {
			no_delay(fd);
			return fd;
		}
		(void)close(fd);
		truth_sleep(CONNECT_PAUSE);
	}
	truth_must(false, "connect");
	return -1;
}

static int listen_at(const char *port)
{
	struct sockaddr_in at = address_of("0.0.0.0", port);
	int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), on = 1;

	(void)setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	truth_must(bind(listener, (struct sockaddr *)&at, sizeof(at)) == 0, "bind");
	truth_must(listen(listener, 1) == 0, "listen");
	return listener;
}

static int accept_next(int listener)
{
	int fd = accept(listener, NULL, NULL);

	truth_must(fd >= 0, "accept");
	no_delay(fd);
	return fd;
}

static int accept_one(const char *port)
{
	int listener = listen_at(port), fd = accept_next(listener);

	(void)close(listener);
	return fd;
}

static bool receive_all(int fd, void *to, size_t size)
{
	return size == 0 || recv(fd, to, size, MSG_WAITALL) == (ssize_t)size;
}

static void send_all(int fd, const void *from, size_t size)
{
	for (size_t done = 0; done < size;) {
		ssize_t sent = send(fd, (const char *)from + done, size - done, MSG_NOSIGNAL);

		truth_must(sent > 0, "send");
		done += (size_t)sent;
	}
}

/* False: the connection is closed. */
static bool request_receive(int fd, struct request *ret)
{
	if (!receive_all(fd, ret, sizeof(*ret)))
		return false;
	truth_must(ret->bytes <= BYTES_MAX && ret->answer <= BYTES_MAX &&
	           receive_all(fd, bytes, ret->bytes - sizeof(*ret)), "a request");
	return true;
}

static void request_send(int fd, const struct request *request)
{
	memcpy(bytes, request, sizeof(*request));
	send_all(fd, bytes, request->bytes);
}

/* 0: the wait may have begun later. */
static uint64_t sure_begin(const struct truth_wait *wait)
{
	return wait->is_sure ? wait->begin : 0;
}

static void answer_receive(int fd, const struct request *request, struct truth_wait *ret_wait)
{
	truth_wait_begin(ret_wait);
	truth_must(receive_all(fd, bytes, request->answer), "an answer");
	truth_wait_end(ret_wait);
}

/* "BYTES" or "BYTES+SPREAD": the size of request `i`, which no period repeats soon. */
static uint32_t size_of(const char *text, uint32_t i)
{
	uint32_t size, spread = 0;

	truth_must(sscanf(text, "%" SCNu32 "+%" SCNu32, &size, &spread) >= 1, text);
	size += i * i * 7919u % (spread + 1);
	truth_must(size >= sizeof(struct request) && size <= BYTES_MAX, text);
	return size;
}

static void pause_us(uint32_t us)
{
	if (us)
		truth_sleep((uint64_t)us * 1000);
}

static void run_client(char **word, int count)
{
	int fd = connect_to(word[0], word[1]);
	uint32_t times = number_of(word[2]), us = number_of(word[3]);

	for (uint32_t i = 0; i < times; i++) {
		struct request request = {i, size_of(word[4], i), size_of(word[4], i + 3)};
		struct truth_wait wait;
		uint64_t sent, answered;

		if (count > 5)
			request.answer = number_of(word[5]);
		pause_us(us);
		sent = truth_now();
		request_send(fd, &request);
		answer_receive(fd, &request, &wait);
		answered = truth_now();
		printf("client %" PRIu32 " %" PRIu64 " %" PRIu64 " %d %" PRIu64 "\n", i, sent,
		       answered, truth_tid(), sure_begin(&wait));
	}
	(void)close(fd);
}

static void run_server(char **word, int count)
{
	int fd = accept_one(word[0]), db = count > 3 ? connect_to(word[2], word[3]) : -1;
	uint32_t us = number_of(word[1]);
	struct request request;

	while (request_receive(fd, &request)) {
		uint64_t got = truth_now(), asked = 0, told = 0, done;

		pause_us(us);
		if (db >= 0) {
			asked = truth_now();
			request_send(db, &request);
			truth_must(receive_all(db, bytes, request.answer), "the database's answer");
			told = truth_now();
		}
		done = truth_now();
		send_all(fd, bytes, request.answer);
		printf("server %" PRIu32 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %d\n",
		       request.number, got, done, asked, told, truth_tid());
	}
	(void)close(fd);
	if (db >= 0)
		(void)close(db);
}

static void run_database(char **word, int count)
{
	int file = open(word[1], O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600), fd;
	struct request request;

	(void)count;
	truth_must(file >= 0, word[1]);
	fd = accept_one(word[0]);
	while (request_receive(fd, &request)) {
		uint64_t got = truth_now(), synced;
		size_t size = request.bytes;

		truth_must(write(file, bytes, size) == (ssize_t)size && fsync(file) == 0, "fsync");
		synced = truth_now();
		send_all(fd, bytes, request.answer);
		printf("database %" PRIu32 " %" PRIu64 " %" PRIu64 " %d\n", request.number, got,
		       synced, truth_tid());
	}
	(void)close(fd);
	(void)close(file);
}

static void run_proxy(char **word, int count)
{
	int fd = accept_one(word[0]);
	uint32_t us = number_of(word[1]);
	struct request request;

	(void)count;
	while (request_receive(fd, &request)) {
		uint64_t got = truth_now(), done;
		struct truth_wait wait;
		int backend;

		pause_us(us);
		backend = connect_to(word[2], word[3]);
		request_send(backend, &request);
		answer_receive(backend, &request, &wait);
		(void)close(backend);
		done = truth_now();
		send_all(fd, bytes, request.answer);
		printf("proxy %" PRIu32 " %" PRIu64 " %" PRIu64 " %d %" PRIu64 "\n", request.number,
		       got, done, truth_tid(), sure_begin(&wait));
	}
	(void)close(fd);
}

static void run_backend(char **word, int count)
{
	int listener = listen_at(word[0]);
	uint32_t times = number_of(word[1]);

	(void)count;
	for (uint32_t i = 0; i < times; i++) {
		int fd = accept_next(listener);
		struct request request;
		struct truth_wait nap;
		uint64_t got, done;

		truth_must(request_receive(fd, &request), "a request");
		got = truth_now();
		truth_nap(&nap);
		done = truth_now();
		send_all(fd, bytes, request.answer);
		(void)close(fd);
		printf("backend %" PRIu32 " %" PRIu64 " %" PRIu64 " %d %" PRIu64 "\n",
		       request.number, got, done, truth_tid(), sure_begin(&nap));
	}
	(void)close(listener);
}

static void run_listener(char **word, int count)
{
	struct sockaddr_in at = address_of("0.0.0.0", word[0]);
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	ssize_t got;

	(void)count;
	truth_must(bind(fd, (struct sockaddr *)&at, sizeof(at)) == 0, "bind");
	while ((got = recv(fd, bytes, sizeof(bytes), 0)) > 0) {
		struct request request = {0};

		if ((size_t)got >= sizeof(request))
			memcpy(&request, bytes, sizeof(request));
		printf("heard %" PRIu32 " %" PRIu64 " %d\n", request.number, truth_now(),
		       truth_tid());
	}
	(void)close(fd);
}

static void run_teller(char **word, int count)
{
	struct sockaddr_in to = address_of(word[0], word[1]);
	uint32_t times = number_of(word[2]), us = number_of(word[3]);
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	(void)count;
	truth_must(connect(fd, (struct sockaddr *)&to, sizeof(to)) == 0, "connect");
	for (uint32_t i = 0; i < times; i++) {
		struct request request = {i, size_of(word[4], i), 0};
		uint64_t sent;

		pause_us(us);
		memcpy(bytes, &request, sizeof(request));
		sent = truth_now();
		(void)send(fd, bytes, request.bytes, 0);
		printf("told %" PRIu32 " %" PRIu64 " %d\n", i, sent, truth_tid());
	}
	pause_us(50000);
	(void)send(fd, bytes, 0, 0);
	(void)close(fd);
}

static const struct role {
	const char *name, *comm;
	void (*run)(char **word, int count);
	int words;
} roles[] = {
	{"database", "ftw-database", run_database, 2}, {"server", "ftw-server", run_server, 2},
	{"proxy", "ftw-proxy", run_proxy, 4},          {"backend", "ftw-backend", run_backend, 2},
	{"client", "ftw-client", run_client, 5},       {"listener", "ftw-listener", run_listener, 1},
	{"teller", "ftw-teller", run_teller, 5},
};

int main(int argc, char **argv)
{
	static char output[OUTPUT_BYTES];

	(void)setvbuf(stdout, output, _IOFBF, sizeof(output));
	if (argc < 2)
		truth_skip("is run by tests/live/machines");
	for (size_t i = 0; i < sizeof(roles) / sizeof(roles[0]); i++) {
		if (strcmp(argv[1], roles[i].name) != 0)
			continue;
		truth_must(argc - 2 >= roles[i].words, "words of the role");
		(void)prctl(PR_SET_NAME, roles[i].comm);
		roles[i].run(argv + 2, argc - 2);
		return fflush(stdout) == 0 ? 0 : 1;
	}
	truth_must(false, argv[1]);
	return 1;
}
