/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "asked_share.h"

static void take_window(const struct question *question, uint32_t index,
                        struct explained_time *sum)
{
	const struct track *track = &question->timeline->track[index];

	for (size_t at = 0; at < track->segment_count; at++) {
		struct span span = timeline_span(question->timeline, index, at);

		if (span.kind != SEGMENT_DEAD && question_clip(question, &span.begin, &span.end))
			explained_time_add(sum, &span);
	}
}

void asked_share_take(const struct question *question, struct health *health)
{
	const struct timeline *timeline = question->timeline;
	const struct resolved *resolved = question->resolved;
	struct explained_time sum = {0};

	if (resolved->is_windowed && !timeline->keep_segments)
		return;
	for (uint32_t index = 0; index < timeline->track_count; index++) {
		const struct track *track = &timeline->track[index];

		if (!resolved->is_asked[index] || track->is_idle)
			continue;
		if (resolved->is_windowed) {
			take_window(question, index, &sum);
		} else {
			sum.all += track->time.all;
			sum.explained += track->time.explained;
		}
	}
	if (sum.all == health->task_ns)
		return;
	health->asked_ns = sum.all;
	/* 0 in a trace without sched_switch */
	health->asked_explained_ns = nsec_min(sum.explained, health->explained_ns);
}
