/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A source (ftwait/source.h) that reads ftrace text: the content of the tracefs files trace and
 * trace_pipe, and the output of atrace, systrace (pages of HTML) and trace-cmd report. It converts
 * lines to binary records (text_layout.h), so the decoder and all later layers handle text like a
 * trace.dat.
 *
 * The file is read twice. Opening reads all of it, to find its CPUs, tasks, functions and events.
 * The second pass makes the records. The text has one order over all CPUs, while a source returns
 * the records of one CPU at a time: the records of each CPU are queued. If the queue of the
 * requested CPU is empty, the next piece of the file is read, for all CPUs; if that has no record
 * of this CPU, the source returns a heartbeat. Thus the queues stay short, whatever the size of the
 * file.
 *
 * The resolution of printed times is usually 1 us. Consecutive lines with the same time get times
 * one nanosecond apart, which keeps their order.
 */
#pragma once

#include <stdbool.h>

#include "base/text/buffer.h"
#include "ftwait/source.h"
#include "source/file/input_file.h"

/* Whether the file is ftrace text: its first TEXT_PROBE_BYTES, or the first 64 MiB of a page of
   HTML, must contain an event. */
bool text_file_is_text(const struct input_file *file);
/* Takes ownership of the file, even if it fails. Returns 0, or -errno and a line in `why`. */
int text_open(const struct input_file *file, struct source **ret, struct buffer *why);
