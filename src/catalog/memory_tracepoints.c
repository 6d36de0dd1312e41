/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tracepoints of tasks that have to make room in memory, or are throttled for filling it. */
#include "tracepoint.h"

#define MEMORY(system_, event, also_, kind_, what_, is_optional_, use_)               \
	{                                                                              \
		.system = system_, .name = event, .group = "mm", .also = also_,        \
		.kind = kind_, .what = what_, .is_optional = is_optional_, .use = use_, \
		/* at the end of a reclaim */                                          \
		.field = {FIELD_NUMBER_IF_ANY("nr_reclaimed", memory.pages)},          \
	}
#define BEGIN(system, event, also, what, is_optional)                                  \
	MEMORY(system, event, also, EVENT_MEMORY_BEGIN, what, is_optional,             \
	       "time spent in reclaim or compaction")
#define END(system, event, also, what, is_optional)                                    \
	MEMORY(system, event, also, EVENT_MEMORY_END, what, is_optional, "the end of that")
/* Reclaims are rare, and no wait shows them: without these events the report would only say that
   the task runs. So they are recorded with every choice of groups. */
#define ALWAYS "sched"

const struct tracepoint memory_tracepoints[] = {
	BEGIN("vmscan", "mm_vmscan_direct_reclaim_begin", ALWAYS, MEMORY_RECLAIM, false),
	END("vmscan", "mm_vmscan_direct_reclaim_end", ALWAYS, MEMORY_RECLAIM, false),
	BEGIN("vmscan", "mm_vmscan_node_reclaim_begin", NULL, MEMORY_RECLAIM, true),
	END("vmscan", "mm_vmscan_node_reclaim_end", NULL, MEMORY_RECLAIM, true),
	BEGIN("vmscan", "mm_vmscan_memcg_reclaim_begin", ALWAYS, MEMORY_MEMCG_RECLAIM, true),
	END("vmscan", "mm_vmscan_memcg_reclaim_end", ALWAYS, MEMORY_MEMCG_RECLAIM, true),
	BEGIN("vmscan", "mm_vmscan_memcg_softlimit_reclaim_begin", NULL, MEMORY_MEMCG_RECLAIM,
	      true),
	END("vmscan", "mm_vmscan_memcg_softlimit_reclaim_end", NULL, MEMORY_MEMCG_RECLAIM, true),
	BEGIN("compaction", "mm_compaction_begin", NULL, MEMORY_COMPACTION, true),
	END("compaction", "mm_compaction_end", NULL, MEMORY_COMPACTION, true),
	/* the length of the pause is not needed: the event comes after it */
	MEMORY("vmscan", "mm_vmscan_throttled", NULL, EVENT_MEMORY_THROTTLED, MEMORY_THROTTLE, true,
	       "reclaims that had to pause"),
	{
		/* one event a pause, for tasks that write: recorded with the requests that it is
		   for */
		.system = "writeback", .name = "balance_dirty_pages", .group = "block",
		.also = "mm", .use = "throttling of tasks that write faster than the disk",
		.kind = EVENT_MEMORY_THROTTLE, .what = MEMORY_THROTTLE,
		.field = {
			FIELD_NUMBER("pause", memory.pause),
			FIELD_TEXT_IF_ANY("bdi", memory.bdi),
		},
	},
	{
		/* without it an OOM kill would look like a kill by the task that allocated
		   memory */
		.system = "oom", .name = "mark_victim", .group = "mm", .also = "signal",
		.use = "which task the OOM killer kills", .kind = EVENT_OOM_VICTIM,
		.field = {FIELD_NUMBER("pid", process.tid)},
	},
	{0},
};
