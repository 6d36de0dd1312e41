/* SPDX-License-Identifier: GPL-2.0-or-later */
/* System calls, where they were recorded: they show what a sleeper asked for. */
#include "tracepoint.h"

const struct tracepoint syscall_tracepoints[] = {
	{
		.system = "raw_syscalls", .name = "sys_enter", .group = "syscalls",
		.also = "paths",
		.use = "futexes by address, waiting for work", .kind = EVENT_SYSCALL_ENTER,
		.field = {
			FIELD_NUMBER("id", syscall.number),
			FIELD_FIRST_OF("args", syscall.argument, 6),
			FIELD_TEXT_IF_ANY("args", syscall.arguments), /* only a few are used */
		},
	},
	{
		.system = "raw_syscalls", .name = "sys_exit", .group = "syscalls",
		.also = "paths",
		.use = "how long a call took, its result", .kind = EVENT_SYSCALL_EXIT,
		.field = {FIELD_NUMBER_IF_ANY("ret", syscall.result)},
	},
	{0},
};
