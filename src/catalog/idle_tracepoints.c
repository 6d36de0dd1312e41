/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tracepoints of idle states and frequencies of CPUs, and of system suspend. */
#include "tracepoint.h"

const struct tracepoint idle_tracepoints[] = {
	{
		.system = "power", .name = "cpu_idle", .group = "idle",
		.use = "what wakes an idle CPU, also if no task runs then", .kind = EVENT_CPU_IDLE,
		.field = {FIELD_NUMBER("state", idle.state)},
	},
	{
		.system = "power", .name = "cpu_frequency", .group = "idle", .is_optional = true,
		.use = "how fast a CPU runs (--format perfetto)", .kind = EVENT_CPU_FREQUENCY,
		.field = {
			FIELD_NUMBER("state", frequency.khz),
			FIELD_NUMBER("cpu_id", frequency.cpu),
		},
	},
	{
		.system = "power", .name = "suspend_resume", .group = "idle", .is_optional = true,
		.use = "when the system was suspended, and its tasks frozen for that",
		.kind = EVENT_SUSPEND,
		.field = {
			FIELD_TEXT_IF_ANY("action", suspend.action),
			FIELD_NUMBER_IF_ANY("action", suspend.address), /* in the kernel's form */
			FIELD_NUMBER("val", suspend.value),
			FIELD_NUMBER("start", suspend.is_begin),
		},
	},
	{0},
};
