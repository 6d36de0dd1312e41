/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Later corrections of segments that were added. */
#include "timeline.h"

/* Splits the segment at t: inserts a copy behind it that begins at t. */
static void line_split(struct timeline *timeline, struct line *line, size_t at, nsec_t t)
{
	if (line->segment_count == line->segment_capacity)
		timeline_grow_line(line);
	memmove(line->segment + at + 1, line->segment + at,
	        (line->segment_count - at) * sizeof(*line->segment));
	line->segment_count++;
	line->segment[at + 1].begin = t;
	timeline->bytes += sizeof(*line->segment);
	for (uint32_t i = line->place_count; i-- > 0 && line->place[i].segment > at;)
		line->place[i].segment++;
	for (uint32_t i = line->spurious_wakeup_count;
	     i-- > 0 && line->spurious_wakeup[i].segment > at;)
		line->spurious_wakeup[i].segment++;
}

void timeline_correct(struct timeline *timeline, uint32_t index, nsec_t begin, nsec_t end,
                      const struct cause_note *cause)
{
	struct line *line = &timeline->line[index];
	size_t at = timeline_find(line, end);

	if (at == SIZE_MAX || line->segment[at].kind != SEGMENT_RUNNABLE ||
	    line->segment[at].cause != CAUSE_NONE || line->segment[at].begin > begin ||
	    timeline_segment_end(line, at) < end)
		return;
	if (end < timeline_segment_end(line, at)) {
		line_split(timeline, line, at, end);
		line->segment[at + 1].detail = RUNNABLE_UNTHROTTLED;
	}
	if (line->segment[at].begin < begin)
		line_split(timeline, line, at++, begin);
	line->segment[at].cause = timeline_add_cause(timeline, cause);
}
