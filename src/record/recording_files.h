/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Looks at the files that COMMAND's processes and those of -p have open (open_files.h). COMMAND may
 * end soon, so looks follow each other quickly at first; from one second on they are made together
 * with those at waits (recording_waits.h), always in the thread of these.
 */
#pragma once

#include "recorder/run/recording_state.h"

/* Before the first look. */
void recording_files_begin(struct recording *recording);
/* Looks, and writes what is new; `time`: the most that it may take, ns. */
void recording_files_look(struct recording *recording, nsec_t time);
/* Begins one of the looks of the first second, if it is time for that. */
void recording_files_tick(struct recording *recording, nsec_t time);
