/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Turns a schedule into the bytes of a trace.dat, version 6 or 7 (uncompressed), with ring-buffer
 * pages of its CPUs, formats, symbols and saved command lines, as trace-cmd would have written it.
 *
 * Source of the format: trace-cmd.dat.v6(5), trace-cmd.dat.v7(5), and the kernel's
 * events/header_page and header_event.
 */
#pragma once

#include "base/text/buffer.h"
#include "schedule.h"

/* Ring-buffer pages of one CPU of a buffer: a multiple of page_bytes. */
void pages_build(const struct schedule *schedule, unsigned buffer, unsigned cpu, struct buffer *to);
/* The kernel's description of such a page, events/header_page. */
void header_page_print(const struct machine *machine, struct buffer *to);
/* The whole file. `to` needs a limit large enough. */
void datfile_build(const struct schedule *schedule, struct buffer *to);
/*
 * What `ftwait record -o -` would have written (ftwait/stream.h), of version 6: a STREAM_REACHED
 * each `every` ns. The events of the schedule stand in the order of time, in buffer 0. Without an
 * end the stream is as if its recorder went on.
 */
void stream_build(const struct schedule *schedule, nsec_t every, bool is_ended, struct buffer *to);
/*
 * schedule_parse() and datfile_build() in one: the file as a descriptor without a name, read
 * position 0, close it. -EINVAL with a phrase in `why`.
 */
int datfile_from_text(const char *text, const struct machine *machine, int *ret_fd,
                      struct buffer *why);
