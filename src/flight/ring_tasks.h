/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tasks of a live run, as a ring's chapter begins with them, and as a shot ends with them. */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

#include "base/text/buffer.h"
#include "engine/live_handover.h"
#include "engine/live_run.h"
#include "ftwait/realtime.h"
#include "stream_ring.h"

/*
 * The tasks of a live run as a recording has those of its begin: lines of option VERSION
 * (ftwait/stream.h), and of STREAM_CMDLINES.
 */

/* Appends "pids", "cgroup", "read", "task" and "process" lines, and "PID COMM" lines. `read`: when
   the tasks were so, on the recording's clock. */
void shot_tasks_describe(const struct live_handover *tasks, nsec_t read, struct buffer *version,
                         struct buffer *cmdlines);
/* At the end of a recording: appends "still" lines of tasks that have waited since `begin`, as
   ftwait/stream.h has them for tasks in D and for those that were asked for. */
void shot_tasks_describe_still(const struct live_handover *tasks, nsec_t begin,
                               struct buffer *version);

/* Begins another chapter at that time, which was reached. `pair`: the time of day then, or before;
   NULL: not known. False: the run knows no tasks yet. */
bool ring_tasks_turn(struct stream_ring *ring, const struct live_run *run,
                     const struct realtime_pair *pair, nsec_t reached);
/* Appends lines of option VERSION (ftwait/stream.h), as at the end of a recording that is what the
   ring holds: "realtime", "recorder" and "still". `pair`: as above; `recorder`: 0: not known. */
void ring_tasks_describe_end(const struct stream_ring *ring, const struct live_run *run,
                             const struct realtime_pair *pair, pid_t recorder,
                             struct buffer *version);
/* Time from which on the ring holds all that the run has read, which has read something. */
nsec_t ring_tasks_begin(const struct stream_ring *ring, const struct live_run *run);
