/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the flight recorder looks for: one condition, as a user writes it. Words stand in any order,
 * with blanks between them. Exactly one word says what happens; the others are filters, which must
 * all match.
 *
 *	wait>200ms kind=disk comm=mysqld
 *	open>5s                                 hung
 *	delay>20ms comm=rt-*                    mark="frame late" comm=render
 *	retransmit>10/s                         exit=svc*
 *	comm=x event:sched:sched_stat_wait if delay > 5000000
 *
 *	condition = (happens | filter)...
 *	happens   = "wait" ">" time     a wait that has ended, and was longer
 *	          | "open" ">" time     a wait that has not ended, and is longer already
 *	          | "disk" ">" time     a wait for a disk; that it is one mostly shows when the
 *	                                request completes, so that it fires at its end
 *	          | "lock" ">" time     a wait for a lock, ended or not: of the kernel, of a file,
 *	                                or (with the group syscalls) a futex that is a lock
 *	          | "delay" ">" time    in run queues, from when it is able to run until it runs;
 *	                                ended or not
 *	          | "hung" [">" time]   in state D, or asleep for a contended lock, for so long:
 *	                                by default 120 s, as the kernel's hung_task
 *	          | "mark=" text        a program writes that to trace_marker, as a part of a line
 *	          | "retransmit" ">" number "/s"    TCP segments sent again within a second
 *	          | "exit=" glob        a task (a process or a thread) of that name ends
 *	          | "event:" system ":" name ["if" filter]    that event; with the kernel's own
 *	                                filter expression, which is the rest of the text
 *	filter    = "comm=" glob        name of the task, which the kernel cuts to 15 bytes
 *	          | "pid=" number       of the process or of the thread
 *	          | "cgroup=" glob      as report --cgroup
 *	          | "kind=" kind        of cause or aim, as in JSON: disk, lock, answer ...
 *	          | "name=" glob        of the cause, as in reports: of a lock, a disk, a task ...
 *	          | "dev=" glob         the disk: vda, dm-0, 254,0
 *
 * Blanks may stand around ">". A value with blanks stands in double quotes, which it cannot
 * contain. Times are as in all options (parse.h). kind, name and dev go with waits only, kind
 * not with disk and lock, and no filter goes with retransmit: its task is not known.
 *
 * A sleep need not hold its task up, and most do not. So which waits count for wait, open and hung:
 *
 *	always           state D; locks; of programs also causes of the kinds disk, memory, frozen
 *	                 and rcu, and a timer by which the kernel holds the task back, or while a
 *	                 request has no answer
 *	with a filter    all other sleeps in S of programs: another task, a packet or a signal ended
 *	                 it, or nothing is known of it yet
 *	with kind= or name=    also sleeps that seem to be idle: for a time that the task itself
 *	                 chose, of a server until its next request, of kernel threads in S and I
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text/buffer.h"
#include "ftwait/aim.h"
#include "ftwait/nsec.h"

#define CONDITION_BYTES_MAX    1024 /* of its text */
#define CONDITION_RATE_MAX     10000u
#define CONDITION_HUNG_NS      UINT64_C(120000000000)
#define CONDITION_TIME_MAX     (UINT64_C(1) << 62)
#define CONDITION_NEEDS_MAX    4

enum condition_head {
	CONDITION_WAIT,
	CONDITION_OPEN,
	CONDITION_DISK,
	CONDITION_LOCK,
	CONDITION_DELAY,
	CONDITION_HUNG,
	CONDITION_MARK,
	CONDITION_RETRANSMIT,
	CONDITION_EXIT,
	CONDITION_EVENT,
	CONDITION_HEAD_COUNT,
};

enum condition_filter {
	FILTER_COMM,
	FILTER_PID,
	FILTER_CGROUP,
	FILTER_KIND,
	FILTER_NAME,
	FILTER_DEV,
	FILTER_COUNT,
};

/* Texts are owned. */
struct condition {
	enum condition_head head;
	nsec_t time;   /* longer than this; of heads with a time */
	bool has_no_unit; /* the time was given without: in seconds */
	uint64_t rate; /* more than so many in a second; retransmit */
	char *text;    /* mark: text; exit: glob; event: "SYSTEM:NAME"; else NULL */
	char *kernel_filter; /* event: behind "if"; NULL: none */
	uint32_t filters;    /* mask by enum condition_filter: those that are given */
	char *value[FILTER_COUNT]; /* as given; NULL: none */
	int32_t pid;         /* FILTER_PID */
	int kind;            /* FILTER_KIND: enum cause_kind; -1: only an aim has that name */
	enum aim_kind aim;   /* FILTER_KIND; AIM_NONE: only a cause has */
};

/* Returns 0, or -EINVAL after appending one line to `why`: what is wrong, where, and what would be
   right. Release *ret in any case. */
int condition_parse(const char *text, struct condition *ret, struct buffer *why);
void condition_release(struct condition *condition);
/* Appends the condition in its one canonical form, which is parsed as the same condition. */
void condition_append(struct buffer *to, const struct condition *condition);

/* An event, or a group of events, that must be recorded. */
struct condition_need {
	const char *event;  /* as for record -e: "block", "tcp:tcp_retransmit_skb"; static, or the
	                       condition's */
	const char *filter; /* for the kernel's file "filter" of that event, which the kernel may
	                       refuse; NULL: none. Only of events that reports do not use, so that
	                       nothing else needs those that are left out */
};

/* Beside the group sched, without which nothing is seen; returns how many. */
size_t condition_needs(const struct condition *condition,
                       struct condition_need ret[static CONDITION_NEEDS_MAX]);
