/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The command of `record -- COMMAND`: forked but held before exec, so that tracing is on when its
 * first instruction runs, then released and reaped.
 *
 * Order of calls: child_start(), child_release() or child_cancel(), child_poll() until it reports
 * the end, child_reap(). The child has the default action for SIGPIPE and for every signal that the
 * recorder handles; ignored signals stay ignored, such as SIGHUP under nohup(1).
 */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

struct child {
	pid_t pid;   /* 0: none */
	int gate_fd; /* closing it without a byte makes the held child exit */
	int exec_fd; /* receives the errno of a failed exec; else is closed */
	bool is_ended, is_reaped;
	int wait_status; /* as waitpid(2) has it; valid once ended */
	int exit_status; /* as in a shell: 128+signal if killed; valid once ended */
};

/* Exit status of a shell if the command is not found, or cannot be executed. */
#define CHILD_STATUS_NOT_FOUND 127
#define CHILD_STATUS_NOT_EXECUTABLE 126

/* This process ignores the signal for itself: children are to have it as usual. One signal. */
void child_restore_signal(int number);
/* Finds the program as execvp() does. Returns 0 and its path, to be freed; or -errno and NULL. */
int child_find(const char *file, char **ret);
/* Checks that `file` can be found and executed. Returns 0 or -ENOENT, -EACCES ... */
int child_check(const char *file);
/* `output_fd`: the child's standard output; -1: it is inherited. */
int child_start(struct child *ret, char **argv, int output_fd);
/* Lets the child run. Returns 0; or -errno of the failed exec, when the child is reaped already. */
int child_release(struct child *child);
/* Ends and reaps a child that is still held. */
void child_cancel(struct child *child);
/* Whether the child has ended. Does not reap it. */
bool child_poll(struct child *child);
/*
 * Reaps the child if it has ended. Not under a real-time policy: the kernel then drops the entries
 * of the process from /proc, and if a preempted task was about to drop one of them, too, it tries
 * again and again until that has done so, for which an ordinary task has no CPU meanwhile.
 */
void child_reap(struct child *child);

/*
 * Start of a guard: a small process, forked by a recorder, that waits on a pipe for the
 * end of the recorder and then restores settings of the kernel.
 */

/*
 * Blocks all signals, so that none that the terminal sends ends the guard; leaves the current
 * folder; makes `fd` standard input. Returns 0 or -errno.
 */
int guard_process_begin(int fd);
/* Closes all descriptors from `first` on: files that stay open here would outlive the recorder. */
void guard_process_close_from(int first);
