/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tasks that a recording is made for, by the options -p, --cgroup and --unit. */
#pragma once

#include <stdbool.h>

#include "recorder/run/recording_state.h"

/*
 * Fills in options->pids, which the caller frees, and makes options->cgroups the patterns of paths
 * of --cgroup and --unit. Returns false if an option names nothing that exists, which is printed.
 */
bool record_targets_find(struct record_options *options);
/* Adds the process with that number, those of that name, or those that run the program with that
   path. Returns false if there is none, which is printed. */
bool record_target_add(const char *what, struct number_list *pids);
