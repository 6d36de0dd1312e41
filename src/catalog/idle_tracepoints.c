/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tracepoints of CPUs that have nothing to do. */
#include "tracepoint.h"

const struct tracepoint idle_tracepoints[] = {
	{
		.system = "power", .name = "cpu_idle", .group = "idle",
		.use = "what wakes an idle CPU, also if no task runs then", .kind = EVENT_CPU_IDLE,
		.field = {FIELD_NUMBER("state", idle.state)},
	},
	{0},
};
