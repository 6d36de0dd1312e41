/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stalls COUNT MARKER: a thread "victim" is held up COUNT times for 150 to 300 ms, at random times
 * more than a second apart: by turns a flock, a pipe and a mutex that another thread, "holder", has
 * or has to write to. Meanwhile a thread writes numbered marks to the file MARKER (a trace_marker).
 * Prints, with times of CLOCK_MONOTONIC, for tests that look for these stalls:
 *
 *	stall NUMBER flock|pipe|mutex VICTIM HOLDER BEGIN END	waits after BEGIN, until after END
 *	mark NUMBER BEFORE AFTER	written between these, as "tick NUMBER."
 *
 * With COUNT 0 it writes marks until its standard input ends.
 */
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "truth.h"

#define MS UINT64_C(1000000)

enum way { BY_FLOCK, BY_PIPE, BY_MUTEX, WAY_COUNT };

static const char *const way_names[] = {"flock", "pipe", "mutex"};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t round_begin, held, round_end;
static int file_of_holder, file_of_victim, pipe_ends[2], holder_tid;
static unsigned count;
static uint64_t length; /* of this round's stall */
static uint64_t given_up;
static atomic_bool is_over;

static void hold(enum way way)
{
	if (way == BY_FLOCK)
		truth_must(flock(file_of_holder, LOCK_EX) == 0, "flock");
	else if (way == BY_MUTEX)
		(void)pthread_mutex_lock(&lock);
}

static void give_up(enum way way)
{
	given_up = truth_now();
	if (way == BY_FLOCK)
		truth_must(flock(file_of_holder, LOCK_UN) == 0, "flock");
	else if (way == BY_MUTEX)
		(void)pthread_mutex_unlock(&lock);
	else
		truth_must(write(pipe_ends[1], "x", 1) == 1, "write");
}

static void *holder_run(void *unused)
{
	(void)prctl(PR_SET_NAME, "holder");
	holder_tid = truth_tid();
	for (unsigned i = 0; i < count; i++) {
		(void)pthread_barrier_wait(&round_begin);
		hold((enum way)(i % WAY_COUNT));
		(void)pthread_barrier_wait(&held);
		truth_sleep(length);
		give_up((enum way)(i % WAY_COUNT));
		(void)pthread_barrier_wait(&round_end);
	}
	return unused;
}

static void be_held_up(enum way way)
{
	char byte;

	if (way == BY_FLOCK) {
		truth_must(flock(file_of_victim, LOCK_EX) == 0, "flock");
		truth_must(flock(file_of_victim, LOCK_UN) == 0, "flock");
	} else if (way == BY_PIPE) {
		truth_must(read(pipe_ends[0], &byte, 1) == 1, "read");
	} else {
		(void)pthread_mutex_lock(&lock);
		(void)pthread_mutex_unlock(&lock);
	}
}

static void *victim_run(void *unused)
{
	(void)prctl(PR_SET_NAME, "victim");
	for (unsigned i = 0; i < count; i++) {
		enum way way = (enum way)(i % WAY_COUNT);
		uint64_t begin;

		truth_sleep((1200 + (uint64_t)rand() % 600) * MS);
		length = (150 + (uint64_t)rand() % 150) * MS;
		(void)pthread_barrier_wait(&round_begin);
		(void)pthread_barrier_wait(&held);
		begin = truth_now();
		be_held_up(way);
		(void)pthread_barrier_wait(&round_end);
		truth_add("stall %u %s %d %d %ju %ju\n", i, way_names[way], truth_tid(), holder_tid,
		          (uintmax_t)begin, (uintmax_t)given_up);
	}
	return unused;
}

static void *marker_run(void *path)
{
	int marker = open(path, O_WRONLY | O_CLOEXEC);

	(void)prctl(PR_SET_NAME, "marker");
	truth_may(marker >= 0, "opening trace_marker");
	for (unsigned number = 0; !is_over; number++) {
		uint64_t before = truth_now();
		bool is_written = dprintf(marker, "tick %u.\n", number) > 0;

		/* nothing is written while tracing is off at the top level */
		truth_may(is_written || number > 0, "writing to trace_marker");
		if (is_written)
			truth_add("mark %u %ju %ju\n", number, (uintmax_t)before,
			          (uintmax_t)truth_now());
		truth_sleep(10 * MS);
	}
	(void)close(marker);
	return NULL;
}

int main(int argc, char **argv)
{
	char path[] = "stalls.XXXXXX";
	pthread_t marker, holder, victim;

	truth_must(argc == 3, "two arguments: COUNT MARKER");
	count = (unsigned)strtoul(argv[1], NULL, 10);
	srand((unsigned)truth_now());
	file_of_holder = mkstemp(path);
	file_of_victim = open(path, O_RDWR | O_CLOEXEC);
	truth_must(file_of_holder >= 0 && file_of_victim >= 0 && unlink(path) == 0, path);
	truth_must(pipe(pipe_ends) == 0, "pipe");
	(void)pthread_barrier_init(&round_begin, NULL, 2);
	(void)pthread_barrier_init(&held, NULL, 2);
	(void)pthread_barrier_init(&round_end, NULL, 2);
	marker = truth_thread(marker_run, argv[2]);
	holder = truth_thread(holder_run, NULL);
	victim = truth_thread(victim_run, NULL);
	(void)pthread_join(victim, NULL);
	(void)pthread_join(holder, NULL);
	if (count == 0)
		truth_must(read(STDIN_FILENO, path, sizeof(path)) == 0, "standard input");
	else
		truth_sleep(2000 * MS);
	is_over = true;
	(void)pthread_join(marker, NULL);
	return truth_print();
}
