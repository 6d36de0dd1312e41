/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "noted_locks.h"

#include "analysis/hangs.h"
#include "graph/brief_aim.h"
#include "words/cause/futex_kind.h"

static bool list_has_waiter(const struct lock_list *list, uint32_t track)
{
	for (size_t i = 0; i < list->share_count; i++)
		if (list->share[i].waiter == track && list->share[i].figures.open)
			return true;
	return false;
}

static bool wait_is_for_lock(const struct question *question, const struct hang *hang)
{
	struct track *track = &question->timeline->track[hang->track];
	size_t at = timeline_find(track, hang->end);

	return hang->is_open && at != SIZE_MAX &&
	       brief_aim_of_segment(question->timeline, hang->track, at).kind == AIM_LOCK;
}

static struct interval interval_of(const struct hang *hang)
{
	const struct open_wait *wait = hang->wait;
	struct interval interval = {
		.kind = INTERVAL_LOCK,
		.begin = hang->begin,
		.end = hang->end,
		.phase = {NSEC_NEVER, NSEC_NEVER},
		.is_open = true,
		.task = hang->track,
		.other = hang->owner,
		.lock = {
			.address = wait->address,
			.has_slept = true,
			.owner_confidence = CONFIDENCE_HIGH,
		},
	};

	if (open_wait_is_for_file_lock(wait)) {
		interval.lock.dev = wait->dev;
		interval.lock.what = wait->kind == OPEN_WAIT_FLOCK ? LOCK_OF_FLOCK : LOCK_OF_POSIX;
	} else {
		interval.lock.flags = LOCK_FLAG_FUTEX | FUTEX_SLEPT | FUTEX_LOCKED;
	}
	return interval;
}

void noted_locks_visit(const struct question *question, const struct lock_list *list,
                       void (*take)(void *state, const struct interval *interval), void *state)
{
	struct timeline *timeline = question->timeline;
	struct hangs hangs;

	hangs_find(&hangs, question);
	for (size_t i = 0; i < hangs.count; i++) {
		const struct hang *hang = &hangs.hang[i];
		struct interval interval;

		if (!hang->wait->address || !wait_is_for_lock(question, hang) ||
		    list_has_waiter(list, hang->track))
			continue;
		interval = interval_of(hang);
		if (open_wait_is_for_file_lock(hang->wait) && hang->wait->path)
			file_names_add(&timeline->files, &timeline->names, hang->wait->dev,
			               hang->wait->address, hang->wait->path);
		take(state, &interval);
	}
	hangs_release(&hangs);
}
