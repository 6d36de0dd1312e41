/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What `ftwait top` shows of one interval: top_sums.h fills it in, and top_output.h and
 * top_screen.h show it. All times are ns on the clock of the records. Strings, rows and causes are
 * borrowed from the sums, and valid until these are fed again.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ftwait/aim.h"
#include "ftwait/cause.h"
#include "ftwait/nsec.h"
#include "ftwait/task.h"

/* What the tasks of one row have in common. */
enum top_by {
	TOP_BY_COMM,
	TOP_BY_TASK,
	TOP_BY_CGROUP,
};

struct top_row {
	const char *name;   /* comm, or path of the control group; any bytes, never NULL */
	struct task task;   /* TOP_BY_TASK; else its tid is -1 */
	uint32_t task_count;
	bool is_kernel;     /* all its tasks are kernel threads */
	/* In the interval, over all tasks of the row. Sleeps that a task chose, and sleeps for
	   work, are not waiting. */
	nsec_t waiting, runnable, running;
	uint64_t waits;     /* that ended in the interval, or had not ended at its end */
	nsec_t longest;     /* of these, from its own begin, which may be before the interval */
	/* What the row waited for longest, the time for that, how many of `waits` were for it. */
	bool has_cause;
	struct cause cause;
	struct brief_aim aim;
	nsec_t cause_ns;
	uint64_t cause_waits;
	/* The task that most of that time was spent behind: the waker, or the one that holds or
	   requested what was waited for. */
	bool has_behind;
	struct task behind;
};

#define TOP_HOLDERS 8

/* The wait that has lasted longest and had not ended at the end of the interval. */
struct top_open {
	struct task task;
	nsec_t since;        /* its begin */
	bool is_since_begin; /* it began before the first record: `since` is when that was */
	char letter;         /* the kernel's, of its state: 'D', 'S' */
	bool has_cause, has_behind;
	struct cause cause;
	struct task behind;
	/* what the recorder saw of it (open_wait.h): words behind those of the cause,
	   and the name of the aim again if it is an address; NULL: nothing, or not known */
	const char *object, *aim_peer;
	struct brief_aim aim; /* by its cause where the recorder saw nothing */
	/* tasks that have the lock or the other end, also the one behind */
	struct task holder[TOP_HOLDERS];
	size_t holder_count;
};

/* The requests of the program that answered, or else sent, most of them lately, as far as they were
   looked at: report --tail. */
struct top_requests {
	const char *comm;
	bool is_server;
	uint64_t count;   /* 0: there were none */
	uint64_t far;     /* that took far longer than the others */
	nsec_t median, p99;
	const char *reason; /* what some of these were slow by, and hardly any other; NULL: not
	                       known */
	uint64_t votes;   /* how many were */
};

#define TOP_TREND 16 /* intervals that the trend shows */

struct top_shot {
	nsec_t begin, end;    /* of the interval */
	uint64_t day_ns;      /* CLOCK_REALTIME at its end; 0: not known */
	const char *host;     /* NULL: not known; as `kernel` */
	const char *kernel;   /* release */
	unsigned cpu_count;
	uint64_t events, lost;
	bool has_own_cpu;     /* the recorder runs here, so its share is known */
	double own_cpu;       /* CPU time of ftwait's processes by the length of the interval: 0.014
	                         is 1.4 % of one CPU */
	nsec_t waiting;       /* sum over all rows but those of kernel threads */
	nsec_t by_kind[CAUSE_KIND_COUNT]; /* the parts of it, by what ended the wait or is known
	                                     of an open one */
	uint32_t queued_now;  /* tasks in run queues at the end of the interval */
	/* In the interval, over all tasks of the machine, whichever are shown; 0: switches were not
	   recorded */
	nsec_t running, runnable;
	/* Lengths of the waits that ended in the interval; 0: none did. */
	uint64_t wait_count;
	nsec_t wait_p50, wait_p99, wait_max;
	/* `waiting` of the last intervals, as a share of their length, the newest last; as many as
	   there were so far */
	double trend[TOP_TREND];
	size_t trend_count;
	enum top_by by;
	/* By waiting time, most first; rows of kernel threads, and those that only slept for work,
	   come after all others. */
	const struct top_row *row;
	size_t row_count;
	/* Tasks that are to be shown and were asleep or stopped at the end of the interval. */
	uint32_t asleep, stopped;
	bool has_open;
	struct top_open open;
	struct top_requests requests;
	const char *note;     /* one line for the user, "own CPU above 2 %: interval now 2 s"; NULL:
	                         none */
};
