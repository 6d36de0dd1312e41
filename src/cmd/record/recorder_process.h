/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The recorder of a command that looks at what is recorded meanwhile (`top`, `record --trigger`): a
 * child process that records to a pipe. The parent reads the stream as it reads that of another
 * machine. The child drains the buffers with a raised priority while the parent computes. The
 * child ends when the parent ends, for whatever reason, and removes its instance; that of a child
 * that was killed is removed by the parent.
 *
 * Order of calls: recorder_process_start(), before any thread is made; recorder_process_stop().
 */
#pragma once

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

#include "ftwait/nsec.h"
#include "recorder/run/recording_state.h"

struct recorder_process {
	pid_t pid; /* 0: none */
	int fd;    /* its output */
	FILE *messages; /* those that were kept; NULL: the child writes to standard error */
};

struct recorder_setup {
	const char *name; /* of the parent's command, for messages */
	const struct record_options *options; /* its output is not used */
	char **argv;         /* COMMAND and its arguments; NULL: none */
	/* Messages of the child are kept until recorder_process_print(), since they would disturb a
	   screen. */
	bool keeps_messages;
	/* A Ctrl-C of the terminal is for the parent, which then ends the child; else it reaches
	   both, and COMMAND. */
	bool is_apart;
};

/* False: the child could not be started; the reason is printed. */
bool recorder_process_start(const struct recorder_setup *setup, struct recorder_process *ret);
/* Prints what was kept. */
void recorder_process_print(struct recorder_process *recorder);
/* CPU time that it has used so far; 0: not known. */
nsec_t recorder_process_cpu_time(const struct recorder_process *recorder);
/* Asks the child to end its recording; it still writes what it has. */
void recorder_process_ask_to_end(const struct recorder_process *recorder);
/* Waits until the child, which has ended its stream, ends by itself, and calls `on_pause` now and
   then. Returns its exit status. */
int recorder_process_wait(struct recorder_process *recorder, void (*on_pause)(void *state),
                          void *state);
/* Ends the child and waits for it; kills it if it has not ended after some seconds. Returns its
   exit status. */
int recorder_process_stop(struct recorder_process *recorder);
/* Whether the child, which ended with that status, has said itself why live_source_open() failed:
   it did not get as far as to write anything. */
bool recorder_process_explains(int open_error, int status);
