/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Signals; see signal_tracker.c. */
#pragma once

#include "tracker.h"

/* The signal that stopped a task that is stopped; false where it is not known. */
bool signal_explain_stop(const struct machine *machine, uint32_t line, struct cause_note *ret);
