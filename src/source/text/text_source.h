/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A source (ftwait/source.h) that reads ftrace text: the content of the tracefs files trace and
 * trace_pipe, also in the latency format and from function_graph, the output of atrace, systrace
 * (pages of HTML) and trace-cmd report, and logs that have such lines within others, as after a
 * dump of the kernel's buffers to its console. It converts lines to binary records (text_layout.h),
 * so the decoder and all later layers handle text like a trace.dat.
 *
 * The file is read twice: opening reads all of it, to find its CPUs, tasks, functions and events;
 * the second pass makes the records. Text that is read while it is written is read once. What the
 * begin shows, up to a record some TEXT_ROUND_NS after the first, holds for all of it: its columns,
 * names of tasks and the clock. CPUs up to TEXT_LIVE_CPUS, events and functions may come later, and
 * processes of tasks (new_tasks). What is TEXT_LATE_NS older than the latest line is taken to be
 * all there is. Where the time stands still, or goes on slowly, TEXT_ROUND_BYTES bound what is
 * queued. Notes that count lines change as more are read.
 *
 * The resolution of printed times is usually 1 us. Consecutive lines with the same time get times
 * one nanosecond apart, which keeps their order.
 */
#pragma once

#include <stdbool.h>

#include "base/text/buffer.h"
#include "ftwait/source.h"
#include "source/file/input_file.h"
#include "source/stream/live_input.h"

#define TEXT_LIVE_CPUS   1024
#define TEXT_ROUND_NS    50000000u
#define TEXT_LATE_NS     20000000u
#define TEXT_ROUND_BYTES (8u << 20)

/* Whether the file is text that has an event of ftrace, or what looks like one, in its first
   64 MiB. */
bool text_file_is_text(const struct input_file *file);
/* Takes ownership of the file, even if it fails. Returns 0, or -errno and a line in `why`. */
int text_open(const struct input_file *file, struct source **ret, struct buffer *why);
/* Text that is read while it is written; of a file, up to its end. -EINTR: on_pause() ended it
   before an event came. -ENODATA: it has none. */
int text_open_live(const struct live_source_setup *setup, struct source **ret,
                   struct buffer *why);
