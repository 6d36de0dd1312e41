/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One recording, from the search for the tracefs to the line about the finished file. */
#pragma once

#include "recorder/run/recording_state.h"

#define RECORD_INSTANCE_HELP \
	"record into an instance that root has prepared for this user (see doctor)"

/* The options are valid. `argv`: COMMAND, NULL: none. Returns the exit status: COMMAND's, where
   there is one. Errors are printed here. */
int record_run(const struct record_options *options, char **argv);
/* Whether the memory that control groups leave suffices to record; if not, prints an error. */
bool record_has_memory(void);
