/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A thread that counts its system calls and how each of them ended, and knows how long it slept in
 * them, and one that ran in them: --syscall must say the same.
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "truth.h"

#define CALLS_FINE   40
#define CALLS_ABSENT 7
#define CALLS_BAD    5
#define NAPS         15
#define ZERO_BYTES   (1u << 20)

static int tid;

static void print_exactly(const char *name, const char *what, unsigned count)
{
	truth_add("row list=syscall.calls is=task.tid:%d is=name:%s what=%s least=%u most=%u\n",
	          tid, name, what, count, count);
}

static void print_between(const char *name, const char *what, uint64_t least, uint64_t most)
{
	truth_add("row list=syscall.calls is=task.tid:%d is=name:%s what=%s least=%ju most=%ju\n",
	          tid, name, what, least, most);
}

static void make_errors(void)
{
	for (unsigned i = 0; i < CALLS_FINE; i++)
		truth_must(syscall(SYS_faccessat, AT_FDCWD, "/", F_OK) == 0, "/");
	for (unsigned i = 0; i < CALLS_ABSENT; i++)
		truth_must(syscall(SYS_faccessat, AT_FDCWD, "/nothing/here", F_OK) < 0 &&
		                   errno == ENOENT, "what is not there");
	for (unsigned i = 0; i < CALLS_BAD; i++)
		truth_must(fchdir(-1) < 0 && errno == EBADF, "no descriptor");
	print_exactly("faccessat", "latency.count", CALLS_FINE + CALLS_ABSENT);
	print_exactly("faccessat", "errors.-2", CALLS_ABSENT);
	print_exactly("fchdir", "latency.count", CALLS_BAD);
	print_exactly("fchdir", "errors.-9", CALLS_BAD);
	truth_add("row list=syscall.by_call is=name:fchdir what=failed least=%u most=%u\n",
	          CALLS_BAD, CALLS_BAD);
	truth_add("row list=syscall.errors is=name:fchdir is=error:EBADF is=task.tid:%d "
	          "what=task_count least=%u most=%u\n", tid, CALLS_BAD, CALLS_BAD);
	truth_add("row list=syscall.errors is=name:faccessat is=error:ENOENT is=task.tid:%d "
	          "what=task_count least=%u most=%u\n", tid, CALLS_ABSENT, CALLS_ABSENT);
	truth_add("row list=syscall.by_process is=process.tid:%d what=tasks least=2 most=2\n",
	          (int)getpid());
	truth_add("row list=syscall.by_process is=process.tid:%d what=failed least=%u\n",
	          (int)getpid(), CALLS_ABSENT + CALLS_BAD);
}

static void make_naps(void)
{
	/* as the call of that number has it on machines of 32 bits too */
	struct {
		long seconds, nanoseconds;
	} nap = {0, TRUTH_PAUSE_NS};
	uint64_t begin = truth_now(), took;

	for (unsigned i = 0; i < NAPS; i++)
		truth_must(syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, &nap, NULL) == 0,
		           "clock_nanosleep");
	took = truth_now() - begin;
	print_exactly("clock_nanosleep", "latency.count", NAPS);
	print_between("clock_nanosleep", "latency.total_ns", NAPS * TRUTH_PAUSE_NS, took);
	print_between("clock_nanosleep", "waiting_ns.timer", NAPS * TRUTH_PAUSE_NS / 10 * 9, took);
	truth_add("row list=syscall.slowest is=task.tid:%d is=name:clock_nanosleep what=time_ns "
	          "least=%ju most=%ju\n", tid, (uintmax_t)NAPS * TRUTH_PAUSE_NS, (uintmax_t)took);
}

/* Of calls that never sleep. */
static void make_work(void)
{
	static char memory[ZERO_BYTES];
	int zero = open("/dev/zero", O_RDONLY | O_CLOEXEC);
	uint64_t took = 0, ran = 0;

	truth_must(zero >= 0, "/dev/zero");
	for (unsigned i = 0; i < NAPS; i++) {
		uint64_t begin = truth_now(), ran_before = truth_cpu_time();

		truth_must(syscall(SYS_pread64, zero, memory, sizeof(memory), 0) ==
		                   (long)sizeof(memory), "/dev/zero");
		ran += truth_cpu_time() - ran_before;
		took += truth_now() - begin;
	}
	print_exactly("pread64", "latency.count", NAPS);
	print_exactly("pread64", "bytes", NAPS * ZERO_BYTES);
	print_between("pread64", "latency.total_ns", ran / 2, took);
	print_between("pread64", "running_ns", ran / 2, took);
	(void)close(zero);
}

/* Its calls are those alone, and what the C library needs to begin and end a thread. */
static void *caller_run(void *unused)
{
	tid = truth_tid();
	make_errors();
	make_naps();
	make_work();
	return unused;
}

int main(void)
{
	pthread_t caller = truth_thread(caller_run, NULL);

	(void)pthread_join(caller, NULL);
	truth_sleep(TRUTH_PAUSE_NS);
	return truth_print();
}
