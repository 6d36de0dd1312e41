/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Series of sleeps, and what they were for, which no wake-up shows: it is inferred from all of
 * them. A track has a log of each kind, as the timeline's end has them; a sleep may be in several,
 * and awaited.h knows which of them is right.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ftwait/nsec.h"

/* A task does some work if it runs between two sleeps for longer than 1 / SERIES_RUN_PART of
   them. */
#define SERIES_RUN_PART 4
/* Between short sleeps it may run so long, which a look around takes. */
#define SERIES_RUN_LEAST 200000u /* ns */
/* For how long a task may run between sleeps of that length, and does nothing but look around. */
static inline nsec_t series_run_most(nsec_t length)
{
	return nsec_max(length / SERIES_RUN_PART, SERIES_RUN_LEAST);
}

/* At most one in SERIES_ACTS_PART sleeps may follow an act. */
#define SERIES_ACTS_PART 4

enum series_kind {
	SERIES_OF_SLICES, /* sliced_wait.h: for `cause` */
	SERIES_OF_POLLS,  /* poll.h: for `child` */
	SERIES_OF_KILL,   /* ended_child.h: for `child`, which the task then ended */
	SERIES_OF_CHILDREN, /* last_child.h: waits for children, for the last of them */
	SERIES_KINDS,
};

/* How strongly a child is indicated as what the task waits for; higher is stronger. */
enum poll_child {
	POLL_CHILD_NONE,
	POLL_CHILD_LIVES,  /* it lived during the whole series, and still lives when the trace
	                      ends */
	POLL_CHILD_EARLY,  /* it ended during the series */
	POLL_CHILD_OUTLIVES, /* it lived during the whole series, and ended later */
	POLL_CHILD_ENDS_IT, /* it ended in the last sleep */
};

struct sleep_series {
	nsec_t begin, end; /* from the first wait's begin to the last one's end */
	nsec_t last;       /* begin of the last wait */
	nsec_t late;       /* begin of the wait before the last: a child that ended since then ended
	                      the series */
	nsec_t waiting;    /* sum of the waits */
	nsec_t slept;      /* sum of the sleeps: without what a child did besides sleeping */
	nsec_t most;       /* the longest slice */
	nsec_t ran;        /* sum of the runs between them */
	nsec_t running;    /* since the last wait; time in run queues says nothing */
	nsec_t other;      /* since the last wait, time in waits for anything else */
	uint64_t count;    /* number of waits */
	uint64_t acts;     /* number of waits before which something was done, as far as known */
	uint32_t track;
	uint32_t name;     /* id in names: function of the timer */
	uint32_t frames;   /* id in names: where it sleeps; 0: not recorded */
	uint8_t call;      /* enum sleep_call */
	uint8_t timeout;   /* enum sleep_timeout of slices */
	uint8_t child_rank; /* enum poll_child */
	bool is_left : 1;  /* the track's history ends with it: it may go on */
	bool is_unproven : 1; /* not known what it was for: no wait belongs to it */
	bool is_piece : 1;  /* polls: short, and a delay of the task split it off from the one
	                       before; further pieces are added to it */
	bool is_by_child : 1; /* children slept for it, each of which ended with its sleep */
	bool is_relative : 1; /* slices that had time limits of TIMEOUT_RELATIVE */
	bool is_answered : 1; /* slices; false: nothing came, and the cause is the request itself */
	bool is_for_work : 1; /* slices: there was nothing to do */
	bool is_retried : 1;  /* slices: between tries to get what the cause names */
	const struct cause_note *cause; /* in the timeline; NULL: not known */
	/* If children sleep for the task, the end of another child breaks the wait, which then goes
	   on: begin of the broken wait, 0: none; and the track that broke the last wait,
	   TRACK_NONE: none. */
	nsec_t broken;
	uint32_t breaker;
	/* The child that it waits for, TRACK_NONE: none known. After timeline_settle_polls(). */
	uint32_t child;
	uint32_t rivals;   /* other children of the same rank */
};

static inline void series_forget_child(struct sleep_series *series)
{
	series->child = UINT32_MAX;
	series->child_rank = POLL_CHILD_NONE;
	series->rivals = 0;
}

/* Those of one track and kind, in order of time, which do not overlap. */
struct series_log {
	struct sleep_series *series;
	size_t count, capacity;
	size_t hint; /* where the last search ended */
	size_t taken; /* polls: how many segments, forgotten ones included, were searched */
};

/* Adds a series behind the others to one of the SERIES_KINDS logs, which are made if *logs is
   NULL. */
void series_add(struct series_log **logs, enum series_kind kind, const struct sleep_series *series);
/* Forgets all but the polls that are over. Returns how many segments these took in, and the poll
   that may go on behind them; count 0: there is none. */
size_t series_resume(struct series_log **logs, struct sleep_series *ret_left);
/* How many are over: more sleeps may be added to the others. */
size_t series_over(const struct series_log *log);
/* Before the history until t is forgotten: forgets all but the polls that end later, or may go
   on. */
void series_trim(struct series_log **logs, nsec_t t);
void series_forget(struct series_log **logs);
/* The first one that ends after t; NULL: none. O(log n), O(1) if the last search found the same one
   or the one before. */
struct sleep_series *series_after(struct series_log *log, nsec_t t);
/* Whether t is not before all of them. */
static inline bool series_may_reach(const struct series_log *log, nsec_t t)
{
	return log->count && log->series[0].begin <= t;
}
/* The one with t in it, even if it is not proven; NULL: none. Inline: for all waits, as most tracks
   have no logs, or only the series that their history ends with. */
static inline const struct sleep_series *series_around(struct series_log *logs,
                                                       enum series_kind kind, nsec_t t)
{
	const struct sleep_series *found =
		logs && series_may_reach(&logs[kind], t) ? series_after(&logs[kind], t) : NULL;

	return found && found->begin <= t ? found : NULL;
}
/* Whether any of the logs may have a series with t in it. */
static inline bool series_may_be_around(const struct series_log *logs, nsec_t t)
{
	return logs && (series_may_reach(&logs[SERIES_OF_SLICES], t) ||
	                series_may_reach(&logs[SERIES_OF_POLLS], t) ||
	                series_may_reach(&logs[SERIES_OF_KILL], t));
}
/* The same, NULL also if it is not proven. */
static inline const struct sleep_series *series_of(struct series_log *logs, enum series_kind kind,
                                                   nsec_t t)
{
	const struct sleep_series *found = series_around(logs, kind, t);

	return found && !found->is_unproven ? found : NULL;
}
/* Begin of the series that the track's history ends with; NSEC_NEVER: it ends with none. */
nsec_t series_left_begin(const struct series_log *log);

/*
 * The time limit that a task set to its own sleep, right before it slept: a timer that wakes it.
 * What kind of sleep that is shows in the timer itself, as far as it does. Measured on 6.18, each
 * call with 20 ms; of the second row and of poll() the kernel's source says the same:
 *
 *	nanosleep, clock_nanosleep(relative)   hrtimer, mode REL, slack 50 us
 *	sigtimedwait, io_getevents             the same (kernel/signal.c, do_sigtimedwait();
 *	                                       fs/aio.c, read_events())
 *	clock_nanosleep(TIMER_ABSTIME)         hrtimer, mode ABS, slack 50 us
 *	futex of any operation and clock       the same, also where the call has a relative time
 *	poll, ppoll, select, epoll             mode ABS, slack a thousandth of the time, 50 us at
 *	                                       least (fs/select.c, select_estimate_accuracy())
 *	semtimedop                             mode ABS, slack 50 us
 *	mq_timedreceive                        mode ABS, no slack
 *	SO_RCVTIMEO, SO_SNDTIMEO               timer wheel, process_timeout
 *	io_uring, timerfd, timer_settime,      hrtimer of another function, no slack
 *	setitimer
 *
 * The last row are timers that a task may set before a sleep in any call. Those that send a signal
 * are alarms: the task goes on with its sleep if it has nothing else to do about it. So PostgreSQL
 * waits for a lock, and looks for a deadlock when the alarm goes off.
 *
 * The slack of 50 us is the task's own (PR_SET_TIMERSLACK); real-time tasks have none. So nothing
 * in a timer distinguishes nanosleep() from the two other calls with a relative timer. The number
 * of the call or the stack does (enum sleep_call), and so does the wake-up: a nanosleep() ends by
 * its timer or a signal that is then delivered.
 */

enum sleep_timeout {
	TIMEOUT_NONE,  /* none, or its arming was not recorded */
	TIMEOUT_RELATIVE, /* of nanosleep with a relative time, of sigtimedwait or io_getevents */
	TIMEOUT_POLL,  /* of poll, select or epoll */
	TIMEOUT_OTHER, /* of one of these, a futex, a read, a sleep until an absolute time ... */
	TIMEOUT_AGAIN, /* as TIMEOUT_OTHER, of the same length as the limit that the task set
	                  before */
	TIMEOUT_ALARM, /* none but an alarm: the task set it since its last sleep */
	TIMEOUT_SPENT, /* none, after a sleep that such an alarm ended */
	TIMEOUT_TIMER, /* none but another timer, which the task set since its last sleep, and which
	                  wakes it, or has done so before */
};

/* Whether the limit is one of the call that the task sleeps in. */
static inline bool sleep_limit_is_of_call(uint8_t timeout)
{
	return timeout == TIMEOUT_RELATIVE || timeout == TIMEOUT_POLL || timeout == TIMEOUT_OTHER ||
	       timeout == TIMEOUT_AGAIN;
}

/* An enum sleep_timeout as limits are compared: without how often this one was used before. */
static inline uint8_t sleep_limit_kind(uint8_t timeout)
{
	if (timeout == TIMEOUT_SPENT)
		return TIMEOUT_ALARM;
	return timeout == TIMEOUT_AGAIN ? TIMEOUT_OTHER : timeout;
}
