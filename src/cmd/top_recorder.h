/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The recorder of `ftwait top`: a child process that runs `record -o -`. The parent reads the
 * stream from a pipe, as it reads that of another machine. The child drains the buffers with a
 * raised priority while the parent computes. The child ends when the parent ends, for whatever
 * reason, and removes its instance.
 *
 * Order of calls: top_recorder_start(), before any thread is made; top_recorder_stop() once.
 */
#pragma once

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

#include "ftwait/nsec.h"
#include "record/recording_state.h"

struct top_recorder {
	pid_t pid; /* 0: none */
	int fd;    /* its output */
	FILE *messages; /* those that were kept; NULL: the child writes to standard error */
};

/* `keeps_messages`: messages of the child are kept until top_recorder_print(), since they would
   disturb a screen. False: the child could not be started; the reason is printed. */
bool top_recorder_start(const struct record_options *options, bool keeps_messages,
                        struct top_recorder *ret);
/* Prints what was kept. */
void top_recorder_print(struct top_recorder *recorder);
/* CPU time that it has used so far; 0: not known. */
nsec_t top_recorder_cpu_time(const struct top_recorder *recorder);
/* Ends the child and waits for it; kills it if it has not ended after some seconds. Returns its
   exit status. */
int top_recorder_stop(struct top_recorder *recorder);
