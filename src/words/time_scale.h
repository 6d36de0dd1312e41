/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From the clock of a trace to the time of day and back. Between two pairs of readings both clocks
 * are taken to run evenly; before the first pair and after the last one, alike. Each function needs
 * at least one pair.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/text/buffer.h"
#include "base/text/format.h"
#include "ftwait/nsec.h"
#include "ftwait/realtime.h"

/* The time of day at `time`, at most REALTIME_MAX. */
nsec_t time_scale_real(const struct realtime *realtime, nsec_t time);
/* The time on the trace's clock at a time of day; 0 if that was before the clock began. If the time
   of day was set back, one of the instants that had it. */
nsec_t time_scale_time(const struct realtime *realtime, nsec_t real);
/* By how much the time of day may be wrong between the first pair and the last one: the most that
   the kernel said at a pair, and 500 ns for each ms between them. NSEC_NEVER: at one of them it did
   not call it synchronized. */
nsec_t time_scale_error(const struct realtime *realtime);
/* How much further the time of day went between two pairs than the trace's clock: the largest such
   difference that no drift of clocks explains. Negative: it was set back. 0: there is none. */
int64_t time_scale_jump(const struct realtime *realtime);

/* Instants of a trace, for people. */

/* "12.345678": seconds since the trace's begin, "-0.001000" before it; or a time of day:
   "03:12:05.345678", with its date if it is a day or more from the begin. */
char *format_instant_of(const struct instant_form *form, nsec_t time, char to[static FORMAT_BYTES]);
/* The same, in an array that lives as long as the block in which the macro is used, so that it can
   be an argument. */
#define INSTANT_OF(form, time) format_instant_of((form), (time), (char[FORMAT_BYTES]){0})
/* What stands behind an instant in prose: " s", or nothing behind a time of day. */
static inline const char *instant_unit(const struct instant_form *form)
{
	return form->realtime ? "" : " s";
}

/*
 * Times of day, as people write and read them, in the time zone of the reader (TZ). A time is ns
 * since 1970 in UTC, at most REALTIME_MAX.
 */

/* A time of day as it was asked for. */
struct day_time {
	bool has_date;
	int year, month, day; /* the date: 2026, 1 to 12, 1 to 31 */
	int hour, minute, second;
	nsec_t fraction;      /* ns */
};

/* "2026-11-26 03:12:05 CET" */
void date_append(struct buffer *to, nsec_t real);
/* "03:12:05.123456", with so many decimals, at most 9; the date stands before it if it is a day or
   more from `from`, where the time alone would be ambiguous: "2026-11-27T00:00:01.000000". */
void time_of_day_append(struct buffer *to, nsec_t real, nsec_t from, unsigned decimals);
/* Reads "HH:MM", "HH:MM:SS" or "HH:MM:SS.fraction", also after "YYYY-MM-DD " or "YYYY-MM-DDT";
   false if the text is anything else. */
bool day_time_read(const char *text, struct day_time *ret);
/* The instant of that time of day: with a date, on that day; else the first one in [from, to], or
   if that has none, the one that is nearest to it. */
nsec_t day_time_find(const struct day_time *asked, nsec_t from, nsec_t to);
