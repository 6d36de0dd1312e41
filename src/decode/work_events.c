/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tracepoints of work queues and signals: work that one task does for another. */
#include "event_decoder.h"

#define WORK(event, kind_)                                             \
	{                                                              \
		.system = "workqueue", .name = event, .kind = kind_,   \
		.field = {                                             \
			FIELD_NUMBER("work", work.work),               \
			FIELD_NUMBER_IF_ANY("function", work.function), \
		},                                                     \
	}

const struct decoder_row work_event_rows[] = {
	WORK("workqueue_queue_work", EVENT_WORK_QUEUE),
	WORK("workqueue_execute_start", EVENT_WORK_START),
	WORK("workqueue_execute_end", EVENT_WORK_END),
	{
		.system = "signal", .name = "signal_generate", .kind = EVENT_SIGNAL_GENERATE,
		.field = {
			FIELD_NUMBER("sig", signal.number),
			FIELD_NUMBER_IF_ANY("pid", signal.tid),
			FIELD_NUMBER_IF_ANY("result", signal.result),
		},
	},
	{0},
};
