/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lossy_link: two networks with a cable between them that loses packets: a pair of tun devices, and
 * a thread that carries packets from each to the other, but not the first one, and of the later
 * ones not all, by a rule that is the same at every run. A client asks and a server answers over
 * it; then the client goes away and leaves an answer unread, asks at a port where nobody listens,
 * and sends datagrams there. What was sent again, aborted, refused, sent and received the kernel
 * counts for each network, and the programs themselves. Networks vanish with the process.
 */
#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/if.h>
#include <linux/if_tun.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tcp_talk.h"
#include "truth.h"

#define CLIENT_ADDRESS "10.213.79.1"
#define SERVER_ADDRESS "10.213.79.2"
#define SERVER_PORT    5203
#define CLOSED_PORT    5204
#define ROUNDS         30
#define QUESTION_BYTES 300
#define ANSWER_BYTES   700
#define DATAGRAMS      5

/* What a network's kernel has counted. */
struct counters {
	unsigned long retransmits, resets_sent, refused, no_port;
};

static int cable[2];          /* the client's end, the server's */
static atomic_uint lost, carried;
static atomic_bool is_lossy;  /* from when both are connected on */
static pthread_barrier_t listening, gone;
static struct counters of_server;

static void device_address(int fd, struct ifreq *device, unsigned long request,
                           const char *address)
{
	struct sockaddr_in *in = (struct sockaddr_in *)&device->ifr_addr;

	*in = (struct sockaddr_in){.sin_family = AF_INET};
	truth_must(inet_pton(AF_INET, address, &in->sin_addr) == 1, "inet_pton");
	truth_must(ioctl(fd, request, device) == 0, address);
}

/* A network of the calling thread's own, with nothing but one end of the cable. */
static int network_begin(const char *address, const char *peer)
{
	struct ifreq device = {.ifr_flags = IFF_TUN | IFF_NO_PI};
	int tun, fd;

	truth_may(unshare(CLONE_NEWNET) == 0, "a network namespace");
	tun = open("/dev/net/tun", O_RDWR | O_CLOEXEC);
	truth_may(tun >= 0, "/dev/net/tun");
	(void)strcpy(device.ifr_name, "ftwait%d");
	truth_may(ioctl(tun, TUNSETIFF, &device) == 0, "a tun device");
	fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	device_address(fd, &device, SIOCSIFADDR, address);
	device_address(fd, &device, SIOCSIFDSTADDR, peer);
	truth_must(ioctl(fd, SIOCGIFFLAGS, &device) == 0, "SIOCGIFFLAGS");
	device.ifr_flags |= IFF_UP;
	truth_must(ioctl(fd, SIOCSIFFLAGS, &device) == 0, "SIOCSIFFLAGS");
	(void)close(fd);
	return tun;
}

/* TCP's and UDP's lines of the calling thread's network, each after one with the names. */
static struct counters counters_read(void)
{
	char names[1024], values[1024];
	struct counters counters = {0};
	FILE *file = fopen("/proc/thread-self/net/snmp", "re");

	truth_must(file != NULL, "snmp");
	while (fgets(names, sizeof(names), file) && fgets(values, sizeof(values), file)) {
		const struct {
			const char *name;
			unsigned long *number;
		} wanted[] = {
			{"Tcp:RetransSegs", &counters.retransmits},
			{"Tcp:OutRsts", &counters.resets_sent},
			{"Tcp:AttemptFails", &counters.refused},
			{"Udp:NoPorts", &counters.no_port},
		};
		char *name_rest = NULL, *value_rest = NULL;
		char *protocol = strtok_r(names, " \n", &name_rest), *name, *value;

		(void)strtok_r(values, " \n", &value_rest);
		while ((name = strtok_r(NULL, " \n", &name_rest)) &&
		       (value = strtok_r(NULL, " \n", &value_rest))) {
			char whole[64];

			(void)snprintf(whole, sizeof(whole), "%s%s", protocol, name);
			for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++)
				if (strcmp(wanted[i].name, whole) == 0)
					*wanted[i].number = strtoul(value, NULL, 10);
		}
	}
	(void)fclose(file);
	return counters;
}

/* Whether the cable loses the next packet. */
static bool is_unlucky(void)
{
	static uint32_t state = 20261122;

	if (atomic_fetch_add(&carried, 1) == 0)
		return true;
	state = state * 1664525 + 1013904223;
	return atomic_load(&is_lossy) && (state >> 16) % 7 == 0;
}

static void *cable_run(void *unused)
{
	struct pollfd ends[2] = {{.fd = cable[0], .events = POLLIN},
	                         {.fd = cable[1], .events = POLLIN}};
	char packet[2048];

	while (poll(ends, 2, -1) > 0)
		for (int from = 0; from < 2; from++) {
			ssize_t length;

			if (!(ends[from].revents & POLLIN))
				continue;
			length = read(cable[from], packet, sizeof(packet));
			/* of IPv6 there are only greetings */
			if (length <= 0 || (packet[0] & 0xf0) != 0x40)
				continue;
			if (is_unlucky())
				atomic_fetch_add(&lost, 1);
			else
				(void)!write(cable[!from], packet, (size_t)length);
		}
	return unused;
}

/* Answers every question, until the client resets the connection. */
static void *server_run(void *unused)
{
	struct sockaddr_in address = tcp_address(SERVER_ADDRESS, SERVER_PORT);
	static const char answer[ANSWER_BYTES];
	int listener, peer, on = 1;

	cable[1] = network_begin(SERVER_ADDRESS, CLIENT_ADDRESS);
	listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	truth_must(bind(listener, (struct sockaddr *)&address, sizeof(address)) == 0, "bind");
	truth_must(listen(listener, 1) == 0, "listen");
	(void)pthread_barrier_wait(&listening);
	peer = accept(listener, NULL, NULL);
	truth_must(peer >= 0, "accept");
	(void)setsockopt(peer, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
	while (tcp_take(peer, QUESTION_BYTES))
		truth_must(send(peer, answer, sizeof(answer), MSG_NOSIGNAL) == sizeof(answer),
		           "send of the server");
	(void)close(peer);
	(void)pthread_barrier_wait(&gone);
	/* what came in vain has come by then */
	truth_sleep(100000000);
	of_server = counters_read();
	return unused;
}

/* Asks, and leaves the last answer unread: the close is a reset. Returns its own port. */
static unsigned client_ask(int fd)
{
	static const char question[QUESTION_BYTES];
	struct sockaddr_in own;
	socklen_t length = sizeof(own);
	int waiting = 0, on = 1;

	(void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
	truth_must(getsockname(fd, (struct sockaddr *)&own, &length) == 0, "getsockname");
	atomic_store(&is_lossy, true);
	for (int i = 0; i < ROUNDS; i++) {
		truth_must(send(fd, question, sizeof(question), 0) == sizeof(question), "send");
		if (i < ROUNDS - 1)
			truth_must(tcp_take(fd, ANSWER_BYTES), "recv");
	}
	while (waiting < ANSWER_BYTES) {
		truth_must(ioctl(fd, FIONREAD, &waiting) == 0, "FIONREAD");
		truth_sleep(1000000);
	}
	atomic_store(&is_lossy, false);
	truth_sleep(500000000); /* its acknowledgement may have been lost */
	(void)close(fd);
	return ntohs(own.sin_port);
}

static void client_knock(void)
{
	struct sockaddr_in address = tcp_address(SERVER_ADDRESS, CLOSED_PORT);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	truth_must(connect(fd, (struct sockaddr *)&address, sizeof(address)) < 0, "a refusal");
	(void)close(fd);
	for (int i = 0; i < DATAGRAMS; i++) {
		fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
		truth_must(sendto(fd, "x", 1, 0, (struct sockaddr *)&address,
		                  sizeof(address)) == 1, "sendto");
		(void)close(fd);
	}
}

static void exactly(const char *remote, unsigned port, const char *what, unsigned long number)
{
	truth_add("net remote=%s:%u what=%s least=%lu most=%lu\n", remote, port, what, number,
	          number);
}

static void report(unsigned client_port, const struct counters *of_client, uint64_t connected)
{
	exactly(SERVER_ADDRESS, SERVER_PORT, "retransmits", of_client->retransmits);
	exactly(CLIENT_ADDRESS, client_port, "retransmits", of_server.retransmits);
	exactly(SERVER_ADDRESS, SERVER_PORT, "resets", of_client->resets_sent);
	exactly(CLIENT_ADDRESS, client_port, "resets", 1);
	exactly(SERVER_ADDRESS, SERVER_PORT, "failed", 0);
	exactly(SERVER_ADDRESS, CLOSED_PORT, "failed", of_client->refused);
	/* the first SYN was lost: the next one comes a second later */
	truth_add("net remote=%s:%u what=connect_ns least=1000000000 most=%ju\n",
	          SERVER_ADDRESS, SERVER_PORT, connected);
	if (truth_kernel(6, 3)) {
		exactly(SERVER_ADDRESS, SERVER_PORT, "sent_bytes", ROUNDS * QUESTION_BYTES);
		exactly(SERVER_ADDRESS, SERVER_PORT, "received_bytes",
		        (ROUNDS - 1) * ANSWER_BYTES);
		exactly(CLIENT_ADDRESS, client_port, "sent_bytes", ROUNDS * ANSWER_BYTES);
		exactly(CLIENT_ADDRESS, client_port, "received_bytes", ROUNDS * QUESTION_BYTES);
	}
	/* others on this machine may knock, too */
	if (truth_kernel(5, 17))
		truth_add("net reason=NO_SOCKET what=count least=%lu\n",
		          of_server.no_port + of_server.resets_sent);
}

int main(void)
{
	struct sockaddr_in address = tcp_address(SERVER_ADDRESS, SERVER_PORT);
	struct counters of_client;
	pthread_t server;
	uint64_t begin, connected;
	unsigned port;
	int fd;

	cable[0] = network_begin(CLIENT_ADDRESS, SERVER_ADDRESS);
	truth_must(pthread_barrier_init(&listening, NULL, 2) == 0 &&
	           pthread_barrier_init(&gone, NULL, 2) == 0, "pthread_barrier_init");
	server = truth_thread(server_run, NULL);
	(void)pthread_barrier_wait(&listening);
	(void)truth_thread(cable_run, NULL);
	fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	begin = truth_now();
	truth_must(connect(fd, (struct sockaddr *)&address, sizeof(address)) == 0, "connect");
	connected = truth_now() - begin;
	port = client_ask(fd);
	client_knock();
	(void)pthread_barrier_wait(&gone);
	(void)pthread_join(server, NULL);
	of_client = counters_read();
	truth_must(atomic_load(&lost) > 1 && of_client.retransmits > 0, "a packet that is lost");
	report(port, &of_client, connected);
	return truth_print();
}
