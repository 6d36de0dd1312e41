/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Times of day, as people write and read them, in the time zone of the reader (TZ). A time is ns
 * since 1970 in UTC, at most REALTIME_MAX.
 */
#pragma once

#include <stdbool.h>

#include "base/text/buffer.h"
#include "ftwait/nsec.h"

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
