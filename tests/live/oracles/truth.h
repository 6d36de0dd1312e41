/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What an oracle knows of its own waits, printed at its end in the words that truth_check reads,
 * one fact a line:
 *
 *	wait tid=N begin=NS end=NS [least=NS] [kind=K[|K...]] [CAUSE...] [state=LETTER]
 *	     [open=BOOL] [for_work=BOOL] [woken_from=NS woken_to=NS]
 *		N waited at least `least` ns between begin and end, for that, and was woken
 *		between the two instants
 *	path tid=N begin=NS end=NS [least=NS] [most=NS] [of=N] [state=S[|S...]]
 *	     [kind=K[|K...]] [depth=N] [CAUSE...]
 *		of N's critical path between begin and end so many ns are such parts
 *	rival tid=N of=N [least=NS] [most=NS]
 *		so long another task had the CPU while the path of the first was runnable
 *	net remote=ADDRESS:PORT|reason=NAME|server=ADDRESS:PORT what=KEY [least=NUMBER]
 *	     [most=NUMBER]
 *		the rows of --net of that remote end, the drops for that reason, or the requests
 *		that a server took there, added; `what` is a key of the row, true counts as 1
 *	total tid=N what=KEY [least=NUMBER] [most=NUMBER]
 *		the rows of that tid in the summary, added; `what` is a key of the row, or rows:
 *		how many there are
 *	lock tid=N what=waiters|owners kind=flock|posix number=INODE [least=NS] [most=NS]
 *		so long that tid waited for, or had, what --lock tells of the locks of that file
 *	row list=VIEW.LIST[...] what=KEY[+KEY] [is=KEY:VALUE]... [least=NUMBER] [most=NUMBER]
 *	     [begin=NS end=NS] [tid=N period=NS]
 *		the same of any list of a view, with --from and --to where an end is given: those
 *		rows whose member at KEY, a path as in task.tid or lost_to.0.kind, is that;
 *		with --period and --tid where a period is given
 *
 * CAUSE: name=NAME peer=ADDRESS:PORT number=N waker=N sender=N stopper=N not_waker=N own=BOOL
 * late=BOOL retransmits=N held_back=BOOL request=ADDRESS:PORT|udp|none for=WORDS ("_" for spaces).
 * With one kind the cause must have the named members; with alternatives they must only not
 * contradict, since not every kind has them.
 *
 * Times are CLOCK_MONOTONIC, the clock of `ftwait record`. Facts are kept in memory until
 * truth_print(), so that telling them causes no waits; a forked child has its own and prints them
 * itself. Oracles exit with 77 and a reason on standard error where the machine cannot do what
 * they need.
 */
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TRUTH_ROUNDS   20
#define TRUTH_PAUSE_NS 5000000u

uint64_t truth_now(void);
/* What the calling thread has run so far, says the scheduler, without what a host has stolen. */
uint64_t truth_cpu_time(void);
/* What it has been kept waiting for a CPU, says the scheduler; skips where that is not counted. */
uint64_t truth_run_delay(void);
/* Of two the difference: longer the calling thread was not awake meanwhile. All that a host has
   stolen from this machine counts, which is told in steps of some ms. */
uint64_t truth_awake(void);
/* How often the calling thread went to sleep, says the scheduler. */
uint64_t truth_sleeps(void);
int truth_tid(void);
void truth_sleep(uint64_t duration);
/* Whether the kernel is of that release or a later one. */
bool truth_kernel(unsigned major, unsigned minor);
/* Keeps the CPU busy. */
void truth_spin(uint64_t duration);
/* Pins the calling thread; false where that CPU may not be used. */
bool truth_pin(unsigned cpu);
/* A thread, or the oracle ends. */
pthread_t truth_thread(void *(*run)(void *), void *argument);
/* Zeroed memory that children share; never released. */
void *truth_shared(size_t bytes);
void truth_add(const char *format, ...) __attribute__((format(printf, 1, 2)));

/*
 * A wait of the calling thread. On a busy machine it may be preempted after it took the time and
 * before it waits; the scheduler counts that, and such a wait is no fact. A fact ends where the
 * other side is about to end the wait, not where the waiter is back on a CPU.
 */
struct truth_wait {
	uint64_t begin;
	uint64_t preemptions;
	bool is_sure;
};

void truth_wait_begin(struct truth_wait *wait);
void truth_wait_end(struct truth_wait *wait);
/*
 * How long the thread has surely waited before `end`; 0: do not tell. The second is how much of it
 * lay in the nap of another one, which truth_nap() is: a sleep of TRUTH_PAUSE_NS; 0 too where that
 * one was preempted on its way to sleep.
 */
uint64_t truth_wait_least(const struct truth_wait *wait, uint64_t end);
void truth_nap(struct truth_wait *ret_nap);
uint64_t truth_wait_nap_least(const struct truth_wait *wait, const struct truth_wait *nap);
/*
 * A thread that counts its own sleeps: it calls begin, sleeps, calls end, which runs on a while.
 * Then anybody may tell: nearly all of its sleeps are there, none is left open, and afterwards it
 * ran.
 */
struct truth_sleeper {
	int tid;
	uint64_t begin, middle, end; /* it slept until middle, then ran until end */
	uint64_t sleeps;
};

void truth_sleeper_begin(struct truth_sleeper *sleeper);
void truth_sleeper_end(struct truth_sleeper *sleeper);
void truth_sleeper_print(const struct truth_sleeper *sleeper);
/* Prints all facts; returns the exit status. */
int truth_print(void);
_Noreturn void truth_skip(const char *why);
/* Skips where a call that the machine may refuse has failed, and names the errno. */
void truth_may(bool is_fine, const char *what);
/* Ends the oracle with status 1 where a call that must work has failed. */
void truth_must(bool is_fine, const char *what);
