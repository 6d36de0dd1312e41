/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The blocks of a recording's stream that hold no pages: what the recording tells of itself, of
 * the machine and of its tasks.
 */
#pragma once

#include "recording.h"

/*
 * Magic, head, and the options that are known before the first event. Returns 0 or -errno; `why`
 * is filled only where the kernel's files could not be read.
 */
int recording_preface_write(struct recording *recording, struct buffer *why);
/*
 * The tasks that there are. Where the clock is one that can be read here, they are taken when
 * tracing is on, by a thread: recording_tasks_begin() makes it, and recording_tasks_end() waits for
 * it, before tracing is switched off. Else the preface has them.
 */
void recording_tasks_begin(struct recording *recording);
void recording_tasks_end(struct recording *recording);
/*
 * Statistics (also summed up in *recording), tasks that came since, and the end mark. Tracing is
 * off and the buffers are drained; the instances begin to go. Returns 0 or -errno of the failed
 * write.
 */
int recording_closing_write(struct recording *recording);
