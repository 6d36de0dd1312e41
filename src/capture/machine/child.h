/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The command of `record -- COMMAND`: started but held before it runs, so that tracing is on when
 * its first instruction is executed, then let go and reaped.
 *
 * Order of calls: child_start(), child_release() or child_cancel(), child_poll() until it tells of
 * the end. The child has the default action for SIGPIPE and for every signal that the recorder
 * handles; ignored ones stay ignored, as SIGHUP under nohup(1).
 */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

#include "base/buffer.h"

struct child {
	pid_t pid;   /* 0: none */
	int gate_fd; /* closing it without a byte makes the held child go away */
	int exec_fd; /* tells the errno of a failed exec, or closes */
	bool is_ended;
	int wait_status; /* as waitpid(2) has it; valid once ended */
	int exit_status; /* as a shell has it: 128+signal for a killed one; valid once ended */
};

/* Status of a shell for a command that was not found, and for one that could not be executed. */
#define CHILD_STATUS_NOT_FOUND 127
#define CHILD_STATUS_NOT_EXECUTABLE 126

/* 0 if `file` can be found and executed, else -ENOENT, -EACCES ...: before anything is made. */
int child_check(const char *file);
/* `output_fd`: what its standard output shall be; -1: ours. */
int child_start(struct child *ret, char **argv, int output_fd);
/* Lets it run. Returns 0, or -errno of the failed exec; then the child is reaped. */
int child_release(struct child *child);
/* Ends a child that still waits. */
void child_cancel(struct child *child);
/* Reaps it if it has ended; true if it has. */
bool child_poll(struct child *child);
