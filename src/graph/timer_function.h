/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the kernel's timers call when they expire. */
#pragma once

#include <stdbool.h>
#include <string.h>

/* Whether it does nothing but wake the task that armed the timer: the end of a sleep or a
   time-out. */
static inline bool timer_function_is_wakeup(const char *name)
{
	return strcmp(name, "hrtimer_wakeup") == 0 || strcmp(name, "process_timeout") == 0;
}

/* Whether it sends the signal of an alarm: alarm(), setitimer(). */
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
