/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "timeline_aims.h"

#include "base/xalloc.h"

void timeline_add_aim(struct timeline *timeline, uint32_t index, const struct aim_note *aim,
                      const struct cause_note *cause)
{
	struct track *track = &timeline->track[index];
	struct aim_note note = *aim;

	if (!timeline->keep_segments)
		return;
	if (!track->aims)
		track->aims = xcalloc(1, sizeof(*track->aims));
	if (track->aims->count && track->aims->note[track->aims->count - 1].end > aim->begin)
		return;
	if (cause)
		note.cause = timeline_add_cause(timeline, cause);
	aim_log_add(track->aims, &note);
	timeline->bytes += sizeof(note);
}
