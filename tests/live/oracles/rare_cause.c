/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rare_cause MODE COUNT SEED PERCENT: a server that answers so many requests of a client over
 * loopback, of which that part, chosen by the seed, is slow for a planted cause:
 *
 *	lock  the thread "keeper" has a mutex that every request needs, and sleeps
 *	disk  the request syncs a file
 *	cpu   the process "rival" has the server's CPU
 *	gc    the thread "sweeper" has stopped the server at its safe points, and runs
 *	none  nothing is planted
 *	mix   any of the first four
 *
 * Prints a line for each request: when the server had read it and when it answered, in ns of
 * CLOCK_MONOTONIC, and the planted cause or "-". These are no facts for truth_check: which requests
 * are slow for other causes depends on the machine.
 */
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "truth.h"

#define PLANTED_NS  4000000u /* what a planted cause takes */
#define IDLE_NS     150000u  /* of helpers between two looks, and of the client between requests */
#define REQUEST     64u
#define SERVER_CPU  0u
#define CLIENT_CPU  1u

enum cause {CAUSE_NONE, CAUSE_LOCK, CAUSE_DISK, CAUSE_CPU, CAUSE_GC, CAUSES};

static const char *const words[CAUSES] = {"-", "lock", "disk", "cpu", "gc"};

struct answered {
	uint64_t read, sent;
	enum cause cause;
};

static pthread_mutex_t needed = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t world = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t goes_on = PTHREAD_COND_INITIALIZER;
static bool is_stopped; /* under `world` */
static atomic_int lock_asked, sweep_asked, is_over;
static uint64_t random_state;

static uint64_t random_next(void)
{
	random_state = random_state * 6364136223846793005u + 1442695040888963407u;
	return random_state >> 33;
}

/* One of so many, all as likely. */
static uint64_t random_below(uint64_t count)
{
	return random_next() % count;
}

static void *keep(void *unused)
{
	(void)prctl(PR_SET_NAME, "keeper");
	(void)truth_pin(CLIENT_CPU);
	while (!atomic_load(&is_over)) {
		if (atomic_exchange(&lock_asked, 0)) {
			(void)pthread_mutex_lock(&needed);
			atomic_store(&lock_asked, -1); /* it has the mutex */
			truth_sleep(PLANTED_NS);
			(void)pthread_mutex_unlock(&needed);
		}
		truth_sleep(IDLE_NS);
	}
	return unused;
}

static void world_stop(bool stop)
{
	(void)pthread_mutex_lock(&world);
	is_stopped = stop;
	if (!stop)
		(void)pthread_cond_broadcast(&goes_on);
	(void)pthread_mutex_unlock(&world);
}

static void *sweep(void *unused)
{
	(void)prctl(PR_SET_NAME, "sweeper");
	(void)truth_pin(CLIENT_CPU);
	while (!atomic_load(&is_over)) {
		if (atomic_exchange(&sweep_asked, 0)) {
			world_stop(true);
			atomic_store(&sweep_asked, -1);
			truth_spin(PLANTED_NS);
			world_stop(false);
		}
		truth_sleep(IDLE_NS);
	}
	return unused;
}

static void safe_point(void)
{
	(void)pthread_mutex_lock(&world);
	while (is_stopped)
		(void)pthread_cond_wait(&goes_on, &world);
	(void)pthread_mutex_unlock(&world);
}

/* Asks a helper, and sleeps until it has begun: else the request might be over before. */
static void ask_helper(atomic_int *asked)
{
	atomic_store(asked, 1);
	while (atomic_load(asked) != -1)
		truth_sleep(IDLE_NS);
	atomic_store(asked, 0);
}

/* The rival runs on the server's CPU for each byte that it gets. */
static int rival_begin(void)
{
	int ends[2];
	char byte;
	pid_t child;

	truth_must(pipe(ends) == 0, "pipe");
	child = fork();
	truth_must(child >= 0, "fork");
	if (child > 0) {
		(void)close(ends[0]);
		return ends[1];
	}
	(void)close(ends[1]);
	(void)prctl(PR_SET_NAME, "rival");
	(void)truth_pin(SERVER_CPU);
	while (read(ends[0], &byte, 1) == 1)
		truth_spin(PLANTED_NS);
	_exit(0);
}

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

static void no_delay(int fd)
{
	int one = 1;

	(void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
}

static void client_run(const struct sockaddr_in *server, size_t count)
{
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	char bytes[REQUEST] = {0};

	(void)prctl(PR_SET_NAME, "client");
	(void)truth_pin(CLIENT_CPU);
	truth_must(connect(fd, (const struct sockaddr *)server, sizeof(*server)) == 0, "connect");
	no_delay(fd);
	while (count-- > 0) {
		truth_sleep(IDLE_NS + random_below(IDLE_NS));
		if (write(fd, bytes, sizeof(bytes)) < 0 || read(fd, bytes, sizeof(bytes)) <= 0)
			break;
	}
	_exit(0);
}

/* What is planted in this request, in so many of 10,000. */
static enum cause cause_choose(const char *mode, uint64_t part)
{
	bool is_slow = random_below(10000) < part;
	enum cause cause = (enum cause)(1 + random_below(CAUSES - 1));

	if (!is_slow || strcmp(mode, "none") == 0)
		return CAUSE_NONE;
	if (strcmp(mode, "mix") == 0)
		return cause;
	for (cause = CAUSE_LOCK; cause < CAUSES; cause++)
		if (strcmp(mode, words[cause]) == 0)
			return cause;
	return CAUSE_NONE;
}

struct server {
	int connection, file, rival;
};

static void request_work(const struct server *server, enum cause cause)
{
	char bytes[512] = {0};

	if (cause == CAUSE_CPU)
		truth_must(write(server->rival, "x", 1) == 1, "the rival is gone");
	truth_spin(60000 + random_below(60000));
	truth_must(write(server->file, bytes, sizeof(bytes)) == (ssize_t)sizeof(bytes), "write");
	if (cause == CAUSE_DISK)
		(void)fdatasync(server->file);
	if (cause == CAUSE_LOCK)
		ask_helper(&lock_asked);
	if (cause == CAUSE_GC)
		ask_helper(&sweep_asked);
	(void)pthread_mutex_lock(&needed);
	truth_spin(10000);
	(void)pthread_mutex_unlock(&needed);
	safe_point();
}

static size_t requests_serve(const struct server *server, const char *mode, uint64_t part,
                             struct answered *answered, size_t count)
{
	char bytes[REQUEST];
	size_t done = 0;

	while (done < count && read(server->connection, bytes, sizeof(bytes)) > 0) {
		struct answered *now = &answered[done++];

		now->cause = cause_choose(mode, part);
		now->read = truth_now();
		request_work(server, now->cause);
		truth_must(write(server->connection, bytes, sizeof(bytes)) > 0, "answer");
		now->sent = truth_now();
	}
	return done;
}

static int file_open(void)
{
	char path[] = "/var/tmp/ftwait-rare.XXXXXX";
	int fd = mkstemp(path);

	truth_must(fd >= 0, path);
	(void)unlink(path);
	return fd;
}

int main(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : "none";
	size_t count = argc > 2 ? strtoul(argv[2], NULL, 10) : 800, done;
	uint64_t part = (uint64_t)((argc > 4 ? strtod(argv[4], NULL) : 1.5) * 100);
	struct server server = {.rival = rival_begin(), .file = file_open()};
	struct answered *answered = calloc(count, sizeof(*answered));
	struct sockaddr_in address;
	int listener = listener_open(&address);
	pthread_t keeper, sweeper;
	pid_t client;

	random_state = argc > 3 ? strtoul(argv[3], NULL, 10) : 1;
	truth_must(answered != NULL, "memory");
	client = fork();
	truth_must(client >= 0, "fork");
	if (client == 0) {
		(void)close(server.rival); /* the rival ends with the server's end of the pipe */
		client_run(&address, count);
	}
	(void)prctl(PR_SET_NAME, "server");
	keeper = truth_thread(keep, NULL);
	sweeper = truth_thread(sweep, NULL);
	(void)truth_pin(SERVER_CPU);
	server.connection = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
	truth_must(server.connection >= 0, "accept");
	no_delay(server.connection);
	done = requests_serve(&server, mode, part, answered, count);
	atomic_store(&is_over, 1);
	(void)close(server.rival);
	(void)pthread_join(keeper, NULL);
	(void)pthread_join(sweeper, NULL);
	for (size_t i = 0; i < done; i++)
		printf("%ju %ju %s\n", (uintmax_t)answered[i].read, (uintmax_t)answered[i].sent,
		       words[answered[i].cause]);
	while (wait(NULL) > 0)
		;
	free(answered);
	return 0;
}
