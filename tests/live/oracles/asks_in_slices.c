/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * asks_in_slices [udp]: a client asks a server, which is another process, and polls for the answer
 * in slices of a time limit of its own; meanwhile another thread of the client sleeps for its own
 * sake, in slices as well. Each slice of the client is a wait for that answer, and none of the
 * sleeper's is. Then the client thinks: for that long the server waits for work. Both know how long
 * an answer took.
 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "truth.h"

#define ASKED      3
#define SLICE_MS   150
#define ANSWER_NS  900000000u
#define THINK_NS   300000000u
#define NAP_NS     100000000u

/* What the server tells the client of itself. */
struct server {
	int tid;
	uint64_t asleep[ASKED]; /* when it was about to receive */
	uint64_t worked;
};

static atomic_bool is_over;
static struct server *server;

/* Until a time that is told by the clock, as python's time.sleep() does. */
static void *sleeper_run(void *unused)
{
	uint64_t begin = truth_now(), at = begin;

	while (!atomic_load(&is_over)) {
		struct timespec until;

		at += NAP_NS;
		until = (struct timespec){(time_t)(at / 1000000000u), (long)(at % 1000000000u)};
		(void)clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
	}
	truth_add("wait tid=%d begin=%ju end=%ju least=%u kind=timer own=true request=none\n",
	          truth_tid(), begin, at, ASKED * ANSWER_NS);
	return unused;
}

static void server_answer(int peer, int round)
{
	struct sockaddr_in from;
	socklen_t length = sizeof(from);
	uint64_t begin;
	char byte;

	server->asleep[round] = truth_now();
	truth_must(recvfrom(peer, &byte, 1, 0, (struct sockaddr *)&from, &length) == 1, "recv");
	begin = truth_now();
	truth_sleep(ANSWER_NS);
	/* a connection has no address to send to */
	truth_must(sendto(peer, &byte, 1, 0, length ? (struct sockaddr *)&from : NULL, length) == 1,
	           "send");
	server->worked += truth_now() - begin;
}

_Noreturn static void server_run(int listener, bool is_udp)
{
	int peer = is_udp ? listener : accept(listener, NULL, NULL);

	server->tid = truth_tid();
	truth_must(peer >= 0, "accept");
	for (int round = 0; round < ASKED; round++)
		server_answer(peer, round);
	_exit(0);
}

/* Returns when the last slice ended in which no answer came. */
static uint64_t client_ask(int client)
{
	struct pollfd wanted = {.fd = client, .events = POLLIN};
	uint64_t last = 0;
	char byte = 'x';

	truth_must(send(client, &byte, 1, 0) == 1, "send");
	while (poll(&wanted, 1, SLICE_MS) == 0)
		last = truth_now();
	truth_must(recv(client, &byte, 1, 0) == 1, "recv");
	return last;
}

static void facts_add(const char *peer, bool is_udp)
{
	/* the server is known for one from its first request on */
	for (int i = is_udp; i < ASKED; i++)
		truth_add("wait tid=%d begin=%ju end=%ju least=%u kind=net for_work=true\n",
		          server->tid, server->asleep[i], server->asleep[i] + THINK_NS,
		          i ? THINK_NS / 2 : 0);
	truth_add("row list=summary.requests what=count is=task.tid:%d least=%d most=%d\n",
	          server->tid, ASKED, ASKED);
	truth_add("row list=summary.requests what=work.total_ns is=task.tid:%d least=%ju most=%ju\n",
	          server->tid, (uint64_t)ASKED * ANSWER_NS, server->worked + server->worked / 4);
	if (!is_udp)
		truth_add("net server=%s what=count least=%d most=%d\n", peer, ASKED, ASKED);
}

int main(int argc, char **argv)
{
	struct sockaddr_in address = {.sin_family = AF_INET,
	                              .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t length = sizeof(address);
	bool is_udp = argc > 1 && strcmp(argv[1], "udp") == 0;
	int kind = is_udp ? SOCK_DGRAM : SOCK_STREAM;
	int listener = socket(AF_INET, kind, 0), client = socket(AF_INET, kind, 0);
	pthread_t sleeper;
	char peer[64];

	if (!truth_kernel(6, 4))
		truth_skip("this kernel does not tell what is sent and received");
	server = truth_shared(sizeof(*server));
	truth_must(bind(listener, (struct sockaddr *)&address, length) == 0, "bind");
	truth_must(is_udp || listen(listener, 1) == 0, "listen");
	truth_must(getsockname(listener, (struct sockaddr *)&address, &length) == 0, "getsockname");
	(void)snprintf(peer, sizeof(peer), "127.0.0.1:%u", ntohs(address.sin_port));
	if (fork() == 0)
		server_run(listener, is_udp);
	truth_must(connect(client, (struct sockaddr *)&address, length) == 0, "connect");
	sleeper = truth_thread(sleeper_run, NULL);
	for (int round = 0; round < ASKED; round++) {
		uint64_t begin, last;

		truth_sleep(THINK_NS);
		begin = truth_now();
		last = client_ask(client);
		truth_add("wait tid=%d begin=%ju end=%ju least=%u kind=timer own=true request=%s\n",
		          truth_tid(), begin, last, ANSWER_NS - 2 * SLICE_MS * 1000000u, peer);
	}
	atomic_store(&is_over, true);
	truth_must(pthread_join(sleeper, NULL) == 0, "pthread_join");
	truth_must(wait(NULL) > 0, "wait");
	facts_add(peer, is_udp);
	return truth_print();
}
