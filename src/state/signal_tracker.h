/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Signals; see signal_tracker.c. */
#pragma once

#include "state/core/tracker.h"

/* "SIGKILL", by the number of the recorded machine; NULL: it has no name. */
const char *signal_text(const struct machine *machine, int64_t number);
/* And back; 0: there is none of that name. */
int signal_number(const struct machine *machine, const char *name);
/* The signal that stopped a task that is stopped; false where it is not known. */
bool signal_explain_stop(const struct machine *machine, uint32_t line, struct cause_note *ret);
