/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Signals that end a command which reads a stream. The first one ends the reading, so that what was
   begun ends cleanly; a second one ends the process at once. Ignored signals stay ignored. */
#pragma once

#include <stdbool.h>

void end_signals_begin(void);
/* Whether one came. */
bool end_signals_came(void);
