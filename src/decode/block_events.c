/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tracepoints of the block layer. */
#include "event_decoder.h"

#define BLOCK(event, kind_)                                               \
	{                                                                 \
		.system = "block", .name = event, .kind = kind_,          \
		.field = {                                                \
			FIELD_NUMBER("dev", block.dev),                   \
			FIELD_NUMBER("sector", block.sector),             \
			FIELD_NUMBER("nr_sector", block.sectors),         \
			FIELD_NUMBER_IF_ANY("bytes", block.bytes),        \
			FIELD_TEXT_IF_ANY("rwbs", block.rwbs),            \
		},                                                        \
	}

const struct decoder_row block_event_rows[] = {
	BLOCK("block_bio_queue", EVENT_BLOCK_QUEUE),
	BLOCK("block_rq_insert", EVENT_BLOCK_INSERT),
	BLOCK("block_rq_issue", EVENT_BLOCK_ISSUE),
	BLOCK("block_rq_requeue", EVENT_BLOCK_REQUEUE),
	BLOCK("block_rq_complete", EVENT_BLOCK_COMPLETE),
	{0},
};
