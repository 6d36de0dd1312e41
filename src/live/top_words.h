/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A shot of `ftwait top` in words, for the screen and for blocks of text. All functions append
 * printable UTF-8 without line ends: bytes of unknown origin are cleaned.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "base/text/buffer.h"
#include "ftwait/nsec.h"
#include "top_shot.h"

#define TOP_TIME_COLUMNS 8 /* that a time takes at most, below 11 days */

/* "812 ns", "41.0 ms", "1.204 s", "12.3 s"; "0". Shorter than format_duration(), so that six of
   them fit beside names, and so that fewer characters change from shot to shot. */
void top_time_append(struct buffer *to, nsec_t time);

/*
 * The head, line by line. The first line has two parts, which the screen puts apart:
 * "ftwait top  board7  6.18.44  2 CPUs", and
 * "12:41:07  own CPU 1.4 %", or less, or nothing where these are not known.
 */
void top_title_append(struct buffer *to, const struct top_shot *shot);
void top_clock_append(struct buffer *to, const struct top_shot *shot);
/* "51,204 events/s, 0 lost | waiting for disk 41 %, lock 33 %": the four kinds that most of the
   time was waited for. */
void top_rate_append(struct buffer *to, const struct top_shot *shot);
/* Whether all tasks of the machine together had too little CPU in the interval, as in reports. */
bool top_is_cpu_too_little(const struct top_shot *shot);
/* How many tasks ran or were able to, on average. */
double top_cpu_demand(const struct top_shot *shot);
/* "6 tasks queued for 2 CPUs; waits p50 1.2 ms, p99 48.0 ms, max 212.4 ms"; "Too little CPU: 45.0
   tasks for 2 CPUs; waits ..." */
void top_queue_append(struct buffer *to, const struct top_shot *shot);
/*
 * "|▁▂▃█|", or in ASCII "|_.-#|": how long tasks waited in the last `length` intervals,
 * beside the longest of them; a blank: nothing waited. Nothing if there were no intervals.
 */
void top_trend_append(struct buffer *to, const struct top_shot *shot, size_t length, bool is_utf8);
/* "postgres[812] in D for 3.412 s: disk vda, behind jbd2/vda-8[211]"; "no task waits now",
   "no task waits now but for a CPU" */
void top_longest_append(struct buffer *to, const struct top_shot *shot);
/* The same for a narrow screen: "3.412 s postgres[812]: disk vda" */
void top_longest_append_short(struct buffer *to, const struct top_shot *shot);

/* "nginx: 1,500 requests that it answered: p50 127 us, p99 4.37 ms; 28 of 29 slow ones: waited for
   lock, behind keeper"; nothing if there were none. */
void top_requests_append(struct buffer *to, const struct top_shot *shot);

/* How rows are called: "comms", "tasks", "cgroups". */
const char *top_by_word(enum top_by by);
/* Above the names of rows: "TASK", "CGROUP". */
const char *top_name_head(enum top_by by);
/* "mysqld", "mysqld[812]", "/system.slice/mysql.service" */
void top_row_name_append(struct buffer *to, const struct top_row *row);
/* "lock rwsem, 5 times": what the waits were for, and how many; nothing if the row has no cause. */
void top_row_for_append(struct buffer *to, const struct top_row *row);
/* The same beside the words of top_row_behind_append(), which are not repeated: "data from a pipe,
   5 times" instead of "task cat (for data from a pipe), 5 times". */
void top_row_for_append_beside(struct buffer *to, const struct top_row *row);
/* "jbd2/vda-8", and of a row that is a task "jbd2/vda-8[211]"; nothing if it is not known. */
void top_row_behind_append(struct buffer *to, const struct top_row *row);
/* Appends what stands in place of rows if a shot has none: "(nothing ran: 2 tasks asleep, 1
   stopped)", "(none)". */
void top_none_append(struct buffer *to, const struct top_shot *shot);

/* The name of a file that `ftwait top` saves: "ftwait-124107.dat"; the second and later attempt at
   the same time of day, from 2 on: "ftwait-124107-2.dat". */
void save_name_append(struct buffer *to, const struct tm *time, unsigned attempt);
/* "30.2 s, 41 MiB -> ftwait-124107.dat"; `is_short`: there was no memory for more. */
void save_result_append(struct buffer *to, nsec_t duration, uint64_t bytes, const char *name,
                        bool is_short);
