/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Looks at what COMMAND's tasks and those of -p wait for (open_waits.h), and at the files that they
 * have open (recording_files.h). They are made in another thread, as the calling thread drains the
 * buffers.
 */
#pragma once

#include "recorder/run/recording_state.h"

/* Tracing is on, and COMMAND runs: the first look. */
void recording_waits_begin(struct recording *recording);
/* Once a second. Leaves out a look if the one before has not ended yet. */
void recording_waits_tick(struct recording *recording);
/* The last look, before tracing is switched off. Drains the buffers meanwhile. */
void recording_waits_end(struct recording *recording);
