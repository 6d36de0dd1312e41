/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "outcome.h"

#include <assert.h>

#include "graph/timeline/timeline_tasks.h"

/* When the track last did something before the plan's end; 0: never. The end of its process, by
   another thread, is nothing that it does. */
static nsec_t last_done(const struct replay_plan *plan, uint32_t index)
{
	const struct track *track = &plan->timeline->track[index];
	bool skips = track->ends_with_another;

	for (size_t at = track->segment_count; at-- > 0;) {
		if (track->segment[at].kind != SEGMENT_RUN ||
		    track->segment[at].begin >= plan->end)
			continue;
		if (!skips)
			return nsec_min(timeline_segment_end(track, at), plan->end);
		skips = false;
	}
	return 0;
}

/* The task whose doing ends last in the replayed time. */
struct last_one {
	uint32_t track;
	nsec_t at;  /* recorded */
	nsec_t end; /* replayed */
};

/* Of the task and all that it needs, if it needs what its threads and children do. */
static struct last_one last_needed(struct replay *replay, uint32_t index)
{
	const struct replay_plan *plan = replay->plan;
	struct last_one last = {index, plan->end,
	                        plan->end - replay_saved(replay, index, plan->end)};

	for (uint32_t i = 0; i < plan->timeline->track_count; i++) {
		nsec_t done, end;

		if (i == index || (!timeline_is_one_process(plan->timeline, i, index) &&
		                   !timeline_descends(plan->timeline, i, index)))
			continue;
		done = last_done(plan, i);
		end = done > plan->begin ? done - replay_saved(replay, i, done) : 0;
		if (end > last.end)
			last = (struct last_one){i, done, end};
	}
	return last;
}

static void outcome_replay(const struct replay_plan *plan, const struct speedup *speedup,
                           uint32_t track, struct outcome *ret)
{
	struct replay replay;
	struct last_one last;

	replay_init(&replay, plan, speedup, /* keeps_queues= */ true);
	last = last_needed(&replay, track);
	ret->low = plan->end - last.end;
	ret->limit = limit_find(&replay, last.track, last.at);
	replay_release(&replay);
	replay_init(&replay, plan, speedup, /* keeps_queues= */ false);
	ret->high = replay_saved(&replay, track, plan->end);
	replay_release(&replay);
	assert(ret->low <= ret->high);
}

struct outcome outcome_find(const struct replay_plan *plan, const struct what_if_spec *spec,
                            const struct question *question, uint32_t track,
                            const struct contentions *contentions)
{
	struct outcome outcome = {.limit.track = TRACK_NONE};
	struct speedup speedup;

	speedup_init(&speedup, spec, question, contentions);
	outcome.is_there = speedup.is_there;
	outcome.refused = speedup.refused;
	if (speedup.is_there && !speedup.refused && plan->begin < plan->end)
		outcome_replay(plan, &speedup, track, &outcome);
	speedup_release(&speedup);
	return outcome;
}
