/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Signals of a recording: the first SIGINT, SIGTERM or other signal that would end the process asks
 * for a clean end, the second for an end at once. Signals that programs send in quick succession
 * count as one. SIGXFSZ makes the write at the file limit fail. Handlers only count and wake the
 * loop through a pipe, so no signal is missed between reading the counter and sleeping. A process
 * can have only one recording.
 */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>

#define SIGNALS_CLEAN_END 1
#define SIGNALS_FORCED_END 2

/* Installs the handlers. Returns the descriptor that becomes readable on a signal, or -errno. */
int record_signals_begin(void);
/* Empties the descriptor. */
void record_signals_clear(void);
/* The number of requests to end. */
const atomic_int *record_signals_count(void);
/* The first signal that requested the end; 0: none. `*ret_sent`: a process sent it, and only to
   this process. */
int record_signals_first(bool *ret_sent);
