/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The blocks of a recording's stream that hold no pages: descriptions of the recording, the
 * machine and its tasks.
 */
#pragma once

#include "recording_state.h"

/*
 * Writes magic, head, and the options that are known before the first event. Returns 0 or -errno;
 * `why` is filled only if the kernel's files could not be read.
 */
int recording_preface_write(struct recording *recording, struct buffer *why);
/*
 * The existing tasks. If programs can read the trace's clock, a thread reads the tasks once tracing
 * is on: recording_tasks_begin() makes the thread, and recording_tasks_end() waits for it, before
 * tracing is switched off. Otherwise the preface contains the tasks.
 */
void recording_tasks_begin(struct recording *recording);
void recording_tasks_end(struct recording *recording);
/*
 * Writes statistics (also summed up in *recording), new tasks, and the end mark. Tracing must be
 * off and the buffers drained. Also begins to remove the instances. Returns 0, or -errno of the
 * failed write.
 */
int recording_closing_write(struct recording *recording);
