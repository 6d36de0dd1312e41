/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "timeline.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/assume.h"
#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/text/buffer.h"
#include "words/cause/cause_kind.h"

#define ANCESTORS_MAX 64 /* a bound for damaged data */

void timeline_init(struct timeline *timeline, bool keep_segments)
{
	*timeline = (struct timeline){.keep_segments = keep_segments};
	timeline_begin_half(timeline);
	map_init(&timeline->cause_by_hash);
	intern_init(&timeline->names);
	user_variables_init(&timeline->variables);
	map_init(&timeline->futex_signs);
}

void timeline_release(struct timeline *timeline)
{
	for (size_t i = 0; i < timeline->track_count; i++) {
		free(timeline->track[i].segment);
		free(timeline->track[i].place);
		free(timeline->track[i].sample);
		free(timeline->track[i].spurious_wakeup);
		free(timeline->track[i].name);
		free(timeline->track[i].rank);
		memory_log_drop(timeline->track[i].memory);
		free(timeline->track[i].memory);
		if (timeline->track[i].aims)
			free(timeline->track[i].aims->note);
		free(timeline->track[i].aims);
		series_forget(&timeline->track[i].series);
	}
	free(timeline->track);
	for (size_t i = 0; i < timeline->side_count; i++)
		free(timeline->side[i]);
	free(timeline->side);
	free(timeline->cause);
	free(timeline->old_link);
	map_release(&timeline->cause_by_hash);
	device_names_release(&timeline->devices);
	tally_release(&timeline->files.tally);
	intern_release(&timeline->names);
	stay_log_release(&timeline->groups.stays);
	program_log_release(&timeline->programs);
	descriptor_log_release(&timeline->descriptors);
	tally_release(&timeline->variables.tally);
	map_release(&timeline->futex_signs);
	*timeline = (struct timeline){0};
}

uint32_t timeline_add_track(struct timeline *timeline, int32_t tid)
{
	if (timeline->track_count >= TRACKS_MAX)
		return TRACK_NONE;
	ARRAY_GROW(timeline->track, timeline->track_count, timeline->track_capacity);
	timeline->track[timeline->track_count] = (struct track){
		.tid = tid,
		.tgid = -1,
		.priority = PRIORITY_UNKNOWN,
		.parent = TRACK_NONE,
		.thread = TRACK_NONE,
		.old_parent = TRACK_NONE,
		.last_child = TRACK_NONE,
		.child_before = TRACK_NONE,
		.succession = {TRACK_NONE, TRACK_NONE, TRACK_NONE, NSEC_NEVER},
		.death.by = TRACK_NONE,
		.ask.by = TRACK_NONE,
		.born = NSEC_NEVER,
		.begin = NSEC_NEVER,
		.exits_since = NSEC_NEVER,
		.walk_frame = TRACK_NONE,
	};
	return (uint32_t)timeline->track_count++;
}

/* The id in names of a task's name: with several machines, "web:nginx". Its bytes are not cleaned,
   as globs are matched against them. */
static uint32_t timeline_task_name(struct timeline *timeline, const struct track *track,
                                   const char *name, size_t length)
{
	_cleanup_(buffer_release) struct buffer whole = {0};

	if (timeline->hosts.count == 0)
		return intern_add(&timeline->names, name, length);
	buffer_init(&whole, BUFFER_LIMIT_DEFAULT);
	buffer_puts(&whole, timeline->hosts.host[track->host].name);
	buffer_putc(&whole, ':');
	for (size_t i = 0; i < length; i++)
		buffer_putc(&whole, name[i]);
	return intern_add(&timeline->names, whole.text, whole.length);
}

void timeline_add_name(struct timeline *timeline, uint32_t index, nsec_t time, const char *name,
                       size_t length)
{
	struct track *track = &timeline->track[index];
	uint32_t id = timeline_task_name(timeline, track, name, length);
	bool is_later = track->begin != NSEC_NEVER && time != NSEC_NEVER && time > track->end;

	track->last_name = id;
	if (track->name_count && track->name[track->name_count - 1].time > time) {
		if (track->name[track->name_count - 1].name == id)
			track->name[track->name_count - 1].time = time;
		else
			track->name_count--;
	}
	if (track->name_count && track->name[track->name_count - 1].name == id)
		return;
	/* nearly all tracks have one name for ever */
	ARRAY_GROW_FROM(track->name, track->name_count, track->name_capacity, 1);
	track->name[track->name_count++] = (struct name_change){
		.time = time,
		/* it gets the name while it runs: since its last segment's end it has run */
		.active = track->active + (is_later ? time - track->end : 0),
		.name = id,
	};
}

void timeline_set_rank(struct timeline *timeline, uint32_t index, nsec_t time,
                       const struct rank *rank)
{
	struct track *track = &timeline->track[index];
	int16_t before = track->priority;

	track->priority = rank->priority;
	if (!timeline->keep_segments ||
	    (!track->rank && before == PRIORITY_UNKNOWN && !rank_is_lent(rank)))
		return;
	if (!track->rank) {
		ARRAY_GROW_FROM(track->rank, track->rank_count, track->rank_capacity, 2);
		track->rank[track->rank_count++] = (struct rank){
			.until = NSEC_NEVER,
			.lender = TRACK_NONE,
			.priority = before == PRIORITY_UNKNOWN ? rank->own : before,
			.own = before == PRIORITY_UNKNOWN ? rank->own : before,
		};
		timeline->bytes += sizeof(*track->rank);
	}
	assert(track->rank[track->rank_count - 1].until == NSEC_NEVER);
	track->rank[track->rank_count - 1].until = time;
	ARRAY_GROW_FROM(track->rank, track->rank_count, track->rank_capacity, 2);
	track->rank[track->rank_count] = *rank;
	track->rank[track->rank_count++].until = NSEC_NEVER;
	timeline->bytes += sizeof(*track->rank);
}

struct rank track_rank(const struct track *track, nsec_t t)
{
	/* the first rank that lasts longer than t */
	size_t at = ARRAY_AFTER(track->rank, track->rank_count, until, t);

	ASSUME(!track->rank_count || track->rank[track->rank_count - 1].until == NSEC_NEVER);
	if (at < track->rank_count)
		return track->rank[at];
	return (struct rank){NSEC_NEVER, TRACK_NONE, track->priority, track->priority};
}

/* A hash of the members in which recurring notes differ. */
static uint64_t cause_hash(const struct cause_note *note)
{
	uint64_t bits = (uint64_t)note->kind << 24 | (uint64_t)note->confidence << 16 |
	                (uint64_t)note->memory << 8 | (uint64_t)note->purpose << 32 |
	                note->is_walked;
	/* the rest are disk requests, most of which do not recur */
	uint64_t members = note->as.word[0] ^ (note->as.word[1] << 32 | note->as.word[1] >> 32);

	return ((uint64_t)note->waker << 32 | note->name) * 0x9e3779b97f4a7c15u ^
	       ((uint64_t)note->originator << 32 | bits) * 0xff51afd7ed558ccdu ^
	       members * 0xc4ceb9fe1a85ec53u;
}

/* Equal notes share an index; if another note occupies the hash, it only costs a second copy. */
uint32_t timeline_add_new_cause(struct timeline *timeline, const struct cause_note *note)
{
	/* unless something in it happened at a time of its own */
	bool may_come_again = note->origin == NSEC_NEVER && !note->delay.raised_before &&
	                      !(note->kind == CAUSE_DISK && note->as.disk.sector) &&
	                      !(cause_note_has_work(note) && note->as.work.begun);
	uint32_t *recent = &timeline->recent_cause[cause_slot(note)];
	uint64_t hash = 0;
	uint32_t index;

	if (may_come_again) {
		hash = cause_hash(note);
		index = map_get(&timeline->cause_by_hash, hash);
		if (index != MAP_NONE && cause_is_same(timeline_cause_at(timeline, index), note)) {
			*recent = index + 1;
			return index;
		}
	}
	if (timeline->cause_count >= CAUSE_NONE - 1 - timeline->causes_gone)
		return CAUSE_NONE;
	index = timeline->causes_gone + (uint32_t)timeline->cause_count;
	ARRAY_ADD(timeline->cause, timeline->cause_count, timeline->cause_capacity) = *note;
	timeline->bytes += sizeof(*note);
	if (may_come_again) {
		map_put(&timeline->cause_by_hash, hash, index);
		*recent = index + 1;
	}
	return index;
}

uint32_t timeline_note_cause(struct timeline *timeline, const struct cause_note *note)
{
	return timeline->keep_segments ? timeline_add_cause(timeline, note) : CAUSE_NONE;
}

struct cause_note *timeline_old_cause(const struct timeline *timeline, uint32_t link)
{
	size_t count = timeline->old_count;
	size_t at = array_lower_bound(timeline->old_link, count, sizeof(link), link);

	ASSUME(count <= timeline->cause_count);
	return at < count && timeline->old_link[at] == link ? &timeline->cause[at] : NULL;
}

void timeline_add_place(struct timeline *timeline, struct track *track,
                        const struct sleep_place *place)
{
	ASSUME(!track->place_count ||
	       track->place[track->place_count - 1].segment < track->segment_count);
	ARRAY_ADD(track->place, track->place_count, track->place_capacity) =
		(struct segment_place){(uint32_t)track->segment_count, *place};
	timeline->place_count++;
	timeline->bytes += sizeof(*track->place);
}

const struct sleep_place *timeline_place(const struct track *track, size_t segment)
{
	size_t at = array_lower_bound(track->place, track->place_count, sizeof(*track->place),
	                              (uint32_t)segment);

	ASSUME(segment < track->segment_count);
	return at < track->place_count && track->place[at].segment == segment
	               ? &track->place[at].place
	               : NULL;
}

struct run_sample *timeline_add_sample(struct timeline *timeline, uint32_t index, nsec_t time)
{
	struct track *track = &timeline->track[index];

	if (!timeline->keep_segments ||
	    (track->sample_count && track->sample[track->sample_count - 1].time > time))
		return NULL;
	ARRAY_GROW(track->sample, track->sample_count, track->sample_capacity);
	track->sample[track->sample_count] = (struct run_sample){.time = time};
	timeline->sample_count++;
	timeline->bytes += sizeof(*track->sample);
	return &track->sample[track->sample_count++];
}

const struct run_sample *timeline_samples(const struct track *track, nsec_t begin, nsec_t end,
                                          size_t *ret_count)
{
	size_t size = sizeof(*track->sample), count = track->sample_count;
	size_t first = array_lower_bound_u64(track->sample, count, size, begin);

	assert(begin <= end);
	*ret_count = array_lower_bound_u64(track->sample, count, size, end) - first;
	return *ret_count ? &track->sample[first] : NULL;
}

void timeline_begin_half(struct timeline *timeline)
{
	timeline->half = NSEC_NEVER;
	timeline->bytes_half = timeline->bytes_max ? timeline->bytes_max / 2 : SIZE_MAX;
}

void timeline_limit(struct timeline *timeline, size_t bytes_max)
{
	timeline->bytes_max = bytes_max;
	if (timeline->half == NSEC_NEVER)
		timeline_begin_half(timeline);
}

void timeline_mark_half(struct timeline *timeline, nsec_t time)
{
	assert(timeline->half == NSEC_NEVER);
	timeline->half = time;
	timeline->bytes_half = SIZE_MAX;
	timeline->half_cause = timeline->causes_gone + (uint32_t)timeline->cause_count;
}

void timeline_grow_track(struct track *track)
{
	assert(track->segment_count == track->segment_capacity);
	ARRAY_GROW_FROM(track->segment, track->segment_count, track->segment_capacity, 3);
}

/* Fewer segments are found in as few steps without a guess. */
#define GUESS_SEGMENTS_LEAST 64

/* About where t is, as if all segments before the last search's place were equally long, and all
   after it: each step of a search is in another cache line. */
static size_t timeline_guess(const struct track *track, nsec_t t)
{
	const struct segment *segment = track->segment;
	size_t count = track->segment_count, at = track->hint;
	nsec_t begin, first;

	if (count < GUESS_SEGMENTS_LEAST || at >= count)
		return at;
	begin = segment[at].begin;
	if (begin < t) {
		if (t >= track->end)
			return count - 1;
		return at + (size_t)((double)(t - begin) / (double)(track->end - begin) *
		                     (double)(count - 1 - at));
	}
	first = segment[0].begin;
	if (t <= first)
		return 0;
	return (size_t)((double)(t - first) / (double)(begin - first) * (double)at);
}

/*
 * Gallops from near there: walks go back step by step, through the track of a waker a few segments
 * at a time. Between the steps segment[low] begins before t, segment[high] does not.
 */
size_t timeline_find(struct track *track, nsec_t t)
{
	const struct segment *segment = track->segment;
	size_t low = 0, high = track->segment_count, at, step = 1;

	if (high == 0)
		return SIZE_MAX;
	at = timeline_guess(track, t);
	/* the first segment is looked at last: it is in another cache line */
	if (at < high && segment[at].begin < t) {
		for (low = at; low + step < high && segment[low + step].begin < t; step *= 2)
			low += step;
		high = low + step < high ? low + step : high;
	} else if (at < high) {
		for (high = at; step < high && segment[high - step].begin >= t; step *= 2)
			high -= step;
		low = step < high ? high - step : 0;
	}
	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (segment[middle].begin < t)
			low = middle;
		else
			high = middle;
	}
	if (low == 0 && segment[0].begin >= t)
		return SIZE_MAX;
	ASSUME(segment[low].begin < t &&
	       (low + 1 == track->segment_count || segment[low + 1].begin >= t));
	return track->hint = low;
}

void timeline_add_memory(struct timeline *timeline, uint32_t index,
                         const struct memory_stretch *stretch)
{
	struct track *track = &timeline->track[index];
	struct memory_log *log = track->memory;

	assert(stretch->begin <= stretch->end && stretch->what < MEMORY_WHAT_COUNT);
	if (!log)
		log = track->memory = xcalloc(1, sizeof(*log));
	memory_total_add_stretch(&log->by_what[stretch->what], stretch);
	if (stretch->is_inner)
		return;
	memory_total_add_stretch(&log->outer, stretch);
	if (!timeline->keep_segments)
		return;
	/* outer ones come in order of time */
	assert(!log->count || log->stretch[log->count - 1].end <= stretch->end);
	ARRAY_GROW_FROM(log->stretch, log->count, log->capacity, 3);
	log->stretch[log->count++] = *stretch;
	timeline->bytes += sizeof(*stretch);
}

/* The part of the stretch that lies in the window, and what the task did in it. */
static struct memory_stretch stretch_clip(struct track *track, const struct memory_stretch *stretch,
                                          nsec_t begin, nsec_t end)
{
	struct memory_stretch part = {
		.begin = nsec_max(begin, stretch->begin),
		.end = nsec_min(end, stretch->end),
		.what = stretch->what,
	};
	size_t at = timeline_find(track, part.begin + 1); /* the first segment that ends after the
	                                                     part's begin */

	assert(part.begin <= part.end);
	for (at = at == SIZE_MAX ? 0 : at;
	     at < track->segment_count && track->segment[at].begin < part.end; at++) {
		nsec_t from = nsec_max(part.begin, track->segment[at].begin);
		nsec_t to = nsec_min(part.end, timeline_segment_end(track, at));

		if (track->segment[at].kind == SEGMENT_RUN)
			part.running += to - from;
		else if (track->segment[at].kind == SEGMENT_WAIT)
			part.waiting += to - from;
	}
	ASSUME(part.running + part.waiting <= part.end - part.begin);
	return part;
}

void track_memory_within(struct track *track, nsec_t begin, nsec_t end, struct memory_total *ret)
{
	const struct memory_log *log = track->memory;

	assert(begin <= end);
	*ret = (struct memory_total){0};
	for (size_t at = memory_log_find(log, begin); memory_log_reaches(log, at, end); at++) {
		struct memory_stretch part = stretch_clip(track, &log->stretch[at], begin, end);

		memory_total_add_stretch(ret, &part);
	}
}

uint32_t timeline_name_at(const struct track *track, nsec_t time)
{
	size_t given;

	if (track->name_count == 0)
		return 0;
	if (time == NSEC_NEVER)
		return track_name(track);
	given = ARRAY_AFTER(track->name, track->name_count, time, time);
	return track->name[given ? given - 1 : 0].name;
}

/* The thread's own last stay by t; NULL: it is where its process is. */
static const struct stay *thread_stay(const struct timeline *timeline, const struct track *track,
                                      nsec_t t)
{
	const struct stay *stay;

	if (!timeline->groups.has_threads || track->tgid <= 0 ||
	    track->tgid == track->tid)
		return NULL;
	stay = stay_log_at(&timeline->groups.stays, (uint32_t)track_id(track), t);
	/* the tid may have been that of another task before */
	if (!stay || !stay->text || (track->born != NSEC_NEVER && stay->since < track->born))
		return NULL;
	return stay;
}

const struct stay *timeline_group_at(const struct timeline *timeline, uint32_t index, nsec_t t)
{
	const struct track *track = &timeline->track[index];
	const struct stay *stay, *own;

	if (timeline->groups.stays.count == 0 || track->tid == 0)
		return NULL;
	stay = stay_log_at(&timeline->groups.stays, (uint32_t)track_process_id(track), t);
	own = thread_stay(timeline, track, t);
	if (own && (!stay || own->since >= stay->since))
		stay = own;
	return stay && stay->text ? stay : NULL;
}

/* Of the program that the task executed before the trace; 0: not known. */
static uint32_t task_older_program(const struct timeline *timeline, const struct track *track)
{
	return track->born == NSEC_NEVER
	               ? program_log_older(&timeline->programs, track_process_id(track)) : 0;
}

uint32_t timeline_program_at(const struct timeline *timeline, uint32_t index, nsec_t t)
{
	const struct stay *stay = stay_log_at(&timeline->programs.stays, index, t);

	return stay ? stay->text : task_older_program(timeline, &timeline->track[index]);
}

/* What tells the task apart from others with the name `comm`, which it has at that time; 0:
   nothing. The name stands for the last program that can have given it. */
static uint32_t task_label(const struct timeline *timeline, uint32_t index, uint32_t comm,
                           nsec_t time)
{
	const struct program_log *programs = &timeline->programs;
	const struct stay *stay = stay_log_at(&programs->stays, index, time);
	uint32_t label = 0;

	for (; stay && !label; stay = stay_log_before(&programs->stays, stay))
		label = program_log_label(programs, comm, stay->text);
	if (label)
		return label;
	return program_log_label(programs, comm,
	                         task_older_program(timeline, &timeline->track[index]));
}

struct task timeline_task(const struct timeline *timeline, uint32_t index, nsec_t time)
{
	const struct track *track = &timeline->track[index];
	uint32_t comm = timeline_name_at(track, time), label = 0;
	const struct stay *stay =
		timeline->shows_groups ? timeline_group_at(timeline, index, time) : NULL;
	const char *group = stay ? intern_text(&timeline->names, stay->text) : "";

	ASSUME(index < timeline->track_count);
	if (timeline->programs.label.slot)
		label = task_label(timeline, index, comm, time);
	return (struct task){
		.tid = track->tid,
		.tgid = track->tgid,
		.comm = hosts_own_name(&timeline->hosts,
		                       intern_text(&timeline->names, comm)),
		.program = label ? intern_text(&timeline->names, label) : NULL,
		.cgroup = timeline->shows_groups ? group : NULL,
		.host = hosts_name(&timeline->hosts, track->host),
		.machine = track->host,
	};
}

const struct cause_note *timeline_request_of(const struct timeline *timeline,
                                             const struct cause_note *timer)
{
	const struct cause_note *request =
		timeline_linked_cause(timeline, timer->as.timer.request);

	if (!request)
		return NULL;
	/* a task that never retried has not waited for the lock */
	if (request->kind == CAUSE_LOCK)
		return request->as.file_lock.tries ? request : NULL;
	if (request->kind == CAUSE_TASK)
		return request;
	ASSUME(request->kind == CAUSE_NET);
	/* nor for a peer to which it never tried to connect again */
	if (request->as.net.is_retried)
		return request->as.net.retransmits > 1 ? request : NULL;
	if (!request_is_one(request))
		return NULL;
	return timer->as.timer.is_turn && !request->as.net.has_turns ? NULL : request;
}

void timeline_name_members(const struct timeline *timeline, struct cause *cause)
{
	uint32_t *dev = cause->kind == CAUSE_DISK     ? &cause->as.disk.dev
	                : cause->kind == CAUSE_MEMORY ? &cause->as.memory.dev
	                                              : NULL;

	cause->names = &timeline->names;
	if (cause->kind == CAUSE_TASK || cause->kind == CAUSE_LOCK)
		cause->file = timeline_text(timeline, cause->as.lock.file);
	if (!dev)
		return;
	cause->disk = timeline_text(timeline, device_names_find(&timeline->devices, *dev));
	/* people know a device by its number on its own machine */
	*dev = device_names_own(&timeline->devices, *dev);
}

static void cause_name_file(const struct timeline *timeline, const struct cause_note *note,
                            struct cause *cause)
{
	const struct file_name *file = file_names_at(&timeline->files, note->file);

	if (!file)
		return;
	cause->file = timeline_text(timeline, file->path);
	cause->inode = file->inode;
	cause->inode_dev = device_names_own(&timeline->devices, file->dev);
	cause->inode_disk =
		timeline_text(timeline, device_names_find(&timeline->devices, file->dev));
	cause->is_sync = note->is_sync;
}

struct cause timeline_cause(const struct timeline *timeline, const struct cause_note *note,
                            nsec_t time)
{
	const struct cause_note *request = timeline_request(timeline, note);
	struct cause cause;
	bool is_named, has_call;

	if (!note)
		return (struct cause){.kind = CAUSE_UNKNOWN, .origin = NSEC_NEVER};
	is_named = cause_kinds[note->kind].name_use != NAME_HIDDEN;
	has_call = note->kind == CAUSE_TIMER && note->as.timer.call != CALL_NONE &&
	           note->as.timer.call != CALL_HELD;
	cause = (struct cause){
		.kind = (enum cause_kind)note->kind,
		.confidence = (enum confidence)note->confidence,
		.name = timeline_text(timeline, is_named ? note->name : 0),
		.has_waker = note->waker != TRACK_NONE,
		.has_originator = note->originator != TRACK_NONE,
		.origin = note->origin,
		.what = memory_what_name(note->memory),
		/* the call of a timeout shows it better */
		.purpose = has_call ? NULL : purpose_words(note->purpose),
		/* the peer that the sleeper waited for */
		.request = request && request->kind == CAUSE_NET
		                   ? intern_text(&timeline->names, request->as.net.peer)
		                   : NULL,
		.as = note->as,
	};

	ASSUME(note->kind < CAUSE_KIND_COUNT && note->confidence <= CONFIDENCE_HIGH);
	timeline_name_members(timeline, &cause);
	cause_name_file(timeline, note, &cause);
	if (cause.has_waker)
		cause.waker = timeline_task(timeline, note->waker, time);
	if (cause.has_originator)
		cause.originator = timeline_task(timeline, note->originator,
		                                 nsec_min(note->origin, time));
	return cause;
}

const struct cause_note *timeline_side_note(struct timeline *timeline,
                                            const struct cause_note *wanted)
{
	struct cause_note *note;

	/* one for each work function: the one asked for last is tried first */
	for (size_t i = timeline->side_count; i-- > 0;)
		if (cause_is_same(timeline->side[i], wanted))
			return timeline->side[i];
	/* NOLINTNEXTLINE: pointers are meant */
	ARRAY_GROW(timeline->side, timeline->side_count, timeline->side_capacity);
	note = xmalloc(sizeof(*note));
	*note = *wanted;
	return timeline->side[timeline->side_count++] = note;
}

const struct cause_note *timeline_named_cause(struct timeline *timeline, enum cause_kind kind,
                                              uint32_t name)
{
	struct cause_note note;

	assert(kind < CAUSE_KIND_COUNT);
	cause_note_init(&note, kind, CONFIDENCE_HIGH);
	note.name = name;
	return timeline_side_note(timeline, &note);
}

const struct cause_note *timeline_side_unknown(struct timeline *timeline,
                                               const struct cause_note *open)
{
	struct cause_note note;

	cause_note_init(&note, CAUSE_UNKNOWN, CONFIDENCE_LOW);
	note.name = open && open->kind == CAUSE_UNKNOWN ? open->name : 0;
	note.purpose = open ? open->purpose : PURPOSE_NONE;
	return timeline_side_note(timeline, &note);
}

bool timeline_descends(const struct timeline *timeline, uint32_t track, uint32_t of)
{
	bool is_thread = timeline_is_one_process(timeline, track, of);

	ASSUME(track < timeline->track_count && of < timeline->track_count);
	for (unsigned steps = 0; track != TRACK_NONE && steps < ANCESTORS_MAX; steps++) {
		track = timeline->track[track].parent;
		if (track == of || (!is_thread && timeline_is_one_process(timeline, track, of)))
			return true;
	}
	return false;
}
