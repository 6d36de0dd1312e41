/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Looks at what COMMAND's tasks and those of -p wait for (open_waits.h), and at the files that they
 * have open. They are made in another thread, as the calling thread drains the buffers.
 */
#pragma once

#include "recording_state.h"

/* Tracing is on, and COMMAND runs: the first look. */
void recording_waits_begin(struct recording *recording);
/* Once a second. Leaves out a look if the one before has not ended yet. */
void recording_waits_tick(struct recording *recording);
/* The last look, before tracing is switched off. Drains the buffers meanwhile. */
void recording_waits_end(struct recording *recording);

/* Begins one of the looks of the first second, if it is time for that. */
void recording_files_tick(struct recording *recording, nsec_t time);

/*
 * Looks at the long sleeps of all tasks (long_waits.h) while a stream is written that others may
 * follow: for these it writes STREAM_WAITS. In another thread, as the calling thread drains the
 * buffers.
 */

/* After recording_flush_begin(), which decides whether there is such a stream. */
void recording_long_waits_begin(struct recording *recording);
/* Looks if it is time to; call it again at long_waits_at, or soon after. `time`: CLOCK_MONOTONIC.
   Four times a second, or as seldom as is needed for all looks to take no more than half a percent
   of one CPU in the long run, and as much for those at the tasks of -p in between. But the first
   round over the open files of all processes (end_table.h) is not counted. */
void recording_long_waits_tick(struct recording *recording, nsec_t time);
void recording_long_waits_end(struct recording *recording);

/* The command lines of COMMAND's programs and of those of -p, while recording. */

/* Begins to record them, if they are asked for; before COMMAND runs. */
void recording_programs_begin(struct recording *recording);
/* Writes the last ones. Call before the queue of pages ends. */
void recording_programs_end(struct recording *recording);

/* The mappings at the addresses in the recorded user stacks; without these, those of the asked
   tasks if system calls are recorded. */

/* Starts to collect the mappings, if any are wanted. Call before the queue's thread gets
   any pages. */
void recording_maps_begin(struct recording *recording);
/* Appends what was found, as lines of ftwait/stream.h, and prints what is missing. */
void recording_maps_describe(struct recording *recording, struct buffer *to);
