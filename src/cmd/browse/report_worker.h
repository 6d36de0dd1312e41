/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A process that reads a recording once, and makes reports of what it keeps of it
 * (engine/kept_run.h), each in a child of its own: where reading takes seconds, only the first
 * question does. It is sealed before it reads (base/file/seal.h), and ends with its parent.
 *
 * Order of calls: report_worker_start(); report_worker_take() whenever `socket` is readable; while
 * is_ready and not is_busy, report_worker_ask(); report_worker_stop().
 */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

/* All zero at the begin, but for the socket, which is -1. */
struct report_worker {
	pid_t pid;       /* 0: there is none */
	int socket;      /* -1: closed */
	bool is_ready;   /* it has read the recording, and waits for questions */
	pid_t child;     /* that makes a report; 0: none, or not known yet */
	bool is_busy;    /* with a report; then it has ended with this status: */
	int status;      /* as in struct report_child */
};

/* `words`: a command line of report, for all its reports. `argv` lives as long as the worker. */
int report_worker_start(struct report_worker *worker, int argc, char **argv);
/* Takes what it says; without a socket it is gone. */
void report_worker_take(struct report_worker *worker);
/* Asks for a report of these options, whose output and messages go to the descriptors, which stay
   open here. Returns -errno. */
int report_worker_ask(struct report_worker *worker, const char *options, size_t columns, int out,
                      int error);
void report_worker_stop(struct report_worker *worker);
