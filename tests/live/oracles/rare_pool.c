/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rare_pool MODE COUNT SEED PERCENT: a server of which one thread, "reader", reads so many requests
 * of four clients over loopback and puts them into a queue, and eight threads, "worker", take them
 * from there and answer. That part of them, chosen by the seed, is slow for a planted cause
 * (planted.h), and with them those that other workers do meanwhile.
 *
 * Prints what rare_cause does.
 */
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "planted.h"
#include "truth.h"

#define THINKS_NS 600000u /* of a client between requests: at least, and up to twice that */
#define REQUEST   64u
#define CLIENTS   4u
#define WORKERS   8u

static struct pool {
	pthread_mutex_t lock;
	pthread_cond_t has_jobs;
	struct job {
		struct planted_unit unit;
		int answer_to;
	} *job;
	size_t read, taken; /* jobs */
	bool is_over;
} pool = {.lock = PTHREAD_MUTEX_INITIALIZER, .has_jobs = PTHREAD_COND_INITIALIZER};

/* NULL: there are no more. */
static struct job *job_take(void)
{
	struct job *job = NULL;

	(void)pthread_mutex_lock(&pool.lock);
	while (pool.taken == pool.read && !pool.is_over)
		(void)pthread_cond_wait(&pool.has_jobs, &pool.lock);
	if (pool.taken < pool.read)
		job = &pool.job[pool.taken++];
	(void)pthread_mutex_unlock(&pool.lock);
	return job;
}

static void *work(void *unused)
{
	char bytes[REQUEST] = {0};
	struct job *job;

	(void)prctl(PR_SET_NAME, "worker");
	(void)truth_pin(WORK_CPU);
	for (job = job_take(); job; job = job_take()) {
		planted_work(&job->unit);
		job->unit.end = truth_now(); /* after the answer another one may get the CPU */
		truth_must(write(job->answer_to, bytes, sizeof(bytes)) > 0, "answer");
		planted_done(&job->unit);
	}
	return unused;
}

static void job_put(int from)
{
	struct job *job = &pool.job[pool.read];

	planted_choose(&job->unit);
	job->unit.begin = truth_now();
	job->answer_to = from;
	(void)pthread_mutex_lock(&pool.lock);
	pool.read++;
	(void)pthread_cond_signal(&pool.has_jobs);
	(void)pthread_mutex_unlock(&pool.lock);
}

static void requests_read(const int client[CLIENTS], size_t count)
{
	struct pollfd poll_of[CLIENTS];
	char bytes[REQUEST];

	for (size_t i = 0; i < CLIENTS; i++)
		poll_of[i] = (struct pollfd){.fd = client[i], .events = POLLIN};
	while (pool.read < count) {
		truth_must(poll(poll_of, CLIENTS, -1) > 0, "poll");
		for (size_t i = 0; i < CLIENTS; i++) {
			if (!poll_of[i].revents || pool.read == count)
				continue;
			truth_must(read(client[i], bytes, sizeof(bytes)) > 0, "a client is gone");
			job_put(client[i]);
		}
	}
}

static void serve(const int client[CLIENTS], size_t count)
{
	pthread_t worker[WORKERS];

	for (size_t i = 0; i < WORKERS; i++)
		worker[i] = truth_thread(work, NULL);
	(void)prctl(PR_SET_NAME, "reader");
	(void)truth_pin(WORK_CPU);
	requests_read(client, count);
	(void)pthread_mutex_lock(&pool.lock);
	pool.is_over = true;
	(void)pthread_cond_broadcast(&pool.has_jobs);
	(void)pthread_mutex_unlock(&pool.lock);
	for (size_t i = 0; i < WORKERS; i++)
		(void)pthread_join(worker[i], NULL);
}

static _Noreturn void client_run(const struct sockaddr_in *server)
{
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	char bytes[REQUEST] = {0};

	(void)prctl(PR_SET_NAME, "client");
	(void)truth_pin(OTHER_CPU);
	truth_must(connect(fd, (const struct sockaddr *)server, sizeof(*server)) == 0, "connect");
	do
		truth_sleep(THINKS_NS + random_below(THINKS_NS));
	while (write(fd, bytes, sizeof(bytes)) > 0 && read(fd, bytes, sizeof(bytes)) > 0);
	_exit(0);
}

static int client_begin(int listener, const struct sockaddr_in *server, uint64_t seed)
{
	pid_t child = fork();
	int fd, one = 1;

	truth_must(child >= 0, "fork");
	if (child == 0) {
		(void)close(listener);
		random_begin(seed);
		client_run(server);
	}
	fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
	truth_must(fd >= 0, "accept");
	(void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
	return fd;
}

static void clients_begin(int client[CLIENTS], uint64_t seed)
{
	struct sockaddr_in address = {.sin_family = AF_INET};
	socklen_t length = sizeof(address);
	int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	truth_must(bind(listener, (struct sockaddr *)&address, sizeof(address)) == 0 &&
	                   listen(listener, CLIENTS) == 0 &&
	                   getsockname(listener, (struct sockaddr *)&address, &length) == 0,
	           "listen");
	for (size_t i = 0; i < CLIENTS; i++)
		client[i] = client_begin(listener, &address, seed + i);
	(void)close(listener);
}

int main(int argc, char **argv)
{
	size_t count = argc > 2 ? strtoul(argv[2], NULL, 10) : 800;
	uint64_t seed = argc > 3 ? strtoul(argv[3], NULL, 10) : 1;
	struct planted_unit *unit = calloc(count, sizeof(*unit));
	int client[CLIENTS];

	pool.job = calloc(count, sizeof(*pool.job));
	truth_must(unit && pool.job, "memory");
	truth_must(planted_mode(argc > 1 ? argv[1] : "none",
	                        (uint64_t)((argc > 4 ? strtod(argv[4], NULL) : 1.5) * 100)),
	           "there is no such mode");
	clients_begin(client, seed);
	random_begin(seed);
	planted_begin();
	serve(client, count);
	for (size_t i = 0; i < CLIENTS; i++)
		(void)shutdown(client[i], SHUT_RDWR); /* a child may have a copy */
	planted_end();
	while (wait(NULL) > 0)
		;
	for (size_t i = 0; i < count; i++)
		unit[i] = pool.job[i].unit;
	planted_print(stdout, unit, count);
	free(pool.job);
	free(unit);
	return 0;
}
