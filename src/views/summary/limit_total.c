/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cpu.stat counts for how long CPU limits held tasks back, in the whole recording, and all tasks of
 * a control group together. Where much of that could be placed in no task's stay in a run queue,
 * the kernel's total is right, and such stays are not what they seem. It is only used for the whole
 * recording, and where all tasks under the limits are asked for.
 */
#include "limit_total.h"

#include "base/text/format.h"

#define LIMIT_LEAST 0.1 /* least part of the recording that makes a difference */

nsec_t limit_total_unplaced(const struct summary *summary, const struct cost_list *list)
{
	const struct question *question = summary->question;
	const struct timeline *timeline = question->timeline;
	nsec_t missing = question->health->limits_counted_ns - question->health->limits_placed_ns;

	if (question->resolved->is_windowed ||
	    nsec_ratio(missing, timeline->end - timeline->begin) < LIMIT_LEAST)
		return 0;
	for (uint32_t track = 0; track < timeline->track_count; track++)
		if (timeline->track[track].is_limited && !question->resolved->is_asked[track] &&
		    (!question->resolved->is_targeted || timeline->track[track].is_target))
			return 0;
	return nsec_min(missing, cost_list_total(list, COST_QUEUE));
}
