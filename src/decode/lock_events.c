/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tracepoints of contended locks: the kernel's own, and futexes where their calls were recorded. */
#include "event_decoder.h"

#define LOCK(event, kind_)                                                \
	{                                                                 \
		.system = "lock", .name = event, .kind = kind_,           \
		.field = {                                                \
			FIELD_NUMBER("lock_addr", lock.address),          \
			FIELD_NUMBER_IF_ANY("flags", lock.flags),         \
			FIELD_NUMBER_IF_ANY("ret", lock.result),          \
		},                                                        \
	}

const struct decoder_row lock_event_rows[] = {
	LOCK("contention_begin", EVENT_LOCK_BEGIN),
	LOCK("contention_end", EVENT_LOCK_END),
	LOCK("contended_release", EVENT_LOCK_RELEASE), /* from 7.2 on */
	{
		.system = "syscalls", .name = "sys_enter_futex", .kind = EVENT_FUTEX_ENTER,
		.field = {FIELD_NUMBER("uaddr", futex.address)},
	},
	{.system = "syscalls", .name = "sys_exit_futex", .kind = EVENT_FUTEX_EXIT},
	{0},
};
