/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tracepoints of the block layer. */
#include "tracepoint.h"

#define BLOCK(event, kind_, use_, ...)                                                      \
	{                                                                              \
		.system = "block", .name = event, .group = "block", .use = use_,       \
		.kind = kind_,                                                         \
		.field = {                                                             \
			FIELD_NUMBER("dev", block.dev),                                \
			FIELD_NUMBER("sector", block.sector),                          \
			FIELD_NUMBER("nr_sector", block.sectors),                      \
			FIELD_NUMBER_IF_ANY("bytes", block.bytes),                     \
			FIELD_TEXT_IF_ANY("rwbs", block.rwbs),                         \
			__VA_ARGS__                                                    \
		},                                                                     \
	}

const struct tracepoint block_tracepoints[] = {
	BLOCK("block_bio_queue", EVENT_BLOCK_QUEUE, "who submitted a request, and when", {0}),
	BLOCK("block_rq_insert", EVENT_BLOCK_INSERT, "the same for requests queued otherwise", {0}),
	BLOCK("block_rq_issue", EVENT_BLOCK_ISSUE, "queue time against device time", {0}),
	BLOCK("block_rq_requeue", EVENT_BLOCK_REQUEUE, "requests that are issued again", {0}),
	BLOCK("block_rq_complete", EVENT_BLOCK_COMPLETE, "disk requests as causes, their errors",
	      FIELD_NUMBER_IF_ANY("error", block.error)),
	{
		.system = "block", .name = "block_split", .group = "block",
		.use = "since when the rest of a split request is queued",
		.kind = EVENT_BLOCK_DERIVE,
		.field = {
			FIELD_NUMBER("dev", block.dev),
			FIELD_NUMBER("dev", block.from_dev),
			FIELD_NUMBER("new_sector", block.sector),
			FIELD_NUMBER("sector", block.from_sector),
		},
	},
	{
		.system = "block", .name = "block_bio_remap", .group = "block",
		.use = "who submitted what a stacked device sends to a lower one",
		.kind = EVENT_BLOCK_DERIVE,
		.field = {
			FIELD_NUMBER("dev", block.dev),
			FIELD_NUMBER("old_dev", block.from_dev),
			FIELD_NUMBER("sector", block.sector),
			FIELD_NUMBER("old_sector", block.from_sector),
			FIELD_NUMBER_IF_ANY("nr_sector", block.sectors),
		},
	},
	{
		.system = "block", .name = "block_bio_complete", .group = "block",
		.use = "when a request to a stacked device ended",
		.kind = EVENT_BLOCK_DERIVE,
		.field = {
			FIELD_NUMBER("dev", block.from_dev),
			FIELD_NUMBER("sector", block.from_sector),
			FIELD_NUMBER("nr_sector", block.sectors),
			FIELD_NUMBER_IF_ANY("error", block.error),
		},
	},
	{0},
};
