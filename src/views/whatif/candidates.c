/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "candidates.h"

#include "base/cleanup.h"
#include "base/data/order.h"
#include "speedup.h"
#include "graph/timeline/timeline_tasks.h"
#include "graph/walk/walk.h"
#include "sentences/say.h"

#define NAMES_SHOWN 5

static struct candidate *candidate_of(struct candidates *candidates, enum what_if_kind kind,
                                      uint32_t name)
{
	return tally_row(&candidates->all, &(struct candidate_key){kind, name});
}

static void candidate_add(struct candidates *candidates, enum what_if_kind kind, uint32_t name,
                          nsec_t time)
{
	if (name && time)
		candidate_of(candidates, kind, name)->total += time;
}

static uint32_t disk_name(struct timeline *timeline, const struct cause_note *note)
{
	return intern_adds(&timeline->names,
	                   TIMELINE_DEVICE_TEXT(timeline, note->as.disk.dev));
}

static void segment_add(struct candidates *candidates, struct timeline *timeline, uint32_t index,
                        size_t at, nsec_t time)
{
	const struct track *track = &timeline->track[index];
	const struct cause_note *note = segment_cause(timeline, &track->segment[at]);
	uint32_t name = timeline_name_at(track, track->segment[at].begin);

	if (track->segment[at].kind == SEGMENT_RUN)
		candidate_add(candidates, WHAT_IF_TASK, name, time);
	if (track->segment[at].kind != SEGMENT_WAIT || !note || timeline_is_open(track, at))
		return;
	if (note->kind == CAUSE_DISK)
		candidate_add(candidates, WHAT_IF_DISK, disk_name(timeline, note), time);
	else if (own_sleep_of(timeline, index, at) == OWN_SLEEP)
		candidate_add(candidates, WHAT_IF_TIMER, name, time);
}

static void locks_add(struct candidates *candidates, const struct question *question,
                      const struct contentions *contentions)
{
	_cleanup_(buffer_release) struct buffer name = buffer_of(4096);

	for (size_t i = 0; i < contentions->count; i++) {
		const struct lock_wait *wait = &contentions->wait[i];
		nsec_t begin = wait->begin, end = wait->end;
		struct candidate *lock;

		if (wait->owner == TRACK_NONE || !question_clip(question, &begin, &end))
			continue;
		buffer_clear(&name);
		contention_append(&name, question->timeline, wait);
		lock = candidate_of(candidates, WHAT_IF_LOCK,
		                    intern_adds(&question->timeline->names, name.text));
		lock->total += end - begin;
		/* paths lead through locks to whoever has them */
		if (question_asks_track(question, wait->waiter))
			lock->on_path += end - begin;
	}
}

/* The path of the asked task while it is walked. */
struct candidate_path {
	struct candidates *candidates;
	struct timeline *timeline;
};

static void path_add(void *state, const struct part *part)
{
	const struct candidate_path *path = state;
	struct timeline *timeline = path->timeline;
	enum what_if_kind kind = WHAT_IF_KINDS;
	uint32_t name = timeline_name_at(&timeline->track[part->track], part->begin);

	if (part->state == PART_RUNNING)
		kind = WHAT_IF_TASK;
	else if (part->state == PART_WAITING && part->cause && part->cause->kind == CAUSE_DISK)
		kind = WHAT_IF_DISK;
	else if (part->state == PART_WAITING && part->cause &&
	         cause_note_is_own_timer(part->cause))
		kind = WHAT_IF_TIMER;
	if (kind == WHAT_IF_DISK)
		name = disk_name(timeline, part->cause);
	if (kind != WHAT_IF_KINDS && name)
		candidate_of(path->candidates, kind, name)->on_path += part->end - part->begin;
}

static void path_walk(struct candidates *candidates, struct timeline *timeline,
                      const struct path_target *target)
{
	struct candidate_path path = {candidates, timeline};
	struct walk_visitor visitor = {.state = &path, .on_part = path_add};
	struct walk_result result = {0};

	walk(timeline, target->track, target->window.begin, target->window.end, &visitor, &result);
}

static int candidate_compare(const void *a, const void *b, void *state)
{
	const struct candidate *x = a, *y = b;

	(void)state;
	return ORDER_BY(FALLING(x, y, on_path), FALLING(x, y, total), RISING(x, y, key.kind),
	                RISING(x, y, key.name));
}

void candidates_init(struct candidates *candidates, const struct question *question,
                     const struct contentions *contentions, const struct path_target *target)
{
	struct timeline *timeline = question->timeline;

	tally_init(&candidates->all, sizeof(struct candidate), sizeof(struct candidate_key),
	           TALLY_NO_LIMIT);
	for (uint32_t index = 0; index < timeline->track_count; index++) {
		const struct track *track = &timeline->track[index];

		for (size_t at = 0; at < track->segment_count && !track->is_idle; at++) {
			nsec_t begin = track->segment[at].begin;
			nsec_t end = timeline_segment_end(track, at);

			if (question_clip(question, &begin, &end))
				segment_add(candidates, timeline, index, at, end - begin);
		}
	}
	locks_add(candidates, question, contentions);
	if (target->track != TRACK_NONE)
		path_walk(candidates, timeline, target);
	tally_sort(&candidates->all, candidate_compare, NULL);
}

void candidates_release(struct candidates *candidates)
{
	tally_release(&candidates->all);
}

bool candidates_append(struct buffer *to, const struct candidates *candidates,
                       const struct timeline *timeline, enum what_if_kind kind)
{
	_cleanup_(buffer_release) struct buffer list = buffer_of(4096);
	size_t count = 0;

	for (size_t i = 0; i < candidates->count; i++) {
		const struct candidate *at = &candidates->candidate[i];

		if (at->key.kind == (uint32_t)kind && count++ < NAMES_SHOWN)
			say(&list, timeline, "{,}{name}", NAME(at->key.name));
	}
	say_more(&list, count, NAMES_SHOWN);
	if (list.text)
		buffer_puts(to, list.text);
	return count > 0;
}
