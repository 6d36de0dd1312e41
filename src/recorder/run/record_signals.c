/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "record_signals.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <time.h>
#include <unistd.h>

#include "base/data/array.h"

/*
 * A signal from a program counts as the same request as the last counted signal if it comes within
 * this time. For example, timeout(1) signals its child and then the whole group; when a terminal
 * closes, the shell repeats the signals of the kernel; and at a logout TERM and HUP are sent.
 */
#define SAME_WISH_MS 300

/*
 * Signals that would end the process; they end the recording instead, as otherwise the instance
 * would remain and the stream would have no end. Ignored signals stay ignored, as under nohup(1).
 */
static const int ending_signals[] = {
	SIGHUP,  SIGQUIT, SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGPOLL, SIGPWR, SIGXCPU,
#ifdef SIGSTKFLT /* not on MIPS and SPARC */
	SIGSTKFLT,
#endif
};

/* Global, as a handler can use only global objects; it may run in any thread. */
static atomic_int signal_count;
static atomic_int first_signal;
static atomic_bool first_was_sent;
static atomic_uint last_ms;
static int wake_pipe[2] = {-1, -1};

static void signals_wake(void)
{
	int error = errno;

	/* if the pipe is full, the reader wakes anyway */
	if (write(wake_pipe[1], "", 1) < 0)
		errno = error;
}

/* It wraps around, which does not matter, as only differences are used. */
static unsigned now_ms(void)
{
	struct timespec time;

	(void)clock_gettime(CLOCK_MONOTONIC, &time);
	return (unsigned)time.tv_sec * 1000u + (unsigned)time.tv_nsec / 1000000u;
}

static bool is_same_wish(int number, const siginfo_t *origin)
{
	bool is_typed = origin->si_code > 0 && number != SIGHUP;

	return !is_typed && signal_count > 0 && now_ms() - last_ms < SAME_WISH_MS;
}

static void on_end(int number, siginfo_t *origin, void *context)
{
	int none = 0;

	(void)context;
	if (is_same_wish(number, origin))
		return;
	last_ms = now_ms();
	if (atomic_compare_exchange_strong(&first_signal, &none, number))
		first_was_sent = origin->si_code <= 0;
	signal_count++;
	signals_wake();
}

static void on_child(int number, siginfo_t *origin, void *context)
{
	(void)number;
	(void)origin;
	(void)context;
	signals_wake();
}

/* Does nothing: the write fails with EFBIG, which is handled like a full disk. */
static void on_file_limit(int number, siginfo_t *origin, void *context)
{
	(void)number;
	(void)origin;
	(void)context;
}

static void signals_install(int number, void (*handler)(int, siginfo_t *, void *))
{
	/* Without SA_RESTART: the second signal must interrupt a write to a stuck pipe. */
	struct sigaction action = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO};

	(void)sigemptyset(&action.sa_mask);
	(void)sigaction(number, &action, NULL);
	/* the parent process may have blocked the signal */
	(void)sigemptyset(&action.sa_mask);
	(void)sigaddset(&action.sa_mask, number);
	(void)sigprocmask(SIG_UNBLOCK, &action.sa_mask, NULL);
}

static void signals_install_unless_ignored(int number)
{
	struct sigaction before;

	if (sigaction(number, NULL, &before) == 0 && before.sa_handler != SIG_IGN)
		signals_install(number, on_end);
}

int record_signals_begin(void)
{
	if (pipe2(wake_pipe, O_CLOEXEC | O_NONBLOCK) < 0)
		return -errno;
	/* shells start background jobs with SIGINT ignored; kill -INT must still end them */
	signals_install(SIGINT, on_end);
	signals_install(SIGTERM, on_end);
	for (size_t i = 0; i < ARRAY_SIZE(ending_signals); i++)
		signals_install_unless_ignored(ending_signals[i]);
	for (int number = SIGRTMIN; number <= SIGRTMAX; number++)
		signals_install_unless_ignored(number);
	signals_install(SIGXFSZ, on_file_limit);
	signals_install(SIGCHLD, on_child);
	return wake_pipe[0];
}

void record_signals_clear(void)
{
	char bytes[64];

	while (read(wake_pipe[0], bytes, sizeof(bytes)) > 0)
		;
}

const atomic_int *record_signals_count(void)
{
	return &signal_count;
}

int record_signals_first(bool *ret_sent)
{
	*ret_sent = first_was_sent;
	return first_signal;
}
