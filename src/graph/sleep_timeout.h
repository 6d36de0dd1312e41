/* SPDX-License-Identifier: GPL-2.0-or-later */
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
 * its timer or a signal.
 */
#pragma once

#include <stdint.h>

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

/* An enum sleep_timeout as limits are compared: without how often this one was used before. */
static inline uint8_t sleep_limit_kind(uint8_t timeout)
{
	if (timeout == TIMEOUT_SPENT)
		return TIMEOUT_ALARM;
	return timeout == TIMEOUT_AGAIN ? TIMEOUT_OTHER : timeout;
}
