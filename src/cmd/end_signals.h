/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Signals that end a command which reads a stream. The first one ends the reading, so that what was
   begun ends cleanly; a second one ends the process at once. Ignored signals stay ignored. */
#pragma once

#include <signal.h>
#include <stdbool.h>

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
