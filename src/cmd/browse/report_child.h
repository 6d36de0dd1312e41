/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A command of ftwait that runs in a child, while its caller has the terminal: what a hostile or
 * endless recording does, it does there, and the user can stop waiting for it. The child seals
 * itself as that command does (base/file/seal.h), and ends with its parent.
 *
 *	if (report_child_start(&child, run, state) < 0)
 *		...
 *	while (!child.is_ended)
 *		poll(child.out, child.said); report_child_take(&child);
 *	... child.text, child.message, child.status ...
 *	report_child_release(&child);
 */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

#include "base/text/buffer.h"
#include "report_worker.h"

#define CHILD_TEXT_MAX (64u << 20)

struct report_child {
	pid_t pid;      /* 0: there is none, or it has been reaped */
	struct report_worker *worker; /* that makes it instead; NULL: none */
	int out, error; /* -1: closed */
	struct buffer text;    /* its standard output, so far */
	struct buffer message; /* the last line of its standard error, which may be progress */
	struct buffer line;    /* of standard error, so far */
	bool is_ended;
	bool is_too_long; /* it wrote more than CHILD_TEXT_MAX, and was ended */
	int status; /* its exit status; 128 and the signal that ended it; valid once ended */
};

/* All zero but for the descriptors and buffers. Also for the next one, after a release. */
void report_child_init(struct report_child *child);
/* `run` is called in the child, with its output going to the pipe; what it returns is the exit
   status. Returns -errno. */
int report_child_start(struct report_child *child, int (*run)(const void *state),
                       const void *state);
/* The same, made by a worker, which is ready and makes no other report. */
int report_child_ask(struct report_child *child, struct report_worker *worker,
                     const char *options, size_t columns);
/* Takes what there is, and does not wait. */
void report_child_take(struct report_child *child);
/* Ends it, if it still runs: first so that it can remove what it has begun to write. */
void report_child_release(struct report_child *child);
