/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Making room in memory: reclaim and compaction need not sleep, so no wait shows them. */
#include "advice.h"
#include "base/format.h"

/* The time that all asked tasks spent on it. */
static nsec_t memory_of_all(const struct summary *summary, bool *ret_is_limit)
{
	const struct question *question = summary->question;
	struct memory_total sum = {.count = 0};
	nsec_t limit = 0, reclaim = 0;

	for (uint32_t line = 0; line < summary->count; line++) {
		const struct memory_log *log = question->timeline->line[line].memory;

		if (!log || !question->resolved->is_asked[line])
			continue;
		memory_total_add(&sum, &summary->by_line[line].memory);
		limit += log->by_what[MEMORY_MEMCG_RECLAIM].total;
		reclaim += log->by_what[MEMORY_RECLAIM].total;
	}
	*ret_is_limit = limit > reclaim;
	return sum.running + sum.waiting;
}

/* The time on the one path, and the time that the task itself slept for it. */
static nsec_t memory_of_path(const struct summary *summary, bool *ret_is_limit)
{
	const struct explanation *explanation = summary->explanation;
	const struct path_memory *memory = &explanation->path_sums.memory;

	*ret_is_limit = path_memory_is_for_limit(memory);
	return path_memory_total(memory) +
	       (explanation->path_line < summary->count
	                        ? summary->by_line[explanation->path_line].memory.waiting
	                        : 0);
}

static double advice_memory_advise(const void *state, const struct summary *summary,
                                   const struct cost_list *list, struct buffer *to)
{
	bool is_path = summary->explanation->path_line != LINE_NONE, is_limit;
	nsec_t spent = is_path ? memory_of_path(summary, &is_limit)
	                       : memory_of_all(summary, &is_limit);
	double part = nsec_ratio(spent, list->total - list->apart);

	(void)state;
	if (spent == 0 || part < ADVICE_LEAST)
		return 0;
	buffer_printf(to, "making room in memory took %s (%.0f %%)", DURATION_TEXT(spent),
	              100 * part);
	buffer_puts(to, is_limit ? ": the limit of a cgroup is reached: raise it (memory.max, "
	                           "memory.high), or let the tasks in it hold less."
	                         : ": free memory is short: let less run at a time, or add some.");
	return part;
}

const struct advice memory_advice = {
	.view = "memory",
	.advise = advice_memory_advise,
};
