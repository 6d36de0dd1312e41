/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tcp_hosts: a client asks a server over TCP, each in a network of its own with a cable (veth)
 * between them, as if they were two hosts. The client waits for its device and for the server's
 * address and port. Networks and cable vanish with the processes.
 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "truth.h"

#define CLIENT_ADDRESS "10.213.77.1"
#define SERVER_ADDRESS "10.213.77.2"
#define SERVER_PORT    5201
#define QUIETLY        " > /dev/null 2>&1"

static bool command(const char *line)
{
	/* NOLINTNEXTLINE: a constant line, but for a number */
	return system(line) == 0;
}

static struct sockaddr_in server_address(void)
{
	struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(SERVER_PORT)};

	truth_must(inet_pton(AF_INET, SERVER_ADDRESS, &address.sin_addr) == 1, "inet_pton");
	return address;
}

/* Both wait here for the other to have come as far; false: the other has given up. */
static bool meet(int fd)
{
	char byte = 0;

	return send(fd, &byte, 1, MSG_NOSIGNAL) == 1 && recv(fd, &byte, 1, 0) == 1;
}

static _Noreturn void server_run(int fd)
{
	struct sockaddr_in address = server_address();
	int listener, peer;
	char byte;

	if (unshare(CLONE_NEWNET) < 0 || !meet(fd) || !meet(fd) ||
	    !command("ip addr add " SERVER_ADDRESS "/30 dev ftwait1 && ip link set ftwait1 up"))
		_exit(1);
	listener = socket(AF_INET, SOCK_STREAM, 0);
	if (bind(listener, (struct sockaddr *)&address, sizeof(address)) < 0 ||
	    listen(listener, 1) < 0 || !meet(fd))
		_exit(1);
	peer = accept(listener, NULL, NULL);
	while (recv(peer, &byte, 1, 0) == 1) {
		truth_sleep(TRUTH_PAUSE_NS);
		(void)send(peer, &byte, 1, 0);
	}
	_exit(0);
}

/* Lays the cable and returns a connection through it. */
static int client_connect(pid_t server, int fd)
{
	struct sockaddr_in address = server_address();
	int on = 1, client = socket(AF_INET, SOCK_STREAM, 0);
	char line[200];

	truth_must(meet(fd), "unshare in the server");
	(void)snprintf(line, sizeof(line),
	               "ip link add ftwait0 type veth peer name ftwait1 netns %d" QUIETLY, server);
	if (!command(line))
		truth_skip("ip cannot make a veth device here");
	truth_must(command("ip addr add " CLIENT_ADDRESS "/30 dev ftwait0 && "
	                   "ip link set ftwait0 up"), "ip");
	truth_must(meet(fd) && meet(fd), "listen in the server");
	truth_must(connect(client, (struct sockaddr *)&address, sizeof(address)) == 0, "connect");
	(void)setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
	return client;
}

int main(void)
{
	int pair[2], client;
	char byte = 'x';
	pid_t server;

	if (!command("ip -V" QUIETLY))
		truth_skip("ip (of iproute2) is not installed");
	truth_may(unshare(CLONE_NEWNET) == 0, "unshare(CLONE_NEWNET)");
	truth_must(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0, "socketpair");
	server = fork();
	truth_must(server >= 0, "fork");
	(void)close(pair[server != 0]);
	if (server == 0)
		server_run(pair[1]);
	client = client_connect(server, pair[0]);
	for (int i = 0; i < TRUTH_ROUNDS; i++) {
		uint64_t begin = truth_now(), end;

		truth_must(send(client, &byte, 1, 0) == 1, "send");
		truth_must(recv(client, &byte, 1, 0) == 1, "recv");
		end = truth_now();
		/* half of what the server sleeps, if not the client itself was slow to wait */
		truth_add("wait tid=%d begin=%ju end=%ju least=%u kind=net name=ftwait0 "
		          "peer=" SERVER_ADDRESS ":%d\n",
		          truth_tid(), begin, end, TRUTH_PAUSE_NS / 2, SERVER_PORT);
	}
	(void)close(client);
	return truth_print();
}
