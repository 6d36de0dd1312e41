/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tracepoints of a task that has to make room in memory, or is slowed down for filling it. */
#include "event_decoder.h"

#define MEMORY(system_, event, kind_, what_) \
	{.system = system_, .name = event, .kind = kind_, .what = what_}

const struct decoder_row memory_event_rows[] = {
	MEMORY("vmscan", "mm_vmscan_direct_reclaim_begin", EVENT_MEMORY_BEGIN, MEMORY_RECLAIM),
	MEMORY("vmscan", "mm_vmscan_direct_reclaim_end", EVENT_MEMORY_END, MEMORY_RECLAIM),
	MEMORY("vmscan", "mm_vmscan_memcg_reclaim_begin", EVENT_MEMORY_BEGIN, MEMORY_RECLAIM),
	MEMORY("vmscan", "mm_vmscan_memcg_reclaim_end", EVENT_MEMORY_END, MEMORY_RECLAIM),
	MEMORY("compaction", "mm_compaction_begin", EVENT_MEMORY_BEGIN, MEMORY_COMPACTION),
	MEMORY("compaction", "mm_compaction_end", EVENT_MEMORY_END, MEMORY_COMPACTION),
	{
		.system = "writeback", .name = "balance_dirty_pages",
		.kind = EVENT_MEMORY_THROTTLE, .what = MEMORY_THROTTLE,
		.field = {FIELD_NUMBER("pause", memory.pause)},
	},
	{0},
};
