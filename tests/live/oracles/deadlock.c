/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two threads of a process that outlives the recording each hold a mutex and want the other's:
 * both wait at the end of the trace, for nobody that could be named.
 */
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "truth.h"

#define DEADLOCK_NS 50000000u
/* By then the recording has ended. */
#define ALARM_SECONDS 3u

struct party {
	int tid;
	uint64_t begin;
};

static struct party *parties;
static pthread_mutex_t locks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static pthread_barrier_t both_hold;

static void *party_run(void *position)
{
	uintptr_t index = (uintptr_t)position;

	parties[index].tid = truth_tid();
	(void)pthread_mutex_lock(&locks[index]);
	(void)pthread_barrier_wait(&both_hold);
	parties[index].begin = truth_now();
	(void)pthread_mutex_lock(&locks[1 - index]);
	return NULL;
}

static _Noreturn void deadlock_run(void)
{
	(void)alarm(ALARM_SECONDS);
	(void)pthread_barrier_init(&both_hold, NULL, 2);
	(void)truth_thread(party_run, (void *)(uintptr_t)0);
	(void)pthread_join(truth_thread(party_run, (void *)(uintptr_t)1), NULL);
	_exit(EXIT_FAILURE);
}

int main(void)
{
	uint64_t end;
	pid_t child;

	parties = truth_shared(2 * sizeof(*parties));
	child = fork();
	truth_must(child >= 0, "fork");
	if (child == 0)
		deadlock_run();
	while (!__atomic_load_n(&parties[0].begin, __ATOMIC_ACQUIRE) ||
	       !__atomic_load_n(&parties[1].begin, __ATOMIC_ACQUIRE))
		truth_sleep(TRUTH_PAUSE_NS);
	truth_sleep(DEADLOCK_NS);
	end = truth_now();
	for (int i = 0; i < 2; i++) {
		const struct party *party = &parties[i];

		truth_add("wait tid=%d begin=%ju end=%ju least=%u open=true kind=unknown state=S\n",
		          party->tid, party->begin, end, DEADLOCK_NS / 10 * 9);
		truth_add("path tid=%d begin=%ju end=%ju least=%u of=%d depth=0 state=waiting\n",
		          party->tid, party->begin, end, DEADLOCK_NS / 10 * 9, party->tid);
		truth_add("total tid=%d what=open_ns least=%u\n", party->tid, DEADLOCK_NS);
	}
	return truth_print();
}
