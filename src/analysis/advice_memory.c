/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Making room in memory: reclaim and compaction need not sleep, so no wait tells of them. */
#include "advice.h"
#include "base/format.h"
#include "summary.h"

/* What the one task did of it, or all that are asked. */
static struct memory_total memory_of(const struct summary *summary, bool *ret_is_limit)
{
	const struct question *question = summary->question;
	uint32_t only = summary->explanation->path_line;
	struct memory_total sum = {.count = 0};
	nsec_t limit = 0, reclaim = 0;

	for (uint32_t line = 0; line < summary->count; line++) {
		const struct memory_log *log = question->timeline->line[line].memory;

		if (!log || !question->is_asked[line] || (only != LINE_NONE && line != only))
			continue;
		memory_total_add(&sum, &summary->by_line[line].memory);
		limit += log->by_what[MEMORY_MEMCG_RECLAIM].total;
		reclaim += log->by_what[MEMORY_RECLAIM].total;
	}
	*ret_is_limit = limit > reclaim;
	return sum;
}

static double memory_tell(const void *state, const struct summary *summary,
                          const struct cost_list *list, struct buffer *to)
{
	bool is_limit;
	struct memory_total memory = memory_of(summary, &is_limit);
	nsec_t told = memory.running + memory.waiting;
	double part = nsec_ratio(told, list->total - list->apart);
	char figure[FORMAT_BYTES];

	(void)state;
	if (memory.count == 0 || part < ADVICE_LEAST)
		return 0;
	buffer_printf(to, "making room in memory took %s (%.0f %%)", format_duration(told, figure),
	              100 * part);
	buffer_puts(to, is_limit ? ": the limit of a cgroup is reached: raise it (memory.max, "
	                           "memory.high), or let the tasks in it hold less."
	                         : ": free memory is short: let less run at a time, or add some.");
	return part;
}

const struct advice memory_advice = {
	.view = "memory",
	.tell = memory_tell,
};
