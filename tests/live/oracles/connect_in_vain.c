/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * connect_in_vain: a client opens a connection to an address where nobody is, at the end of a cable
 * (veth) in a network of its own, and gives up after a while. TCP itself tells how often it tried
 * again; that it was in vain --net says, too. The network vanishes with the process.
 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "truth.h"

#define PEER    "10.213.78.77"
#define PORT    5202
#define QUIETLY " > /dev/null 2>&1"

/* The first repeated SYN is sent after a second. */
static const struct timeval patience = {.tv_sec = 1, .tv_usec = 500000};

static bool command(const char *line)
{
	/* NOLINTNEXTLINE: a constant line */
	return system(line) == 0;
}

int main(void)
{
	struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(PORT)};
	struct tcp_info info = {0};
	socklen_t length = sizeof(info);
	uint64_t begin, end;
	int fd;

	if (!command("ip -V" QUIETLY))
		truth_skip("ip (of iproute2) is not installed");
	truth_may(unshare(CLONE_NEWNET) == 0, "unshare(CLONE_NEWNET)");
	if (!command("ip link add ftwait0 type veth peer name ftwait1" QUIETLY))
		truth_skip("ip cannot make a veth device here");
	/* with a neighbour that is known, nobody asks for its address in vain */
	truth_must(command("ip addr add 10.213.78.1/24 dev ftwait0 && ip link set ftwait0 up && "
	                   "ip link set ftwait1 up && "
	                   "ip neigh add " PEER " lladdr 02:00:00:00:00:77 dev ftwait0"), "ip");
	truth_must(inet_pton(AF_INET, PEER, &address.sin_addr) == 1, "inet_pton");
	fd = socket(AF_INET, SOCK_STREAM, 0);
	truth_must(setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience)) == 0,
	           "SO_SNDTIMEO");
	begin = truth_now();
	truth_must(connect(fd, (struct sockaddr *)&address, sizeof(address)) < 0, "no answer");
	end = truth_now();
	truth_must(getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &length) == 0, "TCP_INFO");
	truth_must(info.tcpi_total_retrans > 0, "a SYN that is sent again");
	truth_add("wait tid=%d begin=%ju end=%ju least=%u kind=net peer=%s:%d retransmits=%u\n",
	          truth_tid(), begin, end, 1400000000u, PEER, PORT, info.tcpi_total_retrans);
	(void)close(fd);
	truth_add("net remote=%s:%d what=retransmits least=%u most=%u\n", PEER, PORT,
	          info.tcpi_total_retrans, info.tcpi_total_retrans);
	truth_add("net remote=%s:%d what=failed least=1 most=1\n", PEER, PORT);
	truth_add("net remote=%s:%d what=connect_ns most=0\n", PEER, PORT);
	return truth_print();
}
