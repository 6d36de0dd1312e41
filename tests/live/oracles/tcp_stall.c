/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tcp_stall delayed_ack|resend|syn: waits whose length is a constant of TCP's, on lo of a network
 * of the oracle's own. A client writes each question in two halves, and the second is held until
 * the server's delayed ACK; or the question is lost and sent again; or the SYN is dropped, as the
 * queue of the server is full, and sent again a second later. How often that happened TCP itself
 * has counted, how long each took the client knows. Its path shows the timer.
 */
#include <linux/filter.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "own_network.h"
#include "tcp_talk.h"
#include "truth.h"

#define HALF        50
/* The kernel's least: TCP_DELACK_MIN, TCP_RTO_MIN, TCP_TIMEOUT_INIT, in whole ticks of the timer */
#define ACK_LEAST   38000000u
#define RTO_LEAST   190000000u
#define SYN_LEAST   990000000u

static struct sockaddr_in address = {.sin_family = AF_INET};
static int listener;
static atomic_int accepted; /* the server's end */

/* A number of /proc/net/netstat. */
static unsigned long counter(const char *wanted)
{
	char names[8192], values[8192];
	unsigned long number = 0;
	FILE *file = fopen("/proc/thread-self/net/netstat", "re");

	truth_must(file != NULL, "netstat");
	while (fgets(names, sizeof(names), file) && fgets(values, sizeof(values), file)) {
		char *name_rest = NULL, *value_rest = NULL;
		char *name = strtok_r(names, " \n", &name_rest);
		char *value = strtok_r(values, " \n", &value_rest);

		for (; name && value; name = strtok_r(NULL, " \n", &name_rest),
		                      value = strtok_r(NULL, " \n", &value_rest))
			if (strcmp(name, wanted) == 0)
				number = strtoul(value, NULL, 10);
	}
	(void)fclose(file);
	return number;
}

static void *server_run(void *unused)
{
	static const char answer[2 * HALF];
	int peer = accept(listener, NULL, NULL);

	truth_must(peer >= 0, "accept");
	atomic_store(&accepted, peer);
	while (tcp_take(peer, sizeof(answer)))
		truth_must(send(peer, answer, sizeof(answer), 0) == sizeof(answer), "answer");
	(void)close(peer);
	return unused;
}

static int client_connect(void)
{
	socklen_t length = sizeof(address);
	int client = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	truth_must(bind(listener, (struct sockaddr *)&address, length) == 0, "bind");
	truth_must(listen(listener, 0) == 0, "listen");
	truth_must(getsockname(listener, (struct sockaddr *)&address, &length) == 0, "getsockname");
	truth_must(connect(client, (struct sockaddr *)&address, length) == 0, "connect");
	return client;
}

/* Returns how long the answer took. */
static uint64_t client_ask(int client, size_t pieces)
{
	static const char question[2 * HALF];
	uint64_t begin = truth_now();

	for (size_t i = 0; i < pieces; i++)
		truth_must(send(client, question, sizeof(question) / pieces, 0) > 0, "send");
	truth_must(tcp_take(client, sizeof(question)), "recv");
	return truth_now() - begin;
}

static void timer_is_cause(const char *function, uint64_t begin, uint64_t least)
{
	truth_add("path tid=%d begin=%ju end=%ju least=%ju state=waiting kind=timer name=%s\n",
	          truth_tid(), begin, truth_now(), least, function);
}

static void stall_by_delayed_ack(void)
{
	int client = client_connect();
	pthread_t server = truth_thread(server_run, NULL);
	unsigned long acks = counter("DelayedACKs");
	uint64_t begin = truth_now(), stalled = 0;

	for (int i = 0; i < TRUTH_ROUNDS; i++)
		stalled += client_ask(client, 2) >= ACK_LEAST;
	acks = counter("DelayedACKs") - acks;
	truth_must(stalled > 0 && acks >= stalled, "a delayed ACK");
	timer_is_cause("tcp_delack_timer", begin, stalled * ACK_LEAST / 10 * 9);
	(void)close(client);
	(void)pthread_join(server, NULL);
}

/* The server's end takes nothing in, or all again. */
static void server_lose(bool is_lossy)
{
	struct sock_filter nothing = {.code = BPF_RET | BPF_K, .k = 0};
	struct sock_fprog program = {.len = 1, .filter = &nothing};

	truth_must(setsockopt(atomic_load(&accepted), SOL_SOCKET,
	                      is_lossy ? SO_ATTACH_FILTER : SO_DETACH_FILTER, &program,
	                      sizeof(program)) == 0, "a filter of the socket");
}

static void *server_mend(void *unused)
{
	truth_sleep(100000000);
	server_lose(false);
	return unused;
}

static void stall_by_resend(void)
{
	int client = client_connect();
	pthread_t server = truth_thread(server_run, NULL), mender;
	unsigned long timeouts;
	uint64_t begin, took;

	(void)client_ask(client, 1);
	timeouts = counter("TCPTimeouts") + counter("TCPLossProbes");
	server_lose(true);
	mender = truth_thread(server_mend, NULL);
	begin = truth_now();
	took = client_ask(client, 1);
	timeouts = counter("TCPTimeouts") + counter("TCPLossProbes") - timeouts;
	truth_must(took >= RTO_LEAST && timeouts > 0, "a timeout");
	timer_is_cause("tcp_write_timer", begin, RTO_LEAST / 10 * 9);
	(void)pthread_join(mender, NULL);
	(void)close(client);
	(void)pthread_join(server, NULL);
}

static void *queue_make_room(void *unused)
{
	truth_sleep(500000000);
	(void)close(accept(listener, NULL, NULL));
	return unused;
}

static void stall_by_syn(void)
{
	int first = client_connect();
	int client = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	pthread_t server = truth_thread(queue_make_room, NULL);
	uint64_t begin = truth_now();

	truth_must(connect(client, (struct sockaddr *)&address, sizeof(address)) == 0, "connect");
	truth_must(truth_now() - begin >= SYN_LEAST, "a SYN that is sent again");
	timer_is_cause("tcp_write_timer", begin, SYN_LEAST / 10 * 9);
	(void)pthread_join(server, NULL);
	(void)close(client);
	(void)close(first);
}

int main(int argc, char **argv)
{
	own_network_begin("0");
	if (argc > 1 && strcmp(argv[1], "resend") == 0)
		stall_by_resend();
	else if (argc > 1 && strcmp(argv[1], "syn") == 0)
		stall_by_syn();
	else
		stall_by_delayed_ack();
	return truth_print();
}
