/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * slow_link [segments]: two networks with a cable (veth) between them, and at the client's end a
 * queue that lets 64 kbit a second through. The client asks in 1000 bytes, which take some 130 ms
 * to get out; the server works for a while and answers. How long a question was on its way both
 * ends know, as their clock is one, but for how long the server stood in a run queue. The client's
 * path has that time as one in its device's queue, and the server's work as the server's; so are
 * its waits for answers divided. A question of several segments goes to the device as one packet,
 * of which the queue makes new ones. The networks vanish with the processes.
 */
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ftwait/nsec.h"
#include "tcp_talk.h"
#include "truth.h"

#define ROUNDS         5
#define QUESTION_BYTES 1000
#define SEGMENTS_BYTES 3000
#define CLIENT         "10.213.80.1"
#define SERVER         "10.213.80.2"
#define PORT           5205
#define QUIETLY        " > /dev/null 2>&1"

/* What both processes know. */
struct shared {
	uint64_t arrived[ROUNDS], answered[ROUNDS];
	int server_tid;
	uint64_t delay; /* for so long the server stood in run queues */
};

static struct shared *shared;
static size_t question_bytes = QUESTION_BYTES;
static uint64_t waited, on_way, worked; /* sums of all rounds */

static bool command(const char *line)
{
	return system(line) == 0; /* NOLINT: numbers of our own */
}

static void await(int fd)
{
	char byte;

	truth_must(read(fd, &byte, 1) == 1, "a byte of the other process");
}

/* A network of its own first, then, with its end of the cable, the answers. */
static void server_run(int from_client, int to_client)
{
	struct sockaddr_in address = tcp_address(SERVER, PORT);
	int listener, peer, round = 0;
	uint64_t delay;

	truth_may(unshare(CLONE_NEWNET) == 0, "unshare(CLONE_NEWNET)");
	truth_must(write(to_client, "n", 1) == 1, "write");
	await(from_client);
	truth_must(command("ip addr add " SERVER "/24 dev nwS && ip link set nwS up"), "ip");
	listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	truth_must(bind(listener, (struct sockaddr *)&address, sizeof(address)) == 0, "bind");
	truth_must(listen(listener, 1) == 0, "listen");
	shared->server_tid = truth_tid();
	truth_must(write(to_client, "l", 1) == 1, "write");
	peer = accept(listener, NULL, NULL);
	truth_must(peer >= 0, "accept");
	delay = truth_run_delay();
	while (round < ROUNDS && tcp_take(peer, question_bytes)) {
		shared->arrived[round] = truth_now();
		truth_spin(TRUTH_PAUSE_NS);
		shared->answered[round++] = truth_now();
		truth_must(send(peer, "x", 1, MSG_NOSIGNAL) == 1, "send");
		shared->delay = truth_run_delay() - delay;
	}
	_exit(0);
}

static void network_make(pid_t server)
{
	char line[256];

	if (!command("tc -V" QUIETLY) || !command("ip -V" QUIETLY))
		truth_skip("ip or tc (of iproute2) is not installed");
	truth_may(unshare(CLONE_NEWNET) == 0, "unshare(CLONE_NEWNET)");
	(void)snprintf(line, sizeof(line),
	               "ip link add nwC type veth peer name nwS netns %d" QUIETLY, (int)server);
	if (!command(line))
		truth_skip("ip cannot make a veth device here");
	truth_must(command("ip addr add " CLIENT "/24 dev nwC && ip link set nwC up"), "ip");
}

/* Not before the connection is there. */
static void network_slow_down(void)
{
	if (!command("tc qdisc add dev nwC root tbf rate 64kbit burst 1600 latency 9s" QUIETLY))
		truth_skip("tc cannot make a tbf here");
}

static void ask(int fd, int round)
{
	static const char question[SEGMENTS_BYTES];
	struct truth_wait wait;
	uint64_t begin = truth_now(), sent, way;
	char byte;

	truth_must(send(fd, question, question_bytes, 0) == (ssize_t)question_bytes, "send");
	sent = truth_now();
	truth_wait_begin(&wait);
	truth_must(recv(fd, &byte, 1, 0) == 1, "recv");
	truth_wait_end(&wait);
	waited += truth_now() - sent;
	on_way += shared->arrived[round] - sent;
	worked += shared->answered[round] - shared->arrived[round];
	way = shared->arrived[round] - wait.begin;
	/* the first ones find the bucket full */
	if (!wait.is_sure || shared->arrived[round] < begin + 50000000)
		return;
	truth_add("path tid=%d begin=%ju end=%ju least=%ju most=%ju state=waiting kind=net "
	          "name=nwC\n",
	          truth_tid(), wait.begin, shared->answered[round], way / 2, way);
	truth_add("path tid=%d begin=%ju end=%ju least=%u of=%d state=running|runnable\n",
	          truth_tid(), wait.begin, shared->answered[round], TRUTH_PAUSE_NS / 10 * 9,
	          shared->server_tid);
}

static void print_row(const char *what, uint64_t least, uint64_t most)
{
	truth_add("row list=net.requests is=role:client is=task.tid:%d what=%s least=%ju most=%ju\n",
	          truth_tid(), what, least, most);
}

/* The server may have stood in a run queue once the question was there: that is its work's. */
static void print_parts(void)
{
	uint64_t slack = ROUNDS * TRUTH_PAUSE_NS / 5, delay = shared->delay + slack;

	print_row("wait.count", ROUNDS, ROUNDS);
	print_row("wait.total_ns", on_way + worked, waited + slack);
	print_row("way_out.total_ns", on_way - nsec_min(on_way, delay), on_way + slack);
	print_row("server_work.total_ns", worked, worked + delay + slack);
	print_row("undivided_ns", 0, 0);
}

int main(int argc, char **argv)
{
	struct sockaddr_in address = tcp_address(SERVER, PORT);
	int to_server[2], to_client[2], fd, on = 1;
	pid_t server;

	if (argc > 1 && strcmp(argv[1], "segments") == 0)
		question_bytes = SEGMENTS_BYTES;
	shared = truth_shared(sizeof(*shared));
	truth_must(pipe(to_server) == 0 && pipe(to_client) == 0, "pipe");
	server = fork();
	truth_must(server >= 0, "fork");
	if (server == 0) {
		/* what is left to read from then ends with the other process */
		(void)close(to_server[1]);
		(void)close(to_client[0]);
		(void)prctl(PR_SET_NAME, "shopd");
		server_run(to_server[0], to_client[1]);
	}
	(void)close(to_server[0]);
	(void)close(to_client[1]);
	await(to_client[0]);
	network_make(server);
	truth_must(write(to_server[1], "c", 1) == 1, "write");
	await(to_client[0]);
	fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	truth_must(connect(fd, (struct sockaddr *)&address, sizeof(address)) == 0, "connect");
	(void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
	network_slow_down();
	for (int round = 0; round < ROUNDS; round++)
		ask(fd, round);
	(void)close(fd);
	(void)waitpid(server, NULL, 0);
	if (truth_kernel(6, 3))
		print_parts();
	return truth_print();
}
