/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "record_signals.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <unistd.h>

/* A handler has no other way to its facts than objects of the whole program. */
static volatile sig_atomic_t signal_count;
static volatile sig_atomic_t first_signal;
static volatile sig_atomic_t first_was_sent;
static int wake_pipe[2] = {-1, -1};

static void signals_wake(void)
{
	int error = errno;

	/* A full pipe wakes as well as an emptier one. */
	if (write(wake_pipe[1], "", 1) < 0)
		errno = error;
}

static void on_end(int number, siginfo_t *origin, void *context)
{
	(void)context;
	if (!first_signal) {
		first_signal = number;
		first_was_sent = origin->si_code <= 0;
	}
	signal_count = signal_count + 1;
	signals_wake();
}

static void on_child(int number, siginfo_t *origin, void *context)
{
	(void)number;
	(void)origin;
	(void)context;
	signals_wake();
}

static void signals_install(int number, void (*handler)(int, siginfo_t *, void *))
{
	/* Without SA_RESTART: a write to a stuck pipe must end on the second signal. */
	struct sigaction action = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO};

	(void)sigemptyset(&action.sa_mask);
	(void)sigaction(number, &action, NULL);
}

int record_signals_begin(void)
{
	struct sigaction hangup;

	if (pipe2(wake_pipe, O_CLOEXEC | O_NONBLOCK) < 0)
		return -errno;
	signals_install(SIGINT, on_end);
	signals_install(SIGTERM, on_end);
	/* nohup(1) */
	if (sigaction(SIGHUP, NULL, &hangup) < 0 || hangup.sa_handler != SIG_IGN)
		signals_install(SIGHUP, on_end);
	signals_install(SIGCHLD, on_child);
	return wake_pipe[0];
}

void record_signals_clear(void)
{
	char bytes[64];

	while (read(wake_pipe[0], bytes, sizeof(bytes)) > 0)
		;
}

const volatile sig_atomic_t *record_signals_count(void)
{
	return &signal_count;
}

int record_signals_first(bool *ret_sent)
{
	*ret_sent = first_was_sent;
	return first_signal;
}
