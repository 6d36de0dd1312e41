/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two threads write to one file, whose inode an rwsem of the kernel guards. The first one's bytes
 * come from a page that is there late: it sleeps with that lock for as long as the third
 * thread likes. --lock must have one lock of that kind with the second one's waiting, and the first
 * one as its owner.
 */
#include <stdlib.h>
#include <unistd.h>

#include "late_pages.h"
#include "truth.h"

static int file;
static char *pages;
static pthread_barrier_t faulted, round_end;
static int holder_tid, waiter_tid;
static uint64_t given_up[TRUTH_ROUNDS], least, most;

static void file_begin(void)
{
	char name[] = "/tmp/ftwait-oracle.XXXXXX";

	file = mkstemp(name);
	truth_must(file >= 0 && unlink(name) == 0, "mkstemp");
}

/* Has the lock until its page is there. */
static void *holder_run(void *unused)
{
	holder_tid = truth_tid();
	for (int i = 0; i < TRUTH_ROUNDS; i++) {
		truth_must(pwrite(file, pages + i * (int)late_page_bytes(), 1, 0) == 1, "pwrite");
		(void)pthread_barrier_wait(&round_end);
	}
	return unused;
}

static void *waiter_run(void *unused)
{
	waiter_tid = truth_tid();
	for (int i = 0; i < TRUTH_ROUNDS; i++) {
		struct truth_wait wait;

		(void)pthread_barrier_wait(&faulted);
		truth_wait_begin(&wait);
		truth_must(pwrite(file, "x", 1, 1) == 1, "pwrite");
		truth_wait_end(&wait);
		most += truth_now() - wait.begin;
		least += truth_wait_least(&wait, given_up[i]);
		(void)pthread_barrier_wait(&round_end);
	}
	return unused;
}

/* Lets the holder go on. */
static void server_round(int round)
{
	late_page_await();
	(void)pthread_barrier_wait(&faulted);
	truth_sleep(TRUTH_PAUSE_NS);
	given_up[round] = truth_now();
	late_page_fill(pages + round * (int)late_page_bytes());
	(void)pthread_barrier_wait(&round_end);
}

int main(void)
{
	pthread_t holder, waiter;

	file_begin();
	pages = late_pages_new(TRUTH_ROUNDS);
	(void)pthread_barrier_init(&faulted, NULL, 2);
	(void)pthread_barrier_init(&round_end, NULL, 3);
	holder = truth_thread(holder_run, NULL);
	waiter = truth_thread(waiter_run, NULL);
	for (int i = 0; i < TRUTH_ROUNDS; i++)
		server_round(i);
	(void)pthread_join(holder, NULL);
	(void)pthread_join(waiter, NULL);
	truth_add("row list=lock.locks is=kind:rwsem is=waiters.0.task.tid:%d what=slept_ns least=%ju"
	          " most=%ju\n", waiter_tid, least, most);
	truth_add("row list=lock.locks is=kind:rwsem is=waiters.0.task.tid:%d is=owners.0.task.tid:%d"
	          " what=owners.0.total_ns least=%ju most=%ju\n", waiter_tid, holder_tid,
	          least / 10 * 9, most);
	return truth_print();
}
