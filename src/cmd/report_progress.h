/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What `report` says on a terminal while it takes longer than a second: how much of the recording
 * is read and how long the rest will take, then what it is at; see status_line.h.
 */
#pragma once

#include <stdint.h>

#include "base/buffer.h"
#include "engine/report_run.h"
#include "ftwait/nsec.h"

/* Before the recording is opened, which takes its time where it is packed or comes by a pipe. */
void report_progress_begin(bool is_wanted);
/* From now on the run tells how far it is. */
void report_progress_watch(struct report_run *run);
/* Nothing is shown any more: also before others write to the terminal, as a pager does. */
void report_progress_end(void);
/*
 * "reading, 45 % of 950.0 MiB, 2,100,000 events/s, 3 s left" after so long; without the share and
 * the rest where the source does not tell how much there is.
 */
void report_progress_append(struct buffer *to, const struct source *source, uint64_t events,
                            nsec_t elapsed);
