/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Signals by the numbers of the recorded machine, whose architecture the recording names. */
#pragma once

#include <limits.h>
#include <string.h>

#include "state/core/tracker.h"
#include "words/kernel/signal_names.h"

/* The numbers of no architecture are higher. */
#define SIGNAL_NUMBERS 128

/* "SIGKILL"; NULL: the number has no name. */
static inline const char *signal_text(const struct machine *machine, int64_t number)
{
	return number > 0 && number < INT_MAX
	               ? signal_name(machine->signals, (int)number)
	               : NULL;
}

/* The number of the signal of that name; 0: there is none. */
static inline int signal_number(const struct machine *machine, const char *name)
{
	for (int number = SIGNAL_NUMBERS; number > 0; number--) {
		const char *text = signal_text(machine, number);

		if (text && strcmp(text, name) == 0)
			return number;
	}
	return 0;
}
