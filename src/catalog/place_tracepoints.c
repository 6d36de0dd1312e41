/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Events that show where in the kernel a task went to sleep. */
#include "tracepoint.h"

const struct tracepoint place_tracepoints[] = {
	{
		/* Android kernels only */
		.system = "sched", .name = "sched_blocked_reason", .group = "sched",
		.is_optional = true, .use = "where a task sleeps, without stacks",
		.kind = EVENT_BLOCKED_REASON,
		.field = {
			FIELD_NUMBER("pid", blocked.tid),
			FIELD_NUMBER("caller", blocked.caller),
			FIELD_NUMBER("io_wait", blocked.io_wait),
		},
	},
	{
		/* no event to enable: triggers and options add it */
		.system = "ftrace", .name = "kernel_stack", .use = "where a task sleeps",
		.kind = EVENT_STACK,
		.field = {
			FIELD_NUMBER("size", stack.count),
			FIELD_REST("caller", stack.frames),
		},
	},
	{
		/* no event to enable; a 0 ends the stack if it has fewer frames */
		.system = "ftrace", .name = "user_stack", .use = "where in a program it sleeps",
		.kind = EVENT_USER_STACK,
		.field = {
			FIELD_NUMBER("tgid", stack.tgid),
			FIELD_REST("caller", stack.frames),
		},
	},
	{0},
};
