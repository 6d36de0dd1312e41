/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The recorder of `ftwait top`: `record -o -` in a process of its own, whose output this process
 * reads. It drains the buffers with its own priority while this one computes, and nothing has to be
 * known twice. It ends when this process does, however that ends, and removes its instance.
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
	FILE *messages; /* what it printed meanwhile; NULL: that is on standard error */
};

/* `keeps_messages`: what it prints is kept until top_recorder_print(), as a screen is drawn. False:
   it could not be started, which is printed. */
bool top_recorder_start(const struct record_options *options, bool keeps_messages,
                        struct top_recorder *ret);
/* Prints what was kept. */
void top_recorder_print(struct top_recorder *recorder);
/* CPU time that it has used so far; 0: not known. */
nsec_t top_recorder_cpu_time(const struct top_recorder *recorder);
/* Makes it end, waits for that, and returns its exit status; one that does not end is killed after
   some seconds. */
int top_recorder_stop(struct top_recorder *recorder);
