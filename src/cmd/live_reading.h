/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What commands that read a stream while it is written do about its end. */
#pragma once

#include <signal.h>
#include <stdbool.h>

#include "ftwait/nsec.h"

/* Signals that end a command which reads a stream. The first one ends the reading, so that what was
   begun ends cleanly; a second one ends the process at once. Ignored signals stay ignored. */

void end_signals_begin(void);
/* Whether one came. */
bool end_signals_came(void);

/*
 * A command that reads all of a pipe before it shows anything calls interrupt_hold() first. Ctrl-C
 * sends SIGINT to the writer of the pipe as well, and the writer ends. The command therefore
 * ignores the first SIGINT and shows what it has read; a second SIGINT ends it. interrupt_resume()
 * restores the former action.
 */
struct interrupt {
	bool is_held;
	struct sigaction before;
};

/* Does nothing unless `path` is "-", and standard input a pipe or a socket. */
void interrupt_hold(struct interrupt *interrupt, const char *path);
void interrupt_resume(const struct interrupt *interrupt);

/* A stream that is read from a file may be one that nobody writes to any more. */

struct growth_wait {
	bool is_growing; /* live_source_grows() of the input */
	bool is_said;
	nsec_t since; /* the first call; 0: none yet */
};

/* To be called while the input does not yet have what a recording begins with: after a second says
   once that this is waited for. */
void growth_wait_say(struct growth_wait *wait, const char *command, const char *path);
