/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tracepoints of the timer wheel and of high resolution timers. */
#include "tracepoint.h"

#define TIMER(event, kind_, address, use_)                                             \
	{                                                                              \
		.system = "timer", .name = event, .group = "timer", .use = use_,       \
		.kind = kind_,                                                         \
		.field = {                                                             \
			FIELD_NUMBER(address, timer.timer),                            \
			FIELD_NUMBER_IF_ANY("function", timer.function),               \
		},                                                                     \
	}

const struct tracepoint timer_tracepoints[] = {
	TIMER("hrtimer_start", EVENT_HRTIMER_START, "hrtimer", "who armed a timer; sleeps"),
	TIMER("hrtimer_expire_entry", EVENT_HRTIMER_ENTRY, "hrtimer", "timers as causes"),
	TIMER("hrtimer_expire_exit", EVENT_HRTIMER_EXIT, "hrtimer", "where a timer's call ends"),
	TIMER("timer_start", EVENT_TIMER_START, "timer", "who armed a timeout, delayed work"),
	TIMER("timer_expire_entry", EVENT_TIMER_ENTRY, "timer", "timeouts as causes"),
	TIMER("timer_expire_exit", EVENT_TIMER_EXIT, "timer", "where a timeout's call ends"),
	{0},
};
