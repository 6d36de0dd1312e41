/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lock_holder.h"

#include "base/text/format.h"

nsec_t holder_stopped(const struct timeline *timeline, uint32_t track, nsec_t begin,
                      nsec_t end)
{
	const struct track *of = &timeline->track[track];
	nsec_t sum = 0;

	for (size_t at = of->segment_count; at-- > 0 && timeline_segment_end(of, at) > begin;) {
		nsec_t from = nsec_max(of->segment[at].begin, begin);
		nsec_t to = nsec_min(timeline_segment_end(of, at), end);

		if (of->segment[at].kind == SEGMENT_STOPPED && from < to)
			sum += to - from;
	}
	return sum;
}

void holder_stopped_append(struct buffer *to, const struct timeline *timeline,
                           const struct cause_note *cause, nsec_t begin, nsec_t end)
{
	const struct track *of;
	nsec_t stopped;

	if (cause->kind != CAUSE_LOCK || cause->originator == TRACK_NONE)
		return;
	of = &timeline->track[cause->originator];
	stopped = holder_stopped(timeline, cause->originator, begin, end);
	if (of->segment_count && of->segment[of->segment_count - 1].kind == SEGMENT_STOPPED &&
	    of->is_open && end >= of->end)
		buffer_puts(to, ", which is stopped");
	else if (stopped && stopped >= (end - begin) / 2)
		buffer_printf(to, ", which was stopped for %s of that", DURATION_TEXT(stopped));
}
