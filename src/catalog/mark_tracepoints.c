/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What programs write into the trace. There is no event to enable: all writes are recorded. */
#include "tracepoint.h"

const struct tracepoint mark_tracepoints[] = {
	{
		.system = "ftrace", .name = "print", .use = "marks of programs (trace_marker)",
		.kind = EVENT_MARK,
		.field = {FIELD_REST("buf", mark.text)},
	},
	{
		.system = "ftrace", .name = "raw_data",
		.use = "marks of programs (trace_marker_raw)", .kind = EVENT_MARK_RAW,
		.field = {
			FIELD_NUMBER("id", mark.id),
			FIELD_REST("buf", mark.text),
		},
	},
	{0},
};
