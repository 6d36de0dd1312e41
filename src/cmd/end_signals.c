/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "end_signals.h"

#include <signal.h>
#include <stddef.h>

#include "base/array.h"

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
