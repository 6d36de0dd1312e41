/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A client asks a server, which is another process; two threads that have not sent poll for the
 * answer by turns, as those of Go do, with time limits so short that no timer tells a poll from
 * another sleep. A third one keeps watch, with time limits of its own. All that the client sleeps
 * is a wait for the server.
 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "truth.h"

#define POLLERS   2
#define SLICE_MS  9
#define ANSWER_NS 700000000u
#define WATCH_NS  9700000u

static struct poller {
	sem_t turn;
	int tid;
} pollers[POLLERS];
static sem_t done;
static atomic_bool is_over;
static int client;

_Noreturn static void server_run(int listener)
{
	int peer = accept(listener, NULL, NULL);
	char byte;

	truth_must(peer >= 0 && recv(peer, &byte, 1, 0) == 1, "recv");
	truth_sleep(ANSWER_NS);
	truth_must(send(peer, &byte, 1, 0) == 1, "send");
	_exit(0);
}

static void *watch_run(void *unused)
{
	static sem_t never;
	uint64_t at;

	truth_must(sem_init(&never, 0, 0) == 0, "sem_init");
	while (!atomic_load(&is_over)) {
		struct timespec until;

		at = truth_now() + WATCH_NS;
		until = (struct timespec){(time_t)(at / 1000000000u), (long)(at % 1000000000u)};
		(void)sem_clockwait(&never, CLOCK_MONOTONIC, &until);
	}
	return unused;
}

static void *poller_run(void *own)
{
	struct poller *poller = own, *next = poller == pollers ? poller + 1 : pollers;
	struct pollfd wanted = {.fd = client, .events = POLLIN};

	poller->tid = truth_tid();
	for (;;) {
		while (sem_wait(&poller->turn) < 0)
			;
		if (atomic_load(&is_over))
			return NULL;
		if (poll(&wanted, 1, SLICE_MS) != 0)
			break;
		(void)sem_post(&next->turn);
	}
	atomic_store(&is_over, true);
	(void)sem_post(&done);
	(void)sem_post(&next->turn);
	return NULL;
}

static void client_ask(const pid_t server)
{
	pthread_t thread[POLLERS], watch = truth_thread(watch_run, NULL);
	uint64_t begin, end;
	char byte = 'x';

	truth_must(sem_init(&done, 0, 0) == 0, "sem_init");
	for (int i = 0; i < POLLERS; i++)
		truth_must(sem_init(&pollers[i].turn, 0, 0) == 0, "sem_init");
	for (int i = 0; i < POLLERS; i++)
		thread[i] = truth_thread(poller_run, &pollers[i]);
	begin = truth_now();
	truth_must(send(client, &byte, 1, 0) == 1, "send");
	(void)sem_post(&pollers[0].turn);
	while (sem_wait(&done) < 0)
		;
	end = truth_now();
	truth_must(recv(client, &byte, 1, 0) == 1, "recv");
	for (int i = 0; i < POLLERS; i++)
		truth_must(pthread_join(thread[i], NULL) == 0, "pthread_join");
	truth_must(pthread_join(watch, NULL) == 0, "pthread_join");
	truth_add("path tid=%d begin=%ju end=%ju least=%u of=%d kind=timer\n", truth_tid(), begin,
	          end, ANSWER_NS / 10 * 9, server);
	for (int i = 0; i < POLLERS; i++)
		truth_add("path tid=%d begin=%ju end=%ju most=%u of=%d kind=timer\n", truth_tid(),
		          begin, end, ANSWER_NS / 20, pollers[i].tid);
}

int main(void)
{
	struct sockaddr_in address = {.sin_family = AF_INET,
	                              .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t length = sizeof(address);
	int listener = socket(AF_INET, SOCK_STREAM, 0);
	pid_t server;

	if (!truth_kernel(6, 4))
		truth_skip("this kernel does not tell what is sent and received");
	client = socket(AF_INET, SOCK_STREAM, 0);
	truth_must(bind(listener, (struct sockaddr *)&address, length) == 0, "bind");
	truth_must(listen(listener, 1) == 0, "listen");
	truth_must(getsockname(listener, (struct sockaddr *)&address, &length) == 0, "getsockname");
	server = fork();
	if (server == 0)
		server_run(listener);
	truth_must(server > 0, "fork");
	truth_must(connect(client, (struct sockaddr *)&address, length) == 0, "connect");
	client_ask(server);
	truth_must(wait(NULL) > 0, "wait");
	return truth_print();
}
