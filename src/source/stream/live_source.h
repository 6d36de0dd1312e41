/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A stream (ftwait/stream.h) that is read while it is written: from a pipe, or from a file that
 * grows. Records come as far as STREAM_REACHED says that nothing older is still to come; then each
 * stream ends with a heartbeat.
 *
 * Order of calls: live_source_open(), which returns when the head and the first snapshot of tasks
 * have arrived; source_next_batch() and the others as of any source, source_close(). There is one
 * stream for each CPU and buffer that can exist, whether it has pages or not.
 *
 * What the recorder saw tasks wait for comes meanwhile: source.open_waits has, at each call of
 * on_reached(), what came since the one before, until the source is read on.
 *
 * Names of kernel functions come at the end of a stream, so only those of this machine's own kernel
 * are known.
 *
 * A record before the last heartbeat, which a writer had not finished in time, still comes: the
 * machine counts it as late. Memory: the pages between two STREAM_REACHED, twice, at most
 * LIVE_BYTES_MAX; where that does not suffice, the pages that come later are lost and counted as
 * such. What is wrong with the stream ends it, with a note, as `damaged` of any source.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/text/buffer.h"
#include "ftwait/source.h"
#include "live_input.h"

#define LIVE_BYTES_MAX (UINT64_C(256) << 20)

/* For is_growing: a file may grow; what comes through a pipe ends with the pipe. */
bool live_source_grows(int fd);

/* -EINTR: on_pause() ended it. -ENODATA: the input is empty. -EOPNOTSUPP: the recording's clock is
   none that can be followed, or its recorder writes no STREAM_REACHED. */
int live_source_open(const struct live_source_setup *setup, struct source **ret,
                     struct buffer *why);
