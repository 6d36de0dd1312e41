/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tracepoints of the timer wheel and of high resolution timers. */
#include "event_decoder.h"

#define TIMER(event, kind_, address)                                          \
	{                                                                     \
		.system = "timer", .name = event, .kind = kind_,              \
		.field = {                                                    \
			FIELD_NUMBER(address, timer.timer),                   \
			FIELD_NUMBER_IF_ANY("function", timer.function),      \
		},                                                            \
	}

const struct decoder_row timer_event_rows[] = {
	TIMER("hrtimer_start", EVENT_HRTIMER_START, "hrtimer"),
	TIMER("hrtimer_expire_entry", EVENT_HRTIMER_ENTRY, "hrtimer"),
	TIMER("hrtimer_expire_exit", EVENT_HRTIMER_EXIT, "hrtimer"),
	TIMER("timer_start", EVENT_TIMER_START, "timer"),
	TIMER("timer_expire_entry", EVENT_TIMER_ENTRY, "timer"),
	TIMER("timer_expire_exit", EVENT_TIMER_EXIT, "timer"),
	{0},
};
