/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The recording that a report is about, in one line; in others, whence it comes, and why a flight
   recorder saved it; and the names of its files alone. */
#pragma once

#include "base/text/buffer.h"
#include "ftwait/report.h"

/* "web.dat, db.dat": the names as they are, which may be any bytes. */
void trace_files_append(struct buffer *to, const char *const *files, size_t count);
/* "run.dat: 1,234 events in 1.000 s, 4 CPUs, kernel 6.1.0"; printable UTF-8. */
void trace_line_append(struct buffer *to, const struct trace_summary *trace);
/* "Damaged: cut short: cpu 1 ends 4096 bytes early. ..."; nothing if the input is not damaged. */
void damage_line_append(struct buffer *to, const struct trace_summary *trace);
/* "It was recorded because mysqld[812] waited 212 ms for disk vda, at 29.200000 s"; nothing if no
   trigger fired. */
void trigger_line_append(struct buffer *to, const struct trace_summary *trace);
/* "2 machines: web (6.1.0), db (6.12.9); the clock of db is known to within 107 us, by 806
   packets"; nothing if there is one machine. */
void machines_line_append(struct buffer *to, const struct trace_summary *trace);
/* "Recorded 2026-11-26 03:12:05 CET on db7: make -j4"; nothing if the time of day is not known. */
void origin_line_append(struct buffer *to, const struct trace_summary *trace);
