/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the kernel's timers call when they expire. */
#pragma once

#include <stdbool.h>
#include <string.h>

/*
 * Whether a task that sleeps arms it for that sleep: in nanosleep(), or as the time limit of its
 * call. What a timer does shows that it wakes its armer (state/timer_tracker.c), but the name alone
 * shows it where neither its arming nor the end of its callback was recorded, and before it has
 * expired.
 */
static inline bool timer_function_is_wakeup(const char *name)
{
	return strcmp(name, "hrtimer_wakeup") == 0 || strcmp(name, "process_timeout") == 0;
}

/* Whether it sends the signal of an alarm: alarm(), setitimer(). The name alone shows that of an
   alarm that never goes off, as the task gets before what it waits for. */
static inline bool timer_function_is_alarm(const char *name)
{
	return strcmp(name, "it_real_fn") == 0;
}

/* Whether it is the tick of a CPU. */
static inline bool timer_function_is_tick(const char *name)
{
	return strncmp(name, "tick_", 5) == 0;
}

/* Whether that function is one of the timer wheel. */
static inline bool timer_function_is_of_wheel(const char *name)
{
	return strcmp(name, "process_timeout") == 0;
}
