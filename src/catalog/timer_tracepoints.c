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
	{
		.system = "timer", .name = "hrtimer_start", .group = "timer",
		.use = "who armed a timer; sleeps", .kind = EVENT_HRTIMER_START,
		.field = {
			FIELD_NUMBER("hrtimer", timer.timer),
			FIELD_NUMBER_IF_ANY("function", timer.function),
			FIELD_NUMBER_IF_ANY("expires", timer.expires),
			FIELD_NUMBER_IF_ANY("softexpires", timer.soft_expires),
			FIELD_NUMBER_IF_ANY("mode", timer.mode),
		},
	},
	{
		.system = "timer", .name = "hrtimer_expire_entry", .group = "timer",
		/* the ends of sleeps and time-outs, without which an interrupt seems to end them */
		.part_of = "sched", .part_filter = "function.function == hrtimer_wakeup",
		.use = "timers as causes", .kind = EVENT_HRTIMER_ENTRY,
		.field = {
			FIELD_NUMBER("hrtimer", timer.timer),
			FIELD_NUMBER_IF_ANY("function", timer.function),
			FIELD_NUMBER_IF_ANY("now", timer.now),
		},
	},
	TIMER("hrtimer_expire_exit", EVENT_HRTIMER_EXIT, "hrtimer", "where a timer's call ends"),
	TIMER("timer_start", EVENT_TIMER_START, "timer", "who armed a timeout, delayed work"),
	{
		.system = "timer", .name = "timer_expire_entry", .group = "timer",
		.part_of = "sched", .part_filter = "function.function == process_timeout",
		.use = "timeouts as causes", .kind = EVENT_TIMER_ENTRY,
		.field = {
			FIELD_NUMBER("timer", timer.timer),
			FIELD_NUMBER_IF_ANY("function", timer.function),
		},
	},
	TIMER("timer_expire_exit", EVENT_TIMER_EXIT, "timer", "where a timeout's call ends"),
	{0},
};
