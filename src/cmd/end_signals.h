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
 * For a command that first reads all of a pipe. Ctrl-C goes to the writer, too, which ends then, so
 * the first SIGINT ends nothing here: what has come is still to be shown. A second one ends the
 * process. interrupt_resume() gives SIGINT the meaning back that it had before.
 */
struct interrupt {
	bool is_held;
	struct sigaction before;
};

/* Does nothing unless `path` is "-", and standard input a pipe or a socket. */
void interrupt_hold(struct interrupt *interrupt, const char *path);
void interrupt_resume(const struct interrupt *interrupt);
