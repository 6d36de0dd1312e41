/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tracepoints of binder, by which Android's processes call each other. */
#include "tracepoint.h"

#define SEND(system_, event)                                                           \
	{                                                                              \
		.system = system_, .name = event, .group = "binder",                   \
		.is_optional = true, .use = "who calls whom, and the answers",         \
		.kind = EVENT_BINDER_SEND,                                             \
		.field = {                                                             \
			FIELD_NUMBER("debug_id", binder.id),                           \
			FIELD_NUMBER("to_proc", binder.process),                       \
			FIELD_NUMBER("to_thread", binder.thread),                      \
			FIELD_NUMBER("reply", binder.is_reply),                        \
			FIELD_NUMBER("flags", binder.flags),                           \
		},                                                                     \
	}

const struct tracepoint binder_tracepoints[] = {
	SEND("binder", "binder_transaction"),
	SEND("rust_binder", "rust_binder_transaction"), /* from 6.18 on, without the next one */
	{
		.system = "binder", .name = "binder_transaction_received", .group = "binder",
		.is_optional = true, .use = "which thread serves a call, and since when",
		.kind = EVENT_BINDER_TAKE,
		.field = {FIELD_NUMBER("debug_id", binder.id)},
	},
	{0},
};
