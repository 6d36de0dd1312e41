/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * knob base|hold|syncs|burn|sleep|packet DIRECTORY: a load of which one thing can be made more, to
 * record runs for comparisons (fixtures/runs/reduce). base: ten rounds of a contended mutex, a
 * synced write to a file in DIRECTORY, computing, a sleep, and a request over loopback TCP. The
 * others: the mutex is held three times as long, there are twice as many syncs, three times as much
 * computing, the sleep is three times as long, or the request eight times as large.
 */
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define ROUNDS 10

/* Of one round. */
struct amounts {
	long hold_us, burn_us, sleep_us;
	unsigned syncs;
	size_t packet;
};

static struct amounts amounts = {
	.hold_us = 300, .burn_us = 300, .sleep_us = 500, .syncs = 1, .packet = 64 << 10};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t begin, held;

static _Noreturn void die(const char *what)
{
	perror(what);
	exit(1);
}

static uint64_t cpu_ns(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* Computes for so much CPU time, whatever else runs. */
static void burn(long us)
{
	uint64_t until = cpu_ns() + (uint64_t)us * 1000;

	while (cpu_ns() < until)
		;
}

static void doze(long us)
{
	const struct timespec time = {us / 1000000, us % 1000000 * 1000};

	(void)nanosleep(&time, NULL);
}

static void *holder_run(void *unused)
{
	(void)prctl(PR_SET_NAME, "holder");
	for (int i = 0; i < ROUNDS; i++) {
		(void)pthread_barrier_wait(&begin);
		(void)pthread_mutex_lock(&lock);
		(void)pthread_barrier_wait(&held);
		doze(amounts.hold_us);
		(void)pthread_mutex_unlock(&lock);
	}
	return unused;
}

static void lock_contended(void)
{
	(void)pthread_barrier_wait(&begin);
	(void)pthread_barrier_wait(&held);
	(void)pthread_mutex_lock(&lock);
	(void)pthread_mutex_unlock(&lock);
}

/* Reads or writes all of it. */
static bool transfer(int fd, char *bytes, size_t size, bool is_write)
{
	for (size_t done = 0; done < size;) {
		ssize_t r = is_write ? send(fd, bytes + done, size - done, MSG_NOSIGNAL)
		                     : recv(fd, bytes + done, size - done, 0);

		if (r <= 0)
			return false;
		done += (size_t)r;
	}
	return true;
}

/* Answers each request with one byte. */
static void *server_run(void *listener)
{
	char *bytes = malloc(amounts.packet);
	int fd = accept(*(int *)listener, NULL, NULL);

	(void)prctl(PR_SET_NAME, "server");
	if (fd < 0 || !bytes)
		die("server");
	while (transfer(fd, bytes, amounts.packet, false))
		(void)transfer(fd, bytes, 1, true);
	free(bytes);
	(void)close(fd);
	return NULL;
}

static int server_connect(int *ret_listener, pthread_t *ret_server)
{
	struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
	socklen_t size = sizeof(at);
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	*ret_listener = socket(AF_INET, SOCK_STREAM, 0);
	if (fd < 0 || bind(*ret_listener, (struct sockaddr *)&at, size) < 0 ||
	    listen(*ret_listener, 1) < 0 ||
	    getsockname(*ret_listener, (struct sockaddr *)&at, &size) < 0 ||
	    connect(fd, (struct sockaddr *)&at, size) < 0)
		die("connection");
	if (pthread_create(ret_server, NULL, server_run, ret_listener) != 0)
		die("thread");
	return fd;
}

static void write_synced(int file, const char *bytes, unsigned syncs)
{
	for (unsigned i = 0; i < syncs; i++)
		if (pwrite(file, bytes, 16384, 0) != 16384 || fdatasync(file) < 0)
			die("sync");
}

static bool amounts_choose(const char *knob)
{
	if (strcmp(knob, "hold") == 0)
		amounts.hold_us *= 3;
	else if (strcmp(knob, "syncs") == 0)
		amounts.syncs *= 2;
	else if (strcmp(knob, "burn") == 0)
		amounts.burn_us *= 3;
	else if (strcmp(knob, "sleep") == 0)
		amounts.sleep_us *= 3;
	else if (strcmp(knob, "packet") == 0)
		amounts.packet *= 8;
	else
		return strcmp(knob, "base") == 0;
	return true;
}

static void rounds_run(int file, int connection, char *bytes)
{
	for (int i = 0; i < ROUNDS; i++) {
		lock_contended();
		write_synced(file, bytes, amounts.syncs);
		burn(amounts.burn_us);
		doze(amounts.sleep_us);
		if (!transfer(connection, bytes, amounts.packet, true) ||
		    !transfer(connection, bytes, 1, false))
			die("request");
	}
}

int main(int argc, char **argv)
{
	char path[4096], *bytes;
	pthread_t holder, server;
	int file, listener, connection;

	if (argc != 3 || !amounts_choose(argv[1])) {
		(void)fprintf(stderr, "usage: knob base|hold|syncs|burn|sleep|packet DIRECTORY\n");
		return 2;
	}
	bytes = calloc(1, amounts.packet);
	(void)snprintf(path, sizeof(path), "%s/knob.XXXXXX", argv[2]);
	file = mkstemp(path);
	if (file < 0 || !bytes || pthread_barrier_init(&begin, NULL, 2) != 0 ||
	    pthread_barrier_init(&held, NULL, 2) != 0 ||
	    pthread_create(&holder, NULL, holder_run, NULL) != 0)
		die("begin");
	(void)unlink(path);
	connection = server_connect(&listener, &server);
	rounds_run(file, connection, bytes);
	(void)close(connection);
	(void)pthread_join(server, NULL);
	(void)pthread_join(holder, NULL);
	free(bytes);
	return 0;
}
