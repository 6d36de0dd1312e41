/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One recording, from the search for the tracefs to the line about the finished file. */
#pragma once

#include <stdbool.h>

#include "recorder/run/recording_state.h"

#define RECORD_INSTANCE_HELP \
	"record into an instance that root has prepared for this user (see doctor)"

/* The options are valid. `argv`: COMMAND, NULL: none. Returns the exit status: COMMAND's, where
   there is one. Errors are printed here. */
int record_run(const struct record_options *options, char **argv);
/* Whether the memory that control groups leave suffices to record; if not, prints an error. */
bool record_has_memory(void);

/* The tasks that a recording is made for, by the options -p, --cgroup and --unit. */

/*
 * Fills in options->pids, which the caller frees, and makes options->cgroups the patterns of paths
 * of --cgroup and --unit. Returns false if an option names nothing that exists, which is printed.
 */
bool record_targets_find(struct record_options *options);
/* Adds the process with that number, those of that name, or those that run the program with that
   path. Returns false if there is none, which is printed. */
bool record_target_add(const char *what, struct number_list *pids);
