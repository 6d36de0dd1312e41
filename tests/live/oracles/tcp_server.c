/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tcp_server spin|sleep: a client asks over loopback TCP, the server computes or sleeps and then
 * answers. The client waits for the server, whose port it is told, and its critical path shows what
 * the server did. How long that took from request to answer the server knows.
 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "truth.h"

static int listener, server_tid;
static unsigned port;
static bool is_sleeper;
static uint64_t worked; /* by the server, as it sees it itself */
static struct truth_wait naps[TRUTH_ROUNDS]; /* of the server */
static uint64_t answered[TRUTH_ROUNDS];

static void *server_run(void *unused)
{
	int peer = accept(listener, NULL, NULL);
	unsigned round = 0;
	char byte;

	server_tid = truth_tid();
	truth_must(peer >= 0, "accept");
	while (recv(peer, &byte, 1, 0) == 1) {
		uint64_t begin = truth_now();

		if (is_sleeper)
			truth_nap(&naps[round]);
		else
			truth_spin(TRUTH_PAUSE_NS);
		answered[round++] = truth_now();
		truth_must(send(peer, &byte, 1, 0) == 1, "send");
		worked += truth_now() - begin;
	}
	(void)close(peer);
	return unused;
}

static int client_connect(void)
{
	struct sockaddr_in address = {.sin_family = AF_INET,
	                              .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t length = sizeof(address);
	int on = 1, client = socket(AF_INET, SOCK_STREAM, 0);

	listener = socket(AF_INET, SOCK_STREAM, 0);
	truth_must(bind(listener, (struct sockaddr *)&address, length) == 0, "bind");
	truth_must(listen(listener, 1) == 0, "listen");
	truth_must(getsockname(listener, (struct sockaddr *)&address, &length) == 0, "getsockname");
	port = ntohs(address.sin_port);
	truth_must(connect(client, (struct sockaddr *)&address, length) == 0, "connect");
	(void)setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
	return client;
}

int main(int argc, char **argv)
{
	const char *what;
	pthread_t server;
	char byte = 'x';
	int client;

	is_sleeper = argc > 1 && strcmp(argv[1], "sleep") == 0;
	what = is_sleeper ? "state=waiting kind=timer" : "state=running|runnable";
	client = client_connect();
	truth_must(pthread_create(&server, NULL, server_run, NULL) == 0, "pthread_create");
	truth_sleep(TRUTH_PAUSE_NS);
	for (int i = 0; i < TRUTH_ROUNDS; i++) {
		struct truth_wait wait;
		uint64_t least;

		truth_must(send(client, &byte, 1, 0) == 1, "send");
		truth_wait_begin(&wait);
		truth_must(recv(client, &byte, 1, 0) == 1, "recv");
		truth_wait_end(&wait);
		least = truth_wait_least(&wait, answered[i]);
		if (!least)
			continue;
		truth_add("wait tid=%d begin=%ju end=%ju least=%ju kind=net name=lo "
		          "peer=127.0.0.1:%u sender=%d\n",
		          truth_tid(), wait.begin, answered[i], least, port, server_tid);
		if (is_sleeper)
			least = truth_wait_nap_least(&wait, &naps[i]);
		truth_add("path tid=%d begin=%ju end=%ju least=%ju of=%d depth=1 %s\n",
		          truth_tid(), wait.begin, answered[i], least, server_tid, what);
	}
	(void)close(client);
	(void)pthread_join(server, NULL);
	if (truth_kernel(6, 3)) {
		truth_add("net server=127.0.0.1:%u what=count least=%d most=%d\n", port,
		          TRUTH_ROUNDS, TRUTH_ROUNDS);
		/* it may be preempted on its way out of a call */
		truth_add("net server=127.0.0.1:%u what=work.total_ns least=%u most=%ju\n", port,
		          TRUTH_ROUNDS * TRUTH_PAUSE_NS, worked + worked / 2);
		truth_add("row list=net.slowest_requests is=role:server is=task.tid:%d "
		          "what=rows least=%d most=%d\n", server_tid, TRUTH_ROUNDS, TRUTH_ROUNDS);
		truth_add("row list=net.slowest_requests is=role:server is=task.tid:%d "
		          "what=time_ns least=%u most=%ju\n",
		          server_tid, TRUTH_ROUNDS * TRUTH_PAUSE_NS, worked + worked / 2);
		/* what the client waits is that, as nothing is on its way for long */
		truth_add("row list=net.requests is=role:client is=task.tid:%d "
		          "what=server_work.total_ns least=%u most=%ju\n",
		          truth_tid(), TRUTH_ROUNDS * TRUTH_PAUSE_NS / 10 * 9,
		          worked + worked / 2);
		truth_add("row list=net.requests is=role:client is=task.tid:%d "
		          "what=undivided_ns most=0\n",
		          truth_tid());
	}
	return truth_print();
}
