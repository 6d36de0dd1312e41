/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two threads read one open file, whose position a mutex of the kernel guards. The first one's
 * buffer is there late: it sleeps with that mutex for as long as the third thread likes,
 * and the second one sleeps for it. Sleeps that come after that are for no lock: one that a write
 * to a pipe ends, one that a timer ends, and one that does not end in the recording.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "late_pages.h"
#include "truth.h"

/* Of the wait that does not end. */
#define OPEN_NS 50000000u
/* By then the recording has ended. */
#define ALARM_SECONDS 10u

struct final {
	int tid;
	uint64_t begin;
	bool is_reported; /* what came before */
};

static struct final *final;
static int file, pipe_ends[2], never[2];
static char *pages;
static int holder_tid, server_tid;
static uint64_t given_up[TRUTH_ROUNDS], written[TRUTH_ROUNDS];
static pthread_barrier_t round_begin, held, round_end;

static void file_begin(void)
{
	char name[] = "/tmp/ftwait-oracle.XXXXXX";

	file = mkstemp(name);
	truth_must(file >= 0 && unlink(name) == 0, "mkstemp");
	truth_must(ftruncate(file, 4096) == 0, "ftruncate");
}

/* Has the mutex until its page is there. */
static void *holder_run(void *unused)
{
	holder_tid = truth_tid();
	for (int i = 0; i < TRUTH_ROUNDS; i++) {
		(void)pthread_barrier_wait(&round_begin);
		truth_must(read(file, pages + i * (int)late_page_bytes(), 1) == 1, "read");
		(void)pthread_barrier_wait(&round_end);
	}
	return unused;
}

static void waiter_round(int round)
{
	struct truth_wait wait;
	uint64_t least, begin;
	char byte;

	(void)pthread_barrier_wait(&round_begin);
	(void)pthread_barrier_wait(&held);
	truth_wait_begin(&wait);
	truth_must(read(file, &byte, 1) == 1, "read");
	truth_wait_end(&wait);
	least = truth_wait_least(&wait, given_up[round]);
	if (least)
		truth_add("wait tid=%d begin=%ju end=%ju least=%ju kind=lock waker=%d state=D\n",
		          truth_tid(), wait.begin, given_up[round], least, holder_tid);
	truth_wait_begin(&wait);
	truth_must(read(pipe_ends[0], &byte, 1) == 1, "read");
	truth_wait_end(&wait);
	least = truth_wait_least(&wait, written[round]);
	if (least)
		truth_add("wait tid=%d begin=%ju end=%ju least=%ju kind=task waker=%d state=S\n",
		          truth_tid(), wait.begin, written[round], least, server_tid);
	begin = truth_now();
	truth_sleep(TRUTH_PAUSE_NS);
	truth_add("wait tid=%d begin=%ju end=%ju least=%u kind=timer own=true\n", truth_tid(), begin,
	          truth_now(), TRUTH_PAUSE_NS / 10 * 9);
	(void)pthread_barrier_wait(&round_end);
}

static void *waiter_run(void *unused)
{
	char byte;

	for (int i = 0; i < TRUTH_ROUNDS; i++)
		waiter_round(i);
	final->tid = truth_tid();
	__atomic_store_n(&final->begin, truth_now(), __ATOMIC_RELEASE);
	(void)read(never[0], &byte, 1);
	return unused;
}

/* Lets the holder go on, and later the waiter. */
static void server_round(int round)
{
	struct truth_wait nap;

	(void)pthread_barrier_wait(&round_begin);
	late_page_await();
	(void)pthread_barrier_wait(&held);
	truth_nap(&nap);
	given_up[round] = truth_now();
	late_page_fill(pages + round * (int)late_page_bytes());
	truth_nap(&nap);
	written[round] = truth_now();
	truth_must(write(pipe_ends[1], "x", 1) == 1, "write");
	(void)pthread_barrier_wait(&round_end);
}

static _Noreturn void threads_run(void)
{
	(void)alarm(ALARM_SECONDS);
	server_tid = truth_tid();
	(void)pthread_barrier_init(&round_begin, NULL, 3);
	(void)pthread_barrier_init(&held, NULL, 2);
	(void)pthread_barrier_init(&round_end, NULL, 3);
	(void)truth_thread(holder_run, NULL);
	(void)truth_thread(waiter_run, NULL);
	for (int i = 0; i < TRUTH_ROUNDS; i++)
		server_round(i);
	while (!__atomic_load_n(&final->begin, __ATOMIC_ACQUIRE))
		truth_sleep(TRUTH_PAUSE_NS);
	if (truth_print() != EXIT_SUCCESS)
		_exit(EXIT_FAILURE);
	__atomic_store_n(&final->is_reported, true, __ATOMIC_RELEASE);
	(void)pause();
	_exit(EXIT_FAILURE);
}

int main(void)
{
	uint64_t end;
	pid_t child;

	final = truth_shared(sizeof(*final));
	truth_must(pipe(pipe_ends) == 0 && pipe(never) == 0, "pipe");
	file_begin();
	child = fork();
	truth_must(child >= 0, "fork");
	if (child == 0) {
		pages = late_pages_new(TRUTH_ROUNDS);
		threads_run();
	}
	while (!__atomic_load_n(&final->is_reported, __ATOMIC_ACQUIRE)) {
		int status;

		/* it says why itself */
		if (waitpid(child, &status, WNOHANG) == child)
			return WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_FAILURE;
		truth_sleep(TRUTH_PAUSE_NS);
	}
	truth_sleep(OPEN_NS);
	end = truth_now();
	truth_add("wait tid=%d begin=%ju end=%ju least=%u open=true kind=unknown state=S\n",
	          final->tid, final->begin, end, OPEN_NS / 10 * 9);
	return truth_print();
}
