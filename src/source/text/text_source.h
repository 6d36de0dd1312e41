/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A source over the text of ftrace: what the files trace and trace_pipe of tracefs give, atrace,
 * systrace's pages of HTML, and trace-cmd report. Lines become records with formats of our own
 * (text_layout.h), so that nothing else needs to know of text. ftwait/source.h has the contract.
 *
 * The file is read twice: on opening, for the CPUs, tasks, functions and events that it names, and
 * then for its records, which are in one order over all CPUs. A CPU that is asked for its next
 * records reads on for all; if it has none in what was read, it gives a heartbeat. So memory is
 * bounded by a few pieces of the file, whatever its size. Lines in one step of the printed time are
 * put a nanosecond apart, which keeps their order.
 */
#pragma once

#include <stdbool.h>

#include "base/buffer.h"
#include "ftwait/source.h"
#include "source/input_file.h"

/* Whether a line of an event stands near its begin: in a page of HTML, in the first 64 MiB; see
   text_probe.h. */
bool text_file_is_text(const struct input_file *file);
/* Takes the file over, in any case. */
int text_open(const struct input_file *file, struct source **ret, struct buffer *why);
