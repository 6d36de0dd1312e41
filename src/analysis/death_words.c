/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "death_words.h"

#include <inttypes.h>

#include "prose.h"

const struct track_death *track_death_of(const struct track *track)
{
	bool is_known = track->death.kind == DEATH_STATUS || track->death.kind == DEATH_SIGNAL;

	return is_known && !track->is_open && track->begin != NSEC_NEVER ? &track->death : NULL;
}

static void death_signal_append(struct buffer *to, const struct timeline *timeline,
                                const struct track_death *death)
{
	if (death->name)
		buffer_puts(to, intern_text(&timeline->names, death->name));
	else
		buffer_printf(to, "signal %" PRId32, death->number);
}

void death_append(struct buffer *to, const struct timeline *timeline,
                  const struct track_death *death)
{
	if (death->kind == DEATH_STATUS) {
		buffer_printf(to, "exit status %" PRId32, death->number);
		return;
	}
	death_signal_append(to, timeline, death);
	if (death->is_oom)
		buffer_puts(to, " of the OOM killer");
}

/* The reported sender of the OOM killer's signal only allocated memory; a signal that a task sent
   itself needs no sender. */
void death_sentence_append(struct buffer *to, const struct timeline *timeline, uint32_t track)
{
	const struct track_death *death = &timeline->track[track].death;

	if (death->is_oom) {
		buffer_puts(to, " was killed by the kernel's OOM killer: memory, or the memory "
		                "limit of a cgroup, was exhausted");
		if (death->by != TRACK_NONE && death->by != track) {
			buffer_puts(to, " when ");
			prose_task_append(to, timeline, death->by);
			buffer_puts(to, " asked for more");
		}
		return;
	}
	buffer_puts(to, " died of ");
	death_signal_append(to, timeline, death);
	if (death->by != TRACK_NONE &&
	    !timeline_is_one_process(timeline, death->by, track)) {
		buffer_puts(to, " from ");
		prose_task_append(to, timeline, death->by);
	}
}
