/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Opens a private instance with all its settings: clock, buffers, options, events, stacks. */
#pragma once

#include <stdint.h>

#include "base/text/buffer.h"
#include "capture_session.h"
#include "event_selection.h"

/* `dir` is the tracefs, unused with a prepared instance. Tracing is off on return. Returns 0, or
   -errno with a line in `why`. */
int capture_open(const char *dir, const struct capture_options *options,
                 const struct event_selection *selection, struct capture_session **ret,
                 struct buffer *why);
/* The default size per CPU: 16 MiB, less if memory is scarce. */
uint64_t capture_buffer_bytes_default(void);
