/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Events that tell where in the kernel a task went to sleep. */
#include "event_decoder.h"

const struct decoder_row place_event_rows[] = {
	{
		.system = "ftrace", .name = "kernel_stack", .kind = EVENT_STACK,
		.field = {
			FIELD_NUMBER("size", stack.count),
			FIELD_REST("caller", stack.frames),
		},
	},
	{
		/* Android kernels only */
		.system = "sched", .name = "sched_blocked_reason", .kind = EVENT_BLOCKED_REASON,
		.field = {
			FIELD_NUMBER("pid", blocked.tid),
			FIELD_NUMBER("caller", blocked.caller),
			FIELD_NUMBER("io_wait", blocked.io_wait),
		},
	},
	{0},
};
