/* SPDX-License-Identifier: GPL-2.0-or-later */
/* System calls, where they were recorded: what a sleeper had asked for. */
#include "event_decoder.h"

const struct decoder_row syscall_event_rows[] = {
	{
		.system = "raw_syscalls", .name = "sys_enter", .kind = EVENT_SYSCALL_ENTER,
		.field = {
			FIELD_NUMBER("id", syscall.number),
			FIELD_FIRST_OF("args", syscall.argument, 6),
		},
	},
	{.system = "raw_syscalls", .name = "sys_exit", .kind = EVENT_SYSCALL_EXIT},
	{0},
};
