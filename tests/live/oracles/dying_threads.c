/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dying_threads exit|main|kill|term|fault|exec: threads of a child that wait - at a mutex that one
 * of them holds, for a condition, for data from a pipe, for a time - until the child ends: by one
 * thread's _exit(), as its first thread returns, by a signal of the parent, by a fault, or as one
 * thread executes a program. The end of the child is what ended each wait. The task that caused it
 * never had what they waited for.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "truth.h"

#define ASLEEP_NS 200000000u   /* until all threads wait */
#define LONG_NS   30000000000u /* for longer than the child lives */

enum waiter {
	HOLDER, /* of the mutex; it sleeps */
	LOCKER,
	CONDITION,
	READER,
	WAITERS,
};

static const char *const kinds[WAITERS] = {"time", "lock", "condition", "pipe"};

/* What the child and the parent share. */
static volatile struct {
	int tid[WAITERS];
	int ender; /* the thread, or the parent, that ends the child */
} *seen;

static pthread_mutex_t held = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int ends[2];
static const char *how;

static void *wait_run(void *argument)
{
	enum waiter waiter = (enum waiter)(intptr_t)argument;
	char byte;

	if (waiter == HOLDER)
		(void)pthread_mutex_lock(&held);
	if (waiter == CONDITION)
		(void)pthread_mutex_lock(&other);
	seen->tid[waiter] = truth_tid();
	if (waiter == HOLDER)
		truth_sleep(LONG_NS);
	else if (waiter == LOCKER)
		(void)pthread_mutex_lock(&held);
	else if (waiter == CONDITION)
		(void)pthread_cond_wait(&condition, &other);
	else
		(void)(read(ends[0], &byte, 1) + 1);
	return NULL;
}

static void *end_run(void *unused)
{
	truth_sleep(ASLEEP_NS);
	seen->ender = truth_tid();
	if (strcmp(how, "exit") == 0)
		_exit(0);
	if (strcmp(how, "exec") == 0)
		(void)execl("/proc/self/exe", "dying_threads", "over", (char *)NULL);
	if (strcmp(how, "fault") == 0)
		(void)raise(SIGSEGV);
	return unused;
}

static int child_run(void)
{
	const struct rlimit none = {0};

	truth_must(setrlimit(RLIMIT_CORE, &none) == 0, "setrlimit");
	for (enum waiter waiter = HOLDER; waiter < WAITERS; waiter++) {
		(void)truth_thread(wait_run, (void *)(intptr_t)waiter);
		while (!seen->tid[waiter])
			(void)usleep(1000);
	}
	if (strcmp(how, "main") == 0) {
		(void)end_run(NULL);
		return 0;
	}
	if (strcmp(how, "kill") != 0 && strcmp(how, "term") != 0)
		(void)truth_thread(end_run, NULL);
	truth_sleep(LONG_NS);
	return 1;
}

static void facts_add(enum waiter waiter)
{
	int tid = seen->tid[waiter], ender = seen->ender;

	truth_must(tid != 0 && ender != 0, "the child ended too early");
	/* nothing shows that a word at which nobody was ever woken is a condition, and no
	   semaphore */
	if (waiter != CONDITION)
		truth_add("row list=waits is=task.tid:%d is=aim.kind:%s is=aim.ended:death"
		          " what=rows least=1 most=1\n",
		          tid, kinds[waiter]);
	truth_add("row list=waits is=task.tid:%d is=cause.kind:signal is=cause.name:SIGKILL"
	          " what=rows least=1 most=1\n",
	          tid);
	truth_add("row list=waits is=task.tid:%d is=aim.kind:%s is=aim.holders.0.tid:%d what=rows"
	          " most=0\n",
	          tid, kinds[waiter], ender);
	truth_add("row list=lock.locks is=waiters.0.task.tid:%d is=owners.0.task.tid:%d what=rows"
	          " most=0\n",
	          tid, ender);
	if (waiter == LOCKER)
		truth_add("row list=lock.locks is=waiters.0.task.tid:%d is=kind:futex what=slept_ns"
		          " least=%u\n",
		          tid, ASLEEP_NS / 2);
}

int main(int argc, char **argv)
{
	int pid, status;

	how = argc > 1 ? argv[1] : "exit";
	if (strcmp(how, "over") == 0)
		return 0;
	seen = truth_shared(sizeof(*seen));
	truth_must(pipe(ends) == 0, "pipe");
	pid = fork();
	truth_must(pid >= 0, "fork");
	if (pid == 0)
		return child_run();
	if (strcmp(how, "kill") == 0 || strcmp(how, "term") == 0) {
		truth_sleep(ASLEEP_NS * 2);
		seen->ender = getpid();
		(void)kill(pid, strcmp(how, "kill") == 0 ? SIGKILL : SIGTERM);
	}
	truth_must(waitpid(pid, &status, 0) == pid, "waitpid");
	for (enum waiter waiter = HOLDER; waiter < WAITERS; waiter++)
		facts_add(waiter);
	return truth_print();
}
