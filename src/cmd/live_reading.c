/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "live_reading.h"

#include <stddef.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/data/array.h"
#include "base/monotonic.h"
#include "base/text/message.h"

/* A recorder that has just been started may not have written yet. */
#define SAID_AFTER_NS UINT64_C(1000000000)

void growth_wait_say(struct growth_wait *wait, const char *command, const char *path)
{
	nsec_t now = monotonic_now();

	if (!wait->is_growing || wait->is_said)
		return;
	wait->since = wait->since ? wait->since : now;
	if (now - wait->since < SAID_AFTER_NS)
		return;
	wait->is_said = true;
	message_note("%s: %s is a file without a recording, or with the begin of one: waiting "
	             "until more is written to it", command, path);
}

static volatile sig_atomic_t has_signal;

static void on_signal(int number)
{
	(void)number;
	has_signal = 1;
}

void end_signals_begin(void)
{
	static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
	const struct sigaction ours = {.sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND};
	struct sigaction before;

	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++)
		if (sigaction(numbers[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
			(void)sigaction(numbers[i], &ours, NULL);
}

bool end_signals_came(void)
{
	return has_signal != 0;
}

static void on_interrupt(int number)
{
	(void)number;
}

void interrupt_hold(struct interrupt *interrupt, const char *path)
{
	const struct sigaction ours = {
		.sa_handler = on_interrupt,
		.sa_flags = (int)(SA_RESETHAND | SA_RESTART),
	};
	struct stat status;

	*interrupt = (struct interrupt){.is_held = false};
	if (strcmp(path, "-") != 0 || fstat(STDIN_FILENO, &status) < 0 ||
	    (!S_ISFIFO(status.st_mode) && !S_ISSOCK(status.st_mode)) ||
	    sigaction(SIGINT, NULL, &interrupt->before) < 0 ||
	    interrupt->before.sa_handler == SIG_IGN)
		return;
	interrupt->is_held = sigaction(SIGINT, &ours, NULL) == 0;
}

void interrupt_resume(const struct interrupt *interrupt)
{
	if (interrupt->is_held)
		(void)sigaction(SIGINT, &interrupt->before, NULL);
}
