/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Turns a stream (ftwait/stream.h) into a trace.dat of version 6, which trace-cmd, KernelShark and
 * ftwait itself open. The format is described in trace-cmd.dat.v6(5); beside what is said there,
 * readers expect the clock's name ("[mono]", after a u64 with its length) behind the table of
 * offsets when there is a clock option.
 *
 * A stream with regions is turned in its own file (datfile_settle.h). Any other is copied: it is
 * not touched until the trace.dat is whole and takes its name by rename(2), so that neither a full
 * disk nor a kill costs data. The price is room for both; where there is not enough the stream
 * stays, and is as good an input for `ftwait report`.
 */
#pragma once

#include <stdatomic.h>

#include "base/buffer.h"
#include "datfile_settle.h"

/* datfile_settle(), or datfile_replace() where that cannot be done. Returns as that one. */
int datfile_conclude(int stream_fd, const char *path, const struct settle_options *options,
                     struct buffer *why);

/*
 * Replaces the stream that is open as `stream_fd` and stands at `path` by a trace.dat; owner and
 * mode stay. A stream cut short by a kill or a full disk is taken as far as it goes. Returns 0; 1
 * where the stream had no end; -EALREADY where it is a trace.dat already; -EINVAL where it is no
 * stream; -ESTALE where another file stands at `path`; -EINTR once *interrupts reaches
 * `interrupt_limit` (NULL: never); or -errno. Failures leave the file as it was and a line in
 * `why`.
 */
int datfile_replace(int stream_fd, const char *path, const atomic_int *interrupts,
                    int interrupt_limit, struct buffer *why);

/* The same where the stream has no name any more: makes a new file `path`; -EEXIST if there is one.
 */
int datfile_restore(int stream_fd, const char *path, const atomic_int *interrupts,
                    int interrupt_limit, struct buffer *why);

/*
 * Replaces the stream that a killed recorder left at `path`. Names are added where it has none and
 * this is still the kernel that was recorded. -EBUSY where it is being recorded into.
 */
int datfile_repair(const char *path, struct buffer *why);

/* The work of it: from one open file to another. `path` is for messages. */
int datfile_convert(int stream_fd, int out_fd, const char *path,
                    const atomic_int *interrupts, int interrupt_limit,
                    struct buffer *why);
