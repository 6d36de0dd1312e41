/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "own_time.h"

#include <string.h>

#include "base/text/format.h"
#include "path_stretches.h"

/* Which worker of the kernel it was is chance. */
uint32_t cost_task(struct timeline *timeline, uint32_t track)
{
	uint32_t comm = track_name(&timeline->track[track]);
	const char *text = intern_text(&timeline->names, comm);
	const char *slash = strchr(text, '/');
	struct buffer stable;

	if (!slash || !track_is_kernel(timeline, track))
		return comm;
	buffer_init(&stable, BUFFER_LIMIT_DEFAULT);
	buffer_append(&stable, text, (size_t)(slash - text));
	buffer_puts(&stable, "/*");
	comm = intern_adds(&timeline->names, stable.text);
	buffer_release(&stable);
	return comm;
}

/* The call in which a task slept that its own timer woke. */
static const char *own_timer_name(const struct cause *cause)
{
	const char *name = sleep_call_name(cause->as.timer.call);

	return name ? name : "sleep";
}

uint32_t cost_object(struct timeline *timeline, const struct cause_note *note)
{
	const struct cause cause = timeline_cause(timeline, note, NSEC_NEVER);

	if (cause.kind == CAUSE_DISK && !cause.disk && cause.as.disk.dev)
		return intern_adds(&timeline->names, DEVICE_TEXT(cause.as.disk.dev));
	if (cause.kind == CAUSE_DISK && cause.disk)
		return intern_adds(&timeline->names, cause.disk);
	if (cause.file)
		return intern_adds(&timeline->names, cause.file);
	if (cause.kind == CAUSE_TIMER && cause.as.timer.is_own)
		return intern_adds(&timeline->names, own_timer_name(&cause));
	if (cause.kind == CAUSE_TASK && note->waker != TRACK_NONE)
		return cost_task(timeline, note->waker);
	return cause.name ? intern_adds(&timeline->names, cause.name) : 0;
}

static enum cost_kind segment_cost(const struct question *question, uint32_t track, size_t at,
                                   bool has_programs, const struct cause_note *cause)
{
	const struct timeline *timeline = question->timeline;
	const struct segment *segment = &timeline->track[track].segment[at];
	enum chosen_sleep chosen = segment_chosen(timeline, track, at);

	if (track_is_of_recorder(question, track))
		return COST_RECORDER;
	if (segment->kind == SEGMENT_UNKNOWN)
		return COST_UNSEEN;
	if (chosen != SLEEP_NOT_CHOSEN)
		return cost_of_sleep(chosen);
	if (segment->kind == SEGMENT_WAIT && has_programs && track_is_kernel(timeline, track))
		return COST_KERNEL;
	return cost_of_part(segment_part_state((enum segment_kind)segment->kind), cause);
}

void own_time_visit(const struct question *question, uint32_t index, bool has_programs,
                    void (*take)(void *state, const struct own_time *time), void *state)
{
	const struct timeline *timeline = question->timeline;
	const struct track *track = &timeline->track[index];

	for (size_t at = track->segment_count; at-- > 0;) {
		const struct segment *segment = &track->segment[at];
		struct own_time time = {
			.track = index,
			.segment = at,
			.cause = segment->cause == CAUSE_NONE
			                 ? NULL
			                 : timeline_cause_at(timeline, segment->cause),
			.begin = segment->begin,
			.end = timeline_segment_end(track, at),
		};

		if (segment->kind == SEGMENT_DEAD ||
		    !question_clip(question, &time.begin, &time.end))
			continue;
		time.kind = segment_cost(question, index, at, has_programs, time.cause);
		take(state, &time);
	}
}
