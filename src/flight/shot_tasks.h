/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tasks of a live run as a recording has those of its begin: lines of option VERSION
 * (ftwait/stream.h), and of STREAM_CMDLINES.
 */
#pragma once

#include "base/text/buffer.h"
#include "engine/live_handover.h"

/* Appends "pids", "cgroup", "read", "task" and "process" lines, and "PID COMM" lines. `read`: when
   the tasks were so, on the recording's clock. */
void shot_tasks_describe(const struct live_handover *tasks, nsec_t read, struct buffer *version,
                         struct buffer *cmdlines);
/* At the end of a recording: appends "still" lines of tasks that have waited since `begin`, as
   ftwait/stream.h has them for tasks in D and for those that were asked for. */
void shot_tasks_describe_still(const struct live_handover *tasks, nsec_t begin,
                               struct buffer *version);
