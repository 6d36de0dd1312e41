/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "live_handover.h"

#include <stdlib.h>

#include "base/data/array.h"
#include "base/data/map.h"
#include "base/xalloc.h"

const struct carried_wait *live_handover_wait(const struct live_handover *handover,
                                              const struct span *span)
{
	if (!handover || span->track >= handover->task_count || span->begin != handover->time ||
	    handover->wait[span->track].since == NSEC_NEVER)
		return NULL;
	return &handover->wait[span->track];
}

static const char *text_keep(struct live_handover *handover, const struct intern *names,
                             uint32_t id)
{
	return intern_text(&handover->texts, intern_adds(&handover->texts, intern_text(names, id)));
}

/* As /proc/PID/stat would have it; 0: not known. */
static char state_letter(const struct span *span)
{
	switch (span->kind) {
	case SEGMENT_RUN:
	case SEGMENT_RUNNABLE:
		return 'R';
	case SEGMENT_WAIT:
	case SEGMENT_STOPPED:
		return (char)(span->detail & (uint8_t)~WAIT_FOR_WORK);
	case SEGMENT_UNKNOWN:
	case SEGMENT_DEAD:
	case SEGMENT_NEW:
	default:
		return '\0';
	}
}

static struct carried_wait wait_carry(const struct live_handover *before,
                                      const struct timeline *timeline, const struct span *span)
{
	const struct carried_wait *earlier = live_handover_wait(before, span);
	struct carried_wait wait = {.since = NSEC_NEVER};

	if (span->kind != SEGMENT_WAIT && span->kind != SEGMENT_STOPPED)
		return wait;
	if (earlier)
		wait = *earlier;
	else
		wait = (struct carried_wait){
			.since = span->begin,
			.detail = span->detail,
			.timeout = span->timeout,
		};
	wait.is_older |= !before && span->begin == timeline->begin;
	if (span->cause) {
		wait.has_cause = true;
		wait.cause = *span->cause;
	}
	return wait;
}

static uint32_t cgroup_keep(struct live_handover *handover, struct map *by_path,
                            const struct timeline *timeline, const struct stay *stay)
{
	uint32_t index = map_get(by_path, stay->text);

	if (index != MAP_NONE || handover->cgroup_count == SOURCE_CGROUPS_MAX)
		return index == MAP_NONE ? SOURCE_CGROUP_NONE : index;
	index = (uint32_t)handover->cgroup_count;
	ARRAY_ADD(handover->cgroup, handover->cgroup_count, handover->cgroup_capacity) =
		(struct source_cgroup){
		.hierarchy = stay->hierarchy,
		.path = text_keep(handover, &timeline->names, stay->text),
	};
	map_put(by_path, stay->text, index);
	return index;
}

static void process_add(struct live_handover *handover, struct map *by_path,
                        const struct timeline *timeline, uint32_t index)
{
	const struct track *track = &timeline->track[index];
	const struct stay *stay = timeline_group_at(timeline, index, NSEC_NEVER);

	handover->process[handover->process_count++] = (struct known_process){
		.tgid = track->tid,
		.parent = track->parent == TRACK_NONE
		                  ? 0 : track_process_id(&timeline->track[track->parent]),
		.cgroup = stay ? cgroup_keep(handover, by_path, timeline, stay)
		               : SOURCE_CGROUP_NONE,
	};
}

static void task_add(struct live_handover *handover, const struct timeline *timeline,
                     const struct live_handover *before, const struct span *span)
{
	const struct track *track = &timeline->track[span->track];
	size_t at = handover->task_count++;

	handover->track[span->track] = (uint32_t)at;
	handover->task[at] = (struct known_task){
		.tid = track->tid,
		.tgid = track->tgid,
		.comm = text_keep(handover, &timeline->names, track->last_name),
		.state = state_letter(span),
		.is_kernel = track->is_kernel,
	};
	handover->wait[at] = wait_carry(before, timeline, span);
	if (track->is_target)
		handover->pid[handover->pid_count++] = track->tid;
}

static void handover_fill(struct live_handover *handover, const struct live_handover *before,
                          struct machine *old, const struct timeline *timeline)
{
	struct map by_path;

	map_init(&by_path);
	for (uint32_t track = 0; track < timeline->track_count; track++) {
		struct cause_note note;
		struct span span;

		handover->track[track] = TRACK_NONE;
		if (!machine_look(old, track, &span, &note))
			continue;
		task_add(handover, timeline, before, &span);
		if (track_process_id(&timeline->track[track]) == timeline->track[track].tid)
			process_add(handover, &by_path, timeline, track);
	}
	map_release(&by_path);
}

static void handover_note(const struct live_handover *handover, struct recording_notes *notes)
{
	notes->tasks = (struct known_task_list){handover->task, handover->task_count};
	notes->processes = (struct known_process_list){handover->process, handover->process_count};
	notes->cgroups.item = handover->cgroup;
	notes->cgroups.count = handover->cgroup_count;
	/* a recording of some tasks stays one when these have ended */
	if ((notes->pids.count || notes->command.pid) && handover->pid_count)
		notes->pids = (struct tid_list){handover->pid, handover->pid_count};
	notes->open_waits.count = 0;
}

struct live_handover *live_handover_new(const struct source *source,
                                        const struct live_handover *before,
                                        struct machine *old, const struct timeline *timeline,
                                        nsec_t time)
{
	struct live_handover *handover = xcalloc(1, sizeof(*handover));
	size_t count = timeline->track_count;

	handover->time = time;
	handover->old_count = count;
	handover->track = xcalloc(count, sizeof(*handover->track));
	handover->task = xcalloc(count, sizeof(*handover->task));
	handover->wait = xcalloc(count, sizeof(*handover->wait));
	handover->process = xcalloc(count, sizeof(*handover->process));
	handover->pid = xcalloc(count, sizeof(*handover->pid));
	intern_init(&handover->texts);
	handover_fill(handover, before, old, timeline);
	handover->source = *source;
	handover_note(handover, &handover->source.notes);
	return handover;
}

/* The track in the new timeline; TRACK_NONE: the task has ended. */
static uint32_t track_carry(const struct live_handover *handover, uint32_t track)
{
	return track < handover->old_count ? handover->track[track] : TRACK_NONE;
}

static void name_carry(uint32_t *id, const struct timeline *from, struct timeline *to)
{
	if (*id)
		*id = intern_adds(&to->names, intern_text(&from->names, *id));
}

/* Ids of names become those of the new timeline; links to other causes are cut. */
static void members_carry(const struct live_handover *handover, struct cause_note *note,
                          const struct timeline *from, struct timeline *to)
{
	if (note->kind == CAUSE_DISK) {
		name_carry(&note->as.disk.rwbs, from, to);
		note->as.disk.work = 0;
	} else if (note->kind == CAUSE_NET) {
		name_carry(&note->as.net.peer, from, to);
		name_carry(&note->as.net.queue, from, to);
	} else if (note->kind == CAUSE_TIMER) {
		note->as.timer.request = 0;
	} else if (note->kind == CAUSE_TASK || note->kind == CAUSE_LOCK) {
		name_carry(&note->as.lock.file, from, to);
		if (note->as.lock.from)
			note->as.lock.mover = track_carry(handover, note->as.lock.mover);
	} else if (note->kind == CAUSE_MEMORY) {
		name_carry(&note->as.memory.device, from, to);
	} else if (cause_note_has_work(note)) {
		note->as.work.reason = 0;
	}
}

void live_handover_carry(struct live_handover *handover, const struct timeline *from,
                         struct timeline *to)
{
	for (size_t i = 0; i < handover->task_count; i++) {
		struct cause_note *note = &handover->wait[i].cause;

		if (!handover->wait[i].has_cause)
			continue;
		name_carry(&note->name, from, to);
		name_carry(&note->delay.name, from, to);
		note->waker = track_carry(handover, note->waker);
		note->originator = track_carry(handover, note->originator);
		note->file = 0;
		members_carry(handover, note, from, to);
	}
}

struct live_handover *live_handover_free(struct live_handover *handover)
{
	if (!handover)
		return NULL;
	free(handover->task);
	free(handover->wait);
	free(handover->track);
	free(handover->process);
	free(handover->cgroup);
	free(handover->pid);
	intern_release(&handover->texts);
	free(handover);
	return NULL;
}
