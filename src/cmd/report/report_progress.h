/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What `report` shows on a terminal if it takes longer than a second: how much of the recording is
 * read and how long the rest will take, then the current phase; see message.h. Of a recording
 * that still comes through a pipe: how much of it has come.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/text/buffer.h"
#include "engine/report_run.h"
#include "ftwait/nsec.h"
#include "source/stream/spool.h"

/* Call before the recording is opened, which takes time if it is compressed or comes through a
   pipe. */
void report_progress_begin(bool is_wanted);
/* "comparing clocks, 120 of 276". */
void report_progress_step(const char *what, size_t done, size_t all);
/* From now on the run reports its progress. */
void report_progress_watch(struct report_run *run);
/* Ends all output: call also before something else writes to the terminal, such as a pager. */
void report_progress_end(void);
/* "receiving the recording, 12 s so far, 3.1 MiB, 260.0 KiB/s", for the time since the begin;
   "unpacking or copying, ..." if it is no stream, or does not say how far it got. */
void report_copying_append(struct buffer *to, const struct spool_progress *copied, nsec_t elapsed);
/* "reading, 45 % of 950.0 MiB, 2,100,000 events/s, 3 s left", for the time since the begin; without
   the share and the time left if the source does not know its size. */
void report_progress_append(struct buffer *to, const struct source *source, uint64_t events,
                            nsec_t elapsed);
