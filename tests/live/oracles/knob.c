/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * knob MODE FACTOR: does some work of which one thing takes FACTOR of the time that it takes else:
 *
 *	serial     "knob" runs and sleeps in turn       its sleeps
 *	join       it waits for "sleeper" and "burner"  those of the sleeper
 *	lock       three threads sleep in a mutex       these sleeps
 *	pipe       "producer" fills a short queue       the sleeps of the "consumer", between two items
 *	neighbour  "knob" runs, and often has no CPU    what the "neighbour" runs there
 *
 * So what --what-if says of a recording with FACTOR 1 may be compared with what FACTOR 0.5 takes.
 * Prints the tid of "knob", and when it began and ended in ns of CLOCK_MONOTONIC. All run as
 * SCHED_FIFO, so that others do not matter, and no longer than some seconds.
 */
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "truth.h"

#define RUNS_US   2000000u /* at most in one go */
#define SECONDS   10u      /* at most in all */
#define NEIGHBOUR 12       /* priorities */
#define ALL       10
#define QUEUE     4

static double factor = 1;
static pthread_mutex_t inside = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t has_items = PTHREAD_COND_INITIALIZER, has_room = PTHREAD_COND_INITIALIZER;
static int queued;

static void burn(uint64_t duration)
{
	uint64_t end = truth_cpu_time() + duration;

	while (truth_cpu_time() < end)
		;
}

/* What the knob turns. */
static void nap(uint64_t duration)
{
	uint64_t asked = (uint64_t)((double)duration * factor);

	if (asked > 0)
		truth_sleep(asked);
}

static void *sleeper(void *unused)
{
	(void)prctl(PR_SET_NAME, "sleeper");
	for (int i = 0; i < 10; i++)
		nap(4000000);
	return unused;
}

static void *burner(void *unused)
{
	(void)prctl(PR_SET_NAME, "burner");
	for (int i = 0; i < 10; i++) {
		burn(1000000);
		truth_sleep(1500000);
	}
	return unused;
}

static void *holder(void *unused)
{
	(void)prctl(PR_SET_NAME, "holder");
	for (int i = 0; i < 15; i++) {
		(void)pthread_mutex_lock(&inside);
		nap(1000000);
		(void)pthread_mutex_unlock(&inside);
		burn(300000);
		truth_sleep(400000);
	}
	return unused;
}

static void *producer(void *unused)
{
	(void)prctl(PR_SET_NAME, "producer");
	for (int i = 0; i < 30; i++) {
		burn(200000);
		truth_sleep(700000);
		(void)pthread_mutex_lock(&inside);
		while (queued == QUEUE)
			(void)pthread_cond_wait(&has_room, &inside);
		queued++;
		(void)pthread_cond_signal(&has_items);
		(void)pthread_mutex_unlock(&inside);
	}
	return unused;
}

static void *consumer(void *unused)
{
	(void)prctl(PR_SET_NAME, "consumer");
	for (int i = 0; i < 30; i++) {
		(void)pthread_mutex_lock(&inside);
		while (queued == 0)
			(void)pthread_cond_wait(&has_items, &inside);
		queued--;
		(void)pthread_cond_signal(&has_room);
		(void)pthread_mutex_unlock(&inside);
		nap(2000000);
	}
	return unused;
}

static void run_serial(void)
{
	for (int i = 0; i < 20; i++) {
		burn(500000);
		nap(1500000);
	}
}

static void run_threads(void *(*const run[3])(void *))
{
	pthread_t thread[3];
	size_t count = 0;

	for (; count < 3 && run[count]; count++)
		thread[count] = truth_thread(run[count], NULL);
	for (size_t i = 0; i < count; i++)
		(void)pthread_join(thread[i], NULL);
}

static void run_join(void)
{
	run_threads((void *(*const[3])(void *)){sleeper, burner});
}

static void run_lock(void)
{
	run_threads((void *(*const[3])(void *)){holder, holder, holder});
}

static void run_pipe(void)
{
	run_threads((void *(*const[3])(void *)){producer, consumer});
}

static void run_beside_neighbour(void)
{
	for (int i = 0; i < 40; i++)
		burn(1000000);
}

static void be_realtime(int priority)
{
	const struct sched_param param = {.sched_priority = priority};
	const struct rlimit limit = {RUNS_US, RUNS_US};

	truth_may(setrlimit(RLIMIT_RTTIME, &limit) == 0 &&
	                  sched_setscheduler(0, SCHED_FIFO, &param) == 0,
	          "SCHED_FIFO");
	(void)alarm(SECONDS);
}

static pid_t neighbour_begin(void)
{
	pid_t child = fork();

	truth_must(child >= 0, "fork");
	if (child > 0)
		return child;
	(void)prctl(PR_SET_NAME, "neighbour");
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	be_realtime(NEIGHBOUR);
	for (;;) {
		burn((uint64_t)(1000000 * factor));
		truth_sleep(1500000);
	}
}

int main(int argc, char **argv)
{
	static const struct {
		const char *mode;
		void (*run)(void);
	} modes[] = {
		{"serial", run_serial}, {"join", run_join}, {"lock", run_lock},
		{"pipe", run_pipe},     {"neighbour", run_beside_neighbour},
	};
	void (*run)(void) = NULL;
	pid_t neighbour = 0;
	uint64_t begin, end;

	for (size_t i = 0; argc > 2 && i < sizeof(modes) / sizeof(*modes); i++)
		if (strcmp(argv[1], modes[i].mode) == 0)
			run = modes[i].run;
	truth_must(run != NULL, "MODE FACTOR");
	factor = strtod(argv[2], NULL);
	if (run == run_beside_neighbour) {
		(void)truth_pin(1);
		neighbour = neighbour_begin();
		truth_sleep(TRUTH_PAUSE_NS * 4); /* it has begun */
	}
	be_realtime(ALL);
	begin = truth_now();
	run();
	end = truth_now();
	if (neighbour) {
		(void)kill(neighbour, SIGKILL);
		(void)waitpid(neighbour, NULL, 0);
	}
	printf("%d %ju %ju\n", truth_tid(), (uintmax_t)begin, (uintmax_t)end);
	return 0;
}
