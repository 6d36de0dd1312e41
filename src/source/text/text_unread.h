/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lines that look like events of ftrace, but of which none can be made: they are counted by the
 * reason, so that a report, or a refusal, says what is missing.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/text/buffer.h"
#include "text_head.h"
#include "text_layout.h"

#define TEXT_NAME_MAX 64

enum text_reason {
	TEXT_NO_TIME,   /* function_graph without the time */
	TEXT_NO_UNIT,   /* a clock that does not count seconds */
	TEXT_RAW,       /* options/raw or hex */
	TEXT_NO_HEAD,   /* no task, CPU or time that ftwait can read */
	TEXT_NO_COLUMN, /* nor did perf script print them all */
	TEXT_NO_FIELDS, /* an event of the table, with other fields */
	TEXT_TOO_LONG,  /* an event of the table, in more than TEXT_LINE_MAX bytes */
	TEXT_REASONS
};

struct text_unread {
	uint64_t lines[TEXT_REASONS];
	uint64_t first;           /* the number of the first such line */
	char name[TEXT_NAME_MAX]; /* of the first event with other fields */
};

/* Counts the line if it looks like an event. It has no head, and is line `number` of the text. */
bool text_unread_see(struct text_unread *unread, struct text_line line, uint64_t number);
/* Counts a line that has a head, behind which an event of the table has other fields. */
void text_unread_fields(struct text_unread *unread, struct text_line event, uint64_t number);
/* Counts a line of which this is the begin, if it looks like an event of the table. */
bool text_unread_long(struct text_unread *unread, struct text_line begin, uint64_t number);
/* "12 lines look like events, which cannot be read (the first is line 3): ..."; false: there are
   none. */
bool text_unread_describe(const struct text_unread *unread, struct buffer *to);

/*
 * Events in the output of the tracer function_graph, which has them as comments (here with blanks
 * in between their signs):
 *
 *	  500.000000 |   0)    app-300    |               |  / * sched_waking: comm=hog ... * /
 *
 * The time is there with options/funcgraph-abstime, the task with funcgraph-proc. Without the
 * latter, a line says when the task of a CPU changes:
 *
 *	 0)   hog-301    =>    app-300
 */

/*
 * The task of the head is -1 if the line does not have it. *ret_has_time: false, with `true`
 * returned: it is such an event, but has no time.
 */
bool text_graph_parse(struct text_line line, struct text_head *ret, bool *ret_has_time);
/* The line says that this CPU ran the first task until now, and runs the second from now on. */
bool text_graph_switch(struct text_line line, uint32_t *ret_cpu, int32_t ret_tids[static 2]);

/*
 * The entries of the tracers wakeup, wakeup_rt and wakeup_dl for switches and wake-ups, which are
 * no events:
 *
 *	<idle>-0    3d.h4    0us :      0:120:R   + [003]  2389: 94:R sleep
 *	<idle>-0    3d..3    5us :      0:120:R ==> [003]  2389: 94:R sleep
 */

#define TEXT_WAKEUP_BYTES 256

/* Call it where a digit follows the head. */
void text_wakeup_replace(struct text_head *head, char to[static TEXT_WAKEUP_BYTES]);
/* If an entry follows the head, writes it into `to` as the event that it stands for, and lets the
   head's `rest` be that. */
static inline void text_wakeup_rewrite(struct text_head *head, char to[static TEXT_WAKEUP_BYTES])
{
	if (head->rest.at < head->rest.end && *head->rest.at >= '0' && *head->rest.at <= '9')
		text_wakeup_replace(head, to);
}
