/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * udp_server: a client asks over UDP, on a socket that it has connected, and a server works and
 * answers; on another socket it sends to two ends. Both know their addresses, and the client how
 * long it waited. All of it on lo of a network of the oracle's own.
 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "own_network.h"
#include "truth.h"

#define PORT  5210
#define OTHER 5211

static void *server_run(void *server)
{
	int fd = *(const int *)server;

	for (int i = 0; i < TRUTH_ROUNDS; i++) {
		struct sockaddr_in from;
		socklen_t length = sizeof(from);
		char byte;

		truth_must(recvfrom(fd, &byte, 1, 0, (struct sockaddr *)&from, &length) == 1,
		           "recvfrom");
		truth_spin(TRUTH_PAUSE_NS);
		truth_must(sendto(fd, &byte, 1, 0, (struct sockaddr *)&from, length) == 1,
		           "sendto");
	}
	return NULL;
}

static uint64_t ask(int fd)
{
	struct truth_wait wait;
	char byte = 'x';

	truth_must(send(fd, &byte, 1, 0) == 1, "send");
	truth_wait_begin(&wait);
	truth_must(recv(fd, &byte, 1, 0) == 1, "recv");
	truth_wait_end(&wait);
	return truth_wait_least(&wait, truth_now());
}

int main(void)
{
	struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(PORT),
	                              .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	int server, client, both;
	uint64_t waited = 0, begin;
	pthread_t thread;

	own_network_begin("0");
	if (!truth_kernel(6, 3))
		truth_skip("the kernel tells no sends on sockets before 6.3");
	server = own_network_socket(PORT);
	client = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	both = own_network_socket(OTHER);
	truth_must(connect(client, (struct sockaddr *)&address, sizeof(address)) == 0, "connect");
	thread = truth_thread(server_run, &server);
	truth_sleep(TRUTH_PAUSE_NS);
	begin = truth_now();
	for (int i = 0; i < TRUTH_ROUNDS; i++)
		waited += ask(client);
	(void)pthread_join(thread, NULL);
	truth_add("net remote=127.0.0.1:%d what=waiting_ns least=%ju most=%ju\n", PORT,
	          waited / 10 * 8, truth_now() - begin);
	truth_add("net remote=127.0.0.1:%d what=sent_bytes least=%d most=%d\n", PORT, TRUTH_ROUNDS,
	          TRUTH_ROUNDS);
	/* to two ends: which one is not said */
	own_network_send(both, PORT);
	own_network_send(both, OTHER);
	truth_add("net remote=127.0.0.1:%d what=waits most=0\n", OTHER);
	truth_add("row list=net.connections what=sent_bytes is=local:127.0.0.1:%d "
	          "is=remote:* least=2 most=2\n", OTHER);
	return truth_print();
}
