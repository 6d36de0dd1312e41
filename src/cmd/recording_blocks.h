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
 * Statistics (also summed up in *recording), tasks that came since, and the end mark. Tracing is
 * off and the buffers are drained. Returns 0 or -errno of the failed write.
 */
int recording_closing_write(struct recording *recording);
