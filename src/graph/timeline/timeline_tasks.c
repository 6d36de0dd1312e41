/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "timeline_tasks.h"

#include <assert.h>
#include <stdio.h>

#include "base/assume.h"
#include "base/data/array.h"
#include "base/xalloc.h"
#include "ftwait/aim.h"
#include "words/kernel/control_group_name.h"

void timeline_add_aim(struct timeline *timeline, uint32_t index, const struct aim_note *aim,
                      const struct cause_note *cause)
{
	struct track *track = &timeline->track[index];
	struct aim_log *log = track->aims;

	if (!timeline->keep_segments)
		return;
	assert(aim->begin <= aim->end);
	if (!log)
		log = track->aims = xcalloc(1, sizeof(*log));
	if (log->count && log->note[log->count - 1].end > aim->begin)
		return;
	ARRAY_GROW(log->note, log->count, log->capacity);
	log->note[log->count] = *aim;
	if (cause)
		log->note[log->count].cause = timeline_add_cause(timeline, cause);
	log->count++;
	timeline->bytes += sizeof(*aim);
}

const struct aim_note *timeline_aim_note(const struct timeline *timeline, uint32_t index,
                                         nsec_t begin, nsec_t end)
{
	struct aim_log *log = timeline->track[index].aims;
	const struct aim_note *aim;
	const struct cause_note *request;
	size_t at;

	ASSUME(begin <= end);
	if (!log || log->count == 0)
		return NULL;
	at = array_after_u64(&log->note->end, log->count, sizeof(*log->note), begin, &log->hint);
	aim = &log->note[at];
	if (at == log->count || aim->begin > begin || aim->end < end)
		return NULL;
	if (aim->kind != AIM_ANSWER || aim->how != AIM_HAD)
		return aim;
	request = timeline_cause_at(timeline, aim->cause);
	return request_is_one(request) && !request->as.net.is_unanswered ? aim : NULL;
}

void timeline_begin_idle(struct timeline *timeline, uint32_t index, nsec_t until)
{
	struct track *track = &timeline->track[index];

	for (size_t at = 0; at < track->segment_count && !track->is_trimmed; at++) {
		struct segment *segment = &track->segment[at];
		const struct cause_note *cause;

		if (timeline_segment_end(track, at) > until)
			return;
		if (segment->kind != SEGMENT_WAIT || segment->cause == CAUSE_NONE)
			continue;
		cause = timeline_cause_at(timeline, segment->cause);
		if (cause_note_is_own_timer(cause))
			continue;
		if (cause->kind != CAUSE_TASK ||
		    !timeline_is_one_process(timeline, index, cause->waker))
			return;
		segment->detail |= WAIT_FOR_WORK;
	}
}

bool timeline_was_in_group(const struct timeline *timeline, uint32_t index,
                           const char *const *globs, size_t count)
{
	const struct track *track = &timeline->track[index];
	nsec_t begin = track->born == NSEC_NEVER ? 0 : track->born;
	nsec_t end = track->is_open || track->end == 0 ? NSEC_NEVER : track->end;
	const struct stay *stay = timeline_group_at(timeline, index, end);

	while (stay) {
		for (size_t i = 0; stay->text && i < count; i++)
			if (control_group_matches(intern_text(&timeline->names, stay->text),
			                          globs[i]))
				return true;
		if (stay->since <= begin)
			break;
		stay = timeline_group_at(timeline, index, stay->since - 1);
	}
	return false;
}

uint32_t timeline_leader_at(const struct timeline *timeline, uint32_t index, nsec_t t)
{
	const struct track *track = timeline->track;

	while (track[index].succession.heir != TRACK_NONE)
		index = track[index].succession.heir;
	while (track[index].succession.former != TRACK_NONE &&
	       t <= track[track[index].succession.former].end)
		index = track[index].succession.former;
	return index;
}

/* Whether leaders still follow each other in one row, without a circle, if the track comes after
   that leader. Damaged events may say otherwise. */
static bool track_may_succeed(const struct track *track, uint32_t index, uint32_t leader)
{
	if (track[index].succession.former != TRACK_NONE ||
	    track[leader].succession.heir != TRACK_NONE)
		return false;
	while (leader != index && track[leader].succession.former != TRACK_NONE)
		leader = track[leader].succession.former;
	return leader != index;
}

void timeline_succeed(struct timeline *timeline, uint32_t index, uint32_t leader)
{
	struct track *track = &timeline->track[index], *former = &timeline->track[leader];

	if (!track_may_succeed(timeline->track, index, leader))
		return;
	assert(index != leader);
	track->succession.former = leader;
	track->succession.creator = track->parent;
	track->succession.created = track->born;
	track->parent = former->parent;
	track->born = former->born;
	track->is_target |= former->is_target;
	track->is_command = former->is_command;
	former->is_command = false;
	former->succession.heir = index;
}

const char *timeline_own_name(const struct timeline *timeline, uint32_t name)
{
	return hosts_own_name(&timeline->hosts, intern_text(&timeline->names, name));
}

const char *timeline_device_text(const struct timeline *timeline, uint32_t dev,
                                 char to[static DEVICE_NAME_BYTES])
{
	const struct device_names *devices = &timeline->devices;
	uint32_t name = device_names_find(devices, dev);
	const char *text = name ? intern_text(&timeline->names, name)
	                        : TIMELINE_DEVICE_NUMBERS(timeline, dev);
	const char *host = hosts_name(&timeline->hosts, device_names_host(devices, dev));

	if (name && !host)
		return text;
	(void)snprintf(to, DEVICE_NAME_BYTES, "%s%s%s", host ? host : "", host ? ":" : "", text);
	return to;
}
