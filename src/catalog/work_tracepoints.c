/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tracepoints of work queues and signals: work that one task does for another. */
#include "tracepoint.h"

#define WORK(event, kind_, use_)                                                       \
	{                                                                              \
		.system = "workqueue", .name = event, .group = "workqueue",            \
		.use = use_, .kind = kind_,                                            \
		.field = {                                                             \
			FIELD_NUMBER("work", work.work),                               \
			FIELD_NUMBER_IF_ANY("function", work.function),                \
		},                                                                     \
	}

const struct tracepoint work_tracepoints[] = {
	WORK("workqueue_queue_work", EVENT_WORK_QUEUE, "who queued a work item, and when"),
	WORK("workqueue_execute_start", EVENT_WORK_START, "what a kworker does, and for whom"),
	WORK("workqueue_execute_end", EVENT_WORK_END, "where a work item ends"),
	{
		.system = "signal", .name = "signal_generate", .group = "signal",
		.use = "signals as causes, and who sent them", .kind = EVENT_SIGNAL_GENERATE,
		.field = {
			FIELD_NUMBER("sig", signal.number),
			FIELD_NUMBER_IF_ANY("pid", signal.tid),
			FIELD_NUMBER_IF_ANY("result", signal.result),
		},
	},
	{
		.system = "signal", .name = "signal_deliver", .group = "signal",
		.use = "which signal a task died of", .kind = EVENT_SIGNAL_DELIVER,
		.field = {
			FIELD_NUMBER("sig", signal.number),
			FIELD_NUMBER("sa_handler", signal.handler),
		},
	},
	{0},
};
