/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "truth.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#define FACTS_BYTES (1u << 20)
/* How long a task that counts its sleeps runs on after the last one. */
#define AFTER_NS    20000000u

static char facts[FACTS_BYTES];
static size_t facts_length;
static pthread_mutex_t facts_lock = PTHREAD_MUTEX_INITIALIZER;

uint64_t truth_now(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

uint64_t truth_cpu_time(void)
{
	struct timespec ran;

	truth_must(clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ran) == 0, "clock_gettime");
	return (uint64_t)ran.tv_sec * 1000000000u + (uint64_t)ran.tv_nsec;
}

uint64_t truth_run_delay(void)
{
	FILE *file = fopen("/proc/thread-self/schedstat", "re");
	uint64_t delay = 0;

	truth_may(file && fscanf(file, "%*u %" SCNu64, &delay) == 1, "/proc/thread-self/schedstat");
	(void)fclose(file);
	return delay;
}

static uint64_t stolen(void)
{
	FILE *file = fopen("/proc/stat", "re");
	uint64_t ticks = 0;

	truth_must(file != NULL, "/proc/stat");
	/* older kernels do not tell it */
	(void)!fscanf(file, "cpu %*u %*u %*u %*u %*u %*u %*u %" SCNu64, &ticks);
	(void)fclose(file);
	return ticks * (1000000000u / (uint64_t)sysconf(_SC_CLK_TCK));
}

uint64_t truth_awake(void)
{
	return truth_cpu_time() + truth_run_delay() + stolen();
}

uint64_t truth_sleeps(void)
{
	struct rusage usage;

	truth_must(getrusage(RUSAGE_THREAD, &usage) == 0, "getrusage");
	return (uint64_t)usage.ru_nvcsw;
}

int truth_tid(void)
{
	return gettid();
}

void truth_sleep(uint64_t duration)
{
	struct timespec pause = {.tv_sec = (time_t)(duration / 1000000000u),
	                         .tv_nsec = (long)(duration % 1000000000u)};

	while (nanosleep(&pause, &pause) < 0 && errno == EINTR)
		;
}

bool truth_kernel(unsigned major, unsigned minor)
{
	struct utsname name;
	unsigned release[2] = {0};

	truth_must(uname(&name) == 0 &&
	           sscanf(name.release, "%u.%u", &release[0], &release[1]) == 2, "uname");
	return release[0] > major || (release[0] == major && release[1] >= minor);
}

void truth_spin(uint64_t duration)
{
	uint64_t end = truth_now() + duration;

	while (truth_now() < end)
		;
}

bool truth_pin(unsigned cpu)
{
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	CPU_SET(cpu, &cpus);
	return sched_setaffinity(0, sizeof(cpus), &cpus) == 0;
}

/* How often the calling thread was taken off the CPU against its will. */
static uint64_t preemptions(void)
{
	struct rusage usage;

	truth_must(getrusage(RUSAGE_THREAD, &usage) == 0, "getrusage");
	return (uint64_t)usage.ru_nivcsw;
}

void truth_wait_begin(struct truth_wait *wait)
{
	wait->preemptions = preemptions();
	wait->begin = truth_now();
}

void truth_wait_end(struct truth_wait *wait)
{
	wait->is_sure = preemptions() == wait->preemptions;
}

uint64_t truth_wait_least(const struct truth_wait *wait, uint64_t end)
{
	if (!wait->is_sure || end < wait->begin + TRUTH_PAUSE_NS / 5)
		return 0;
	return (end - wait->begin) / 10 * 9;
}

void truth_nap(struct truth_wait *ret_nap)
{
	truth_wait_begin(ret_nap);
	truth_sleep(TRUTH_PAUSE_NS);
	truth_wait_end(ret_nap);
}

uint64_t truth_wait_nap_least(const struct truth_wait *wait, const struct truth_wait *nap)
{
	struct truth_wait napped = *wait;

	if (napped.begin < nap->begin)
		napped.begin = nap->begin;
	napped.is_sure &= nap->is_sure;
	return truth_wait_least(&napped, nap->begin + TRUTH_PAUSE_NS);
}

pthread_t truth_thread(void *(*run)(void *), void *argument)
{
	pthread_t thread;

	truth_must(pthread_create(&thread, NULL, run, argument) == 0, "pthread_create");
	return thread;
}

void *truth_shared(size_t bytes)
{
	void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	truth_must(memory != MAP_FAILED, "mmap");
	return memory;
}

void truth_add(const char *format, ...)
{
	va_list arguments;
	int length;

	(void)pthread_mutex_lock(&facts_lock);
	va_start(arguments, format);
	length = vsnprintf(facts + facts_length, FACTS_BYTES - facts_length, format, arguments);
	va_end(arguments);
	if (length > 0 && (size_t)length < FACTS_BYTES - facts_length)
		facts_length += (size_t)length;
	(void)pthread_mutex_unlock(&facts_lock);
}

void truth_sleeper_begin(struct truth_sleeper *sleeper)
{
	sleeper->tid = truth_tid();
	sleeper->begin = truth_now();
}

void truth_sleeper_end(struct truth_sleeper *sleeper)
{
	sleeper->middle = truth_now();
	truth_spin(AFTER_NS);
	sleeper->end = truth_now();
	sleeper->sleeps = truth_sleeps();
}

void truth_sleeper_print(const struct truth_sleeper *sleeper)
{
	truth_add("path tid=%d begin=%ju end=%ju least=%ju state=running|runnable\n", sleeper->tid,
	          sleeper->middle, sleeper->end, (sleeper->end - sleeper->middle) / 10 * 9);
	truth_add("total tid=%d what=waits least=%ju most=%ju\n", sleeper->tid,
	          sleeper->sleeps - sleeper->sleeps / 50,
	          sleeper->sleeps + sleeper->sleeps / 50 + 2);
	truth_add("total tid=%d what=open_ns most=0\n", sleeper->tid);
}

int truth_print(void)
{
	return fwrite(facts, 1, facts_length, stdout) == facts_length && !fflush(stdout)
	               ? EXIT_SUCCESS
	               : EXIT_FAILURE;
}

void truth_skip(const char *why)
{
	fprintf(stderr, "%s\n", why);
	exit(77);
}

void truth_may(bool is_fine, const char *what)
{
	if (is_fine)
		return;
	fprintf(stderr, "%s: %s (errno %d)\n", what, strerror(errno), errno);
	exit(77);
}

void truth_must(bool is_fine, const char *what)
{
	if (is_fine)
		return;
	fprintf(stderr, "%s: %s\n", what, strerror(errno));
	exit(EXIT_FAILURE);
}
