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
/* The lines about a recording, of which all but the first may be empty, in this order:
   the above;
   "2 machines: web (6.1.0), db (6.12.9); the clock of db is known to within 107 us, by 806
   packets" if there are several;
   "Recorded 2026-11-26 03:12:05 CET on db7: make -j4" if the time of day is known;
   "Damaged: cut short: cpu 1 ends 4096 bytes early. ..." if the input is damaged;
   "It was recorded because mysqld[812] waited 212 ms for disk vda, at 29.200000 s" if a trigger
   fired. */
enum {
	TRACE_LINE,
	TRACE_MACHINES,
	TRACE_ORIGIN,
	TRACE_DAMAGE,
	TRACE_TRIGGER,
	TRACE_LINES,
};

extern const struct trace_line {
	void (*append)(struct buffer *to, const struct trace_summary *trace);
	bool is_faint, is_title; /* of text */
} trace_lines[TRACE_LINES];
