/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Turns a stream (ftwait/stream.h) into a trace.dat of version 6, which trace-cmd, KernelShark and
 * ftwait itself open. trace-cmd.dat.v6(5) describes the format; beyond that, readers expect the
 * clock's name ("[mono]", after a u64 with its length) after the table of offsets if there is a
 * clock option.
 *
 * A stream with regions is converted within its own file (datfile_settle.h). Any other stream is
 * copied: it stays untouched until the trace.dat is complete and takes its name by rename(2), so
 * that neither a full disk nor a kill costs data. That needs room for both files; if there is too
 * little, the stream stays, and `ftwait report` reads it as it is.
 */
#pragma once

#include <stdatomic.h>

#include "base/text/buffer.h"
#include "datfile_settle.h"

/* datfile_settle(), or datfile_replace() if that is impossible. Returns as datfile_replace(). */
int datfile_conclude(int stream_fd, const char *path, const struct settle_options *options,
                     struct buffer *why);

/*
 * Replaces the stream open as `stream_fd`, at `path`, by a trace.dat; owner and mode stay. A stream
 * cut short by a kill or a full disk is converted as far as it goes. Returns 0; 1 if the stream had
 * no end; -EALREADY if it is a trace.dat already; -EINVAL if it is no stream; -ESTALE if another
 * file is at `path`; -EINTR once *interrupts reaches `interrupt_limit` (NULL: never); or -errno.
 * Failures leave the file unchanged and a line in `why`.
 */
int datfile_replace(int stream_fd, const char *path, const atomic_int *interrupts,
                    int interrupt_limit, struct buffer *why);

/* The same for a stream without a name: makes a new file `path`; -EEXIST if one exists. */
int datfile_restore(int stream_fd, const char *path, const atomic_int *interrupts,
                    int interrupt_limit, struct buffer *why);

/*
 * Replaces the stream that a killed recorder left at `path`. Adds missing names if this is still
 * the recorded kernel. -EBUSY if it is being recorded.
 */
int datfile_repair(const char *path, struct buffer *why);

/* Converts one open file to another. `path` is for messages. */
int datfile_convert(int stream_fd, int out_fd, const char *path,
                    const atomic_int *interrupts, int interrupt_limit,
                    struct buffer *why);
