/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tracepoints of a task that has to make room in memory, or is slowed down for filling it. */
#include "tracepoint.h"

#define MEMORY(system_, event, kind_, what_, ...)                                      \
	{                                                                              \
		.system = system_, .name = event, .group = "mm", .kind = kind_,        \
		.what = what_, __VA_ARGS__                                             \
	}
#define BEGIN(system, event, what, ...)                                                \
	MEMORY(system, event, EVENT_MEMORY_BEGIN, what,                                \
	       .use = "time spent making room in memory", __VA_ARGS__)
#define END(system, event, what, ...)                                                  \
	MEMORY(system, event, EVENT_MEMORY_END, what, .use = "the end of that", __VA_ARGS__)

const struct tracepoint memory_tracepoints[] = {
	BEGIN("vmscan", "mm_vmscan_direct_reclaim_begin", MEMORY_RECLAIM),
	END("vmscan", "mm_vmscan_direct_reclaim_end", MEMORY_RECLAIM),
	BEGIN("vmscan", "mm_vmscan_node_reclaim_begin", MEMORY_RECLAIM, .is_optional = true),
	END("vmscan", "mm_vmscan_node_reclaim_end", MEMORY_RECLAIM, .is_optional = true),
	BEGIN("vmscan", "mm_vmscan_memcg_reclaim_begin", MEMORY_MEMCG_RECLAIM, .is_optional = true),
	END("vmscan", "mm_vmscan_memcg_reclaim_end", MEMORY_MEMCG_RECLAIM, .is_optional = true),
	BEGIN("vmscan", "mm_vmscan_memcg_softlimit_reclaim_begin", MEMORY_MEMCG_RECLAIM,
	      .is_optional = true),
	END("vmscan", "mm_vmscan_memcg_softlimit_reclaim_end", MEMORY_MEMCG_RECLAIM,
	    .is_optional = true),
	BEGIN("compaction", "mm_compaction_begin", MEMORY_COMPACTION, .is_optional = true),
	END("compaction", "mm_compaction_end", MEMORY_COMPACTION, .is_optional = true),
	/* the pause is not needed: it is told after it */
	MEMORY("vmscan", "mm_vmscan_throttled", EVENT_MEMORY_THROTTLED, MEMORY_THROTTLE,
	       .is_optional = true, .use = "reclaims that had to pause"),
	{
		.system = "writeback", .name = "balance_dirty_pages", .group = "mm",
		.use = "penalties for writing faster than the disk",
		.kind = EVENT_MEMORY_THROTTLE, .what = MEMORY_THROTTLE,
		.field = {FIELD_NUMBER("pause", memory.pause)},
	},
	{0},
};
