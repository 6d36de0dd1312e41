/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rare_cause MODE COUNT SEED PERCENT [unix]: a server that answers so many requests of a client
 * over loopback, or over a socket of the machine, of which that part, chosen by the seed, is slow
 * for a planted cause: MODE is lock, disk, cpu, gc, mix or none (planted.h).
 *
 * Prints a line for each request: when the server had read it and when it began to answer, in ns of
 * CLOCK_MONOTONIC, and the planted cause to which it lost its time, or "-". These are no facts for
 * truth_check: which requests are slow for other causes depends on the machine.
 */
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "planted.h"
#include "truth.h"

#define THINKS_NS 150000u /* of the client between requests: at least, and up to twice that */
#define REQUEST   64u

static int listener_open(struct sockaddr_in *ret)
{
	socklen_t length = sizeof(*ret);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	*ret = (struct sockaddr_in){.sin_family = AF_INET};
	ret->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	truth_must(bind(fd, (struct sockaddr *)ret, sizeof(*ret)) == 0 && listen(fd, 1) == 0 &&
	                   getsockname(fd, (struct sockaddr *)ret, &length) == 0,
	           "listen");
	return fd;
}

/* Both ends of a connection: the server's first. */
static void connection_open(int ends[2])
{
	struct sockaddr_in address;
	int listener = listener_open(&address), one = 1;

	ends[1] = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	truth_must(connect(ends[1], (struct sockaddr *)&address, sizeof(address)) == 0, "connect");
	ends[0] = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
	truth_must(ends[0] >= 0, "accept");
	for (int i = 0; i < 2; i++)
		(void)setsockopt(ends[i], IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
	(void)close(listener);
}

static _Noreturn void client_run(int fd, size_t count)
{
	char bytes[REQUEST] = {0};

	(void)prctl(PR_SET_NAME, "client");
	(void)truth_pin(OTHER_CPU);
	while (count-- > 0) {
		truth_sleep(THINKS_NS + random_below(THINKS_NS));
		if (write(fd, bytes, sizeof(bytes)) < 0 || read(fd, bytes, sizeof(bytes)) <= 0)
			break;
	}
	_exit(0);
}

static size_t requests_serve(int fd, struct planted_unit *unit, size_t count)
{
	char bytes[REQUEST];
	size_t done = 0;

	while (done < count && read(fd, bytes, sizeof(bytes)) > 0) {
		struct planted_unit *now = &unit[done++];

		planted_choose(now);
		now->begin = truth_now();
		planted_work(now);
		now->end = truth_now(); /* after the answer another one may get the CPU */
		truth_must(write(fd, bytes, sizeof(bytes)) > 0, "answer");
		planted_done(now);
	}
	return done;
}

int main(int argc, char **argv)
{
	size_t count = argc > 2 ? strtoul(argv[2], NULL, 10) : 800, done;
	struct planted_unit *unit = calloc(count, sizeof(*unit));
	bool is_unix = argc > 5 && strcmp(argv[5], "unix") == 0;
	int ends[2];
	pid_t client;

	truth_must(unit != NULL, "memory");
	truth_must(planted_mode(argc > 1 ? argv[1] : "none",
	                        (uint64_t)((argc > 4 ? strtod(argv[4], NULL) : 1.5) * 100)),
	           "there is no such mode");
	random_begin(argc > 3 ? strtoul(argv[3], NULL, 10) : 1);
	if (is_unix)
		truth_must(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0, "socket");
	else
		connection_open(ends);
	client = fork();
	truth_must(client >= 0, "fork");
	if (client == 0) {
		(void)close(ends[0]);
		client_run(ends[1], count);
	}
	(void)close(ends[1]);
	planted_begin();
	(void)prctl(PR_SET_NAME, "server");
	(void)truth_pin(WORK_CPU);
	done = requests_serve(ends[0], unit, count);
	planted_end();
	while (waitpid(client, NULL, 0) > 0)
		;
	planted_print(stdout, unit, done);
	free(unit);
	return 0;
}
