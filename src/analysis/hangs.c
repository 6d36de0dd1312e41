/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "hangs.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/data/array.h"
#include "base/cleanup.h"
#include "base/text/format.h"
#include "base/xalloc.h"
#include "ftwait/source.h"
#include "graph/aim.h"
#include "graph/open_wait_cause.h"
#include "graph/open_wait_words.h"
#include "graph/sliced_wait.h"
#include "analysis/tables/cells.h"
#include "graph/timeline_hosts.h"
#include "prose.h"
#include "wait_circle.h"
#include "words/cause/purpose.h"

#define LINKS_MAX       6 /* tasks that a sentence names, one behind the other */
#define SENTENCES_MAX   3
#define CIRCLE_SHOWN    4 /* tasks of a circle that are named */

static bool wait_is_for_lock(const struct open_wait *wait)
{
	return open_wait_is_for_file_lock(wait) || wait->kind == OPEN_WAIT_LEFT ||
	       (wait->kind == OPEN_WAIT_FUTEX && wait->owner);
}

static bool wait_is_at_futex(const struct open_wait *wait)
{
	return wait->kind == OPEN_WAIT_FUTEX || wait->kind == OPEN_WAIT_THREAD ||
	       wait->kind == OPEN_WAIT_LEFT || wait->kind == OPEN_WAIT_CONDITION;
}

/* Finds the wait of the track in which it was seen. Without history only the looks are known. */
static void hang_find_wait(struct hang *hang, struct timeline *timeline)
{
	const struct open_wait *wait = hang->wait;
	struct track *track = &timeline->track[hang->track];
	nsec_t end = timeline_end_of(timeline, track);
	nsec_t seen = wait->seen ? wait->seen : end;
	const struct sliced_wait *row;
	size_t at;

	hang->begin = nsec_max(wait->since, timeline_begin_of(timeline, track));
	hang->end = seen;
	hang->is_open = track->is_open && wait->seen == 0;
	if (!timeline->keep_segments || track->segment_count == 0)
		return;
	at = open_wait_goes_on(timeline, hang->track, nsec_min(seen, end))
	             ? track->segment_count - 1
	             : timeline_find(track, nsec_min(seen, end));
	if (at == SIZE_MAX || track->segment[at].kind != SEGMENT_WAIT)
		return;
	row = timeline_sliced_wait(timeline, hang->track, track->segment[at].begin);
	hang->begin = row ? row->begin : track->segment[at].begin;
	hang->end = timeline_segment_end(track, at);
	hang->is_open = timeline_is_open(track, at);
}

/* The last track of each tid; of a process that of its last leader. */
static void map_tracks(const struct timeline *timeline, struct map *track_of_tid)
{
	map_init(track_of_tid);
	for (uint32_t track = 0; track < timeline->track_count; track++)
		if (timeline->track[track].tid > 0 &&
		    timeline->track[track].succession.heir == TRACK_NONE)
			map_put(track_of_tid, (uint64_t)track_id(&timeline->track[track]), track);
}

/* The track of the tid when the recorder looked; MAP_NONE, which is TRACK_NONE: it has none, or the
   tid is in use again since. */
static uint32_t wait_find_track(const struct hangs *hangs, const struct map *track_of_tid,
                                int32_t tid, const struct open_wait *wait)
{
	uint32_t track = map_get(track_of_tid, (uint64_t)tid);
	nsec_t born;

	if (track == MAP_NONE || wait->seen == 0)
		return track;
	born = hangs->question->timeline->track[track].born;
	return born == NSEC_NEVER || born <= wait->seen ? track : MAP_NONE;
}

/* The note of an unfinished wait; NULL: the track is in none, or nothing is known of it. */
static const struct cause_note *track_open_note(const struct timeline *timeline, uint32_t index)
{
	const struct track *track = &timeline->track[index];
	size_t last = track->segment_count - 1;

	if (track->segment_count == 0 || track->segment[last].kind != SEGMENT_WAIT ||
	    track->segment[last].cause == CAUSE_NONE)
		return NULL;
	return timeline_cause_at(timeline, track->segment[last].cause);
}

/* The task that events show an unfinished wait to be for, as for a child; TRACK_NONE: none. */
static uint32_t track_awaited(const struct timeline *timeline, uint32_t index)
{
	const struct cause_note *note = timeline->track[index].is_open
	                                        ? track_open_note(timeline, index)
	                                        : NULL;

	return note && note->kind == CAUSE_TASK && note->is_walked ? note->waker : TRACK_NONE;
}

static void hangs_add(struct hangs *hangs, const struct map *track_of_tid,
                      const struct open_wait *wait)
{
	uint32_t track = wait_find_track(hangs, track_of_tid, wait->tid, wait), at;
	struct hang *hang;

	if (track == MAP_NONE || wait->state == 'T' || wait->state == 't' ||
	    (wait->is_tried && !open_wait_is_retried(hangs->question->timeline, track, wait)))
		return;
	at = map_get(&hangs->by_track, track);
	if (at == MAP_NONE) {
		ARRAY_GROW(hangs->hang, hangs->count, hangs->capacity);
		at = (uint32_t)hangs->count++;
		map_put(&hangs->by_track, track, at);
	}
	hang = &hangs->hang[at];
	*hang = (struct hang){
		.wait = wait,
		.track = track,
		.owner = TRACK_NONE,
		.next = WAITS_FOR_NONE,
	};
	if (wait->owner && wait->kind != OPEN_WAIT_LEFT)
		hang->owner = wait_find_track(hangs, track_of_tid, wait->owner, wait);
	for (size_t i = 0; i < wait->holder_count; i++)
		hang->holder[i] = wait_find_track(hangs, track_of_tid, wait->holder[i], wait);
	hang_find_wait(hang, hangs->question->timeline);
	if (hang->owner == TRACK_NONE && wait->kind == OPEN_WAIT_OTHER)
		hang->owner = track_awaited(hangs->question->timeline, track);
}

static nsec_t hang_seen(const struct hang *hang)
{
	return hang->wait->seen ? hang->wait->seen : hang->end;
}

/* Whether the owner slept in its own wait when the other one was seen waiting for it. */
static bool hang_is_behind(const struct hang *hang, const struct hang *owner)
{
	nsec_t seen = hang_seen(hang);

	return owner->begin <= seen && seen <= owner->end;
}

static bool hang_is_long(const struct hangs *hangs, const struct hang *hang)
{
	return hang->is_open &&
	       wait_is_long(hang->end - hang->begin, hangs->question->timeline);
}

/* Whether a wait of the circle that goes through `first` is of that kind. */
static bool circle_has(const struct hangs *hangs, size_t first, enum open_wait_kind kind)
{
	size_t at = first;

	do {
		if (hangs->hang[at].wait->kind == kind)
			return true;
		at = hangs->hang[at].next;
	} while (at != first);
	return false;
}

/* Whether the circle that goes through `first` is a deadlock. At pipes, tasks may also wait for
   each other for a moment, and go on; at sockets and terminals they may have nothing to say. */
static bool circle_is_deadlock(const struct hangs *hangs, size_t first)
{
	size_t at = first;

	if (circle_has(hangs, first, OPEN_WAIT_SOCKET) ||
	    circle_has(hangs, first, OPEN_WAIT_TERMINAL))
		return false;
	if (!circle_has(hangs, first, OPEN_WAIT_PIPE))
		return true;
	do {
		if (!hang_is_long(hangs, &hangs->hang[at]))
			return false;
		at = hangs->hang[at].next;
	} while (at != first);
	return true;
}

static void hangs_find_circles(struct hangs *hangs)
{
	_cleanup_(freep) size_t *next = xcalloc(hangs->count + 1, sizeof(*next));
	_cleanup_(freep) size_t *search_of = xcalloc(hangs->count + 1, sizeof(*search_of));

	for (size_t i = 0; i < hangs->count; i++)
		next[i] = hangs->hang[i].next;
	for (size_t from = 0; from < hangs->count; from++) {
		size_t at = wait_circle_find(next, search_of, from);

		if (at == WAITS_FOR_NONE)
			continue;
		if (!circle_is_deadlock(hangs, at)) {
			hangs->hang[at].next = WAITS_FOR_NONE; /* a chain of waits has an end */
			continue;
		}
		hangs->circle_count++;
		for (; hangs->hang[at].circle == 0; at = next[at])
			hangs->hang[at].circle = hangs->circle_count;
	}
}

/* Whether the wait alone is a hang: for a lock, for a file system that may be dead, or in D. */
static bool hang_is_own(const struct hangs *hangs, const struct hang *hang)
{
	return hang_is_long(hangs, hang) &&
	       (wait_is_for_lock(hang->wait) || hang->wait->kind == OPEN_WAIT_MOUNT ||
		hang->wait->state == 'D');
}

static bool hang_is_asked(const struct hangs *hangs, const struct hang *hang)
{
	return hangs->question->resolved->is_asked[hang->track];
}

/* The sentence of `from` names all tasks behind which it hangs. */
static void hangs_mark_behind(struct hangs *hangs, size_t from)
{
	size_t at = hangs->hang[from].next;

	for (; at != WAITS_FOR_NONE && !hangs->hang[at].is_behind; at = hangs->hang[at].next)
		hangs->hang[at].is_behind = true;
}

static void hangs_mark(struct hangs *hangs)
{
	bool is_changed = true;

	for (size_t i = 0; i < hangs->count; i++)
		hangs->hang[i].is_hung = hangs->hang[i].circle ||
		                         hang_is_own(hangs, &hangs->hang[i]);
	while (is_changed) {
		is_changed = false;
		for (size_t i = 0; i < hangs->count; i++) {
			struct hang *hang = &hangs->hang[i];

			if (!hang->is_hung && hang->is_open && hang->next != WAITS_FOR_NONE &&
			    hangs->hang[hang->next].is_hung)
				hang->is_hung = is_changed = true;
		}
	}
	for (size_t i = 0; i < hangs->count; i++)
		if (hangs->hang[i].is_hung && hang_is_asked(hangs, &hangs->hang[i]))
			hangs_mark_behind(hangs, i);
}

void hangs_find(struct hangs *ret, const struct question *question)
{
	struct map track_of_tid;

	*ret = (struct hangs){.question = question};
	map_init(&ret->by_track);
	if (question->recording.open_wait_count == 0 ||
	    question->resolved->end < question->timeline->end)
		return;
	map_tracks(question->timeline, &track_of_tid);
	for (size_t i = 0; i < question->recording.open_wait_count; i++)
		hangs_add(ret, &track_of_tid, &question->recording.open_waits[i]);
	for (size_t i = 0; i < ret->count; i++) {
		struct hang *hang = &ret->hang[i];
		uint32_t next = hang->owner == TRACK_NONE ? MAP_NONE
		                                          : map_get(&ret->by_track, hang->owner);

		if (next != MAP_NONE && (next != i || wait_is_for_lock(hang->wait)) &&
		    hang_is_behind(hang, &ret->hang[next]))
			hang->next = next;
	}
	hangs_find_circles(ret);
	hangs_mark(ret);
	map_release(&track_of_tid);
}

void hangs_release(struct hangs *hangs)
{
	free(hangs->hang);
	map_release(&hangs->by_track);
	*hangs = (struct hangs){0};
}

/* What the place of an unfinished sleep says that it is for; NULL: nothing. */
static const char *track_purpose(const struct timeline *timeline, uint32_t track)
{
	const struct cause_note *note = track_open_note(timeline, track);

	return note ? purpose_words(note->purpose) : NULL;
}

static void path_append(struct buffer *to, const char *path)
{
	if (path)
		buffer_puts_clean(to, path, strlen(path));
	else
		buffer_puts(to, "a file");
}

/* "the lock cache_lock (0x5601)", "a flock on /var/lib/x/lock": what the hung task waits for. */
static void lock_append(const struct hangs *hangs, const struct hang *hang, struct buffer *to)
{
	const struct timeline *timeline = hangs->question->timeline;
	const struct open_wait *wait = hang->wait;
	uint32_t name = 0;

	switch (wait->kind) {
	case OPEN_WAIT_FLOCK:
		buffer_puts(to, "a flock on ");
		break;
	case OPEN_WAIT_POSIX:
		buffer_puts(to, "a lock (fcntl) on ");
		break;
	case OPEN_WAIT_LEASE:
		buffer_puts(to, "the end of a lease on ");
		break;
	default:
		name = timeline_variable(timeline, hang->track, wait->address);
		buffer_puts(to, "the lock ");
		if (name)
			path_append(to, intern_text(&timeline->names, name));
		buffer_printf(to, name ? " (0x%" PRIx64 ")" : "0x%" PRIx64, wait->address);
		return;
	}
	path_append(to, wait->path);
}

/* "the FUSE file system mounted at /mnt/x" */
static void mount_append(const struct open_wait *wait, struct buffer *to)
{
	static const struct {
		const char *begin, *word;
	} words[] = {{"fuse", "FUSE"}, {"nfs", "NFS"}, {"cifs", "SMB"}, {"smb", "SMB"}};
	const char *word = wait->type ? wait->type : "remote";

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (strncmp(word, words[i].begin, strlen(words[i].begin)) == 0)
			word = words[i].word;
	buffer_puts(to, "waits for the ");
	buffer_puts_clean(to, word, strlen(word));
	buffer_puts(to, " file system");
	if (wait->path) {
		buffer_puts(to, " mounted at ");
		path_append(to, wait->path);
	}
}

/* Nothing shows who is to signal it. */
static void condition_append(const struct hangs *hangs, const struct hang *hang, struct buffer *to)
{
	const struct timeline *timeline = hangs->question->timeline;
	uint32_t name = timeline_variable(timeline, hang->track, hang->wait->address);

	buffer_puts(to, "waits for the condition variable ");
	if (name)
		path_append(to, intern_text(&timeline->names, name));
	buffer_printf(to, name ? " (0x%" PRIx64 ")" : "0x%" PRIx64, hang->wait->address);
	buffer_puts(to, " to be signalled");
}

/* A wait for nothing that another task has: by its place in the kernel, or by its call. */
static void plain_wait_append(const struct hangs *hangs, const struct hang *hang,
                              struct buffer *to)
{
	const struct timeline *timeline = hangs->question->timeline;
	const char *purpose = track_purpose(timeline, hang->track);

	if (hang->wait->kind == OPEN_WAIT_CONDITION)
		condition_append(hangs, hang, to);
	else if (hang->wait->kind == OPEN_WAIT_MOUNT)
		mount_append(hang->wait, to);
	else if (hang->wait->call && strstr(hang->wait->call, "nanosleep"))
		buffer_puts(to, "sleeps on a timer");
	else if (purpose)
		buffer_printf(to, "waits for %s", purpose);
	else if (hang->wait->call)
		buffer_printf(to, "waits in %s()", hang->wait->call);
	else
		buffer_puts(to, "sleeps");
	open_wait_append_object(hang->wait, to);
	if (hang->wait->state == 'D')
		buffer_puts(to, " (in state D)");
}

/* All that have what is waited for, behind `before`, as far as their tasks are known; a lock they
   have together. Returns how many they are. */
static size_t holders_append(const struct hangs *hangs, const struct hang *hang, const char *before,
			     struct buffer *to)
{
	bool is_lock = wait_is_for_lock(hang->wait);
	size_t count = 0;

	for (size_t i = 0; i < hang->wait->holder_count; i++) {
		if (hang->holder[i] == TRACK_NONE)
			continue;
		buffer_puts(to, count++ == 0 ? before : is_lock ? " and " : " or ");
		prose_task_append(to, hangs->question->timeline, hang->holder[i]);
	}
	return count;
}

/* "waits at a pipe for cat[7], which has its other end open"; false: nobody is known to have. */
static bool pipe_append(const struct hangs *hangs, const struct hang *hang, struct buffer *to)
{
	const struct open_wait *wait = hang->wait;
	size_t count, before = to->length;

	buffer_puts(to, wait->path ? "waits at the fifo " : "waits at a pipe");
	if (wait->path)
		path_append(to, wait->path);
	if (hang->owner == hang->track) {
		buffer_puts(to, ", which no other process has open");
		return true;
	}
	count = holders_append(hangs, hang, " for ", to);
	if (count == 0)
		buffer_truncate(to, before);
	else
		buffer_puts(to, count > 1 ? ", which have its other end open"
		                          : ", which has its other end open");
	return count > 0;
}

/* "waits for its child ld[7]": what the task waits for, without what that does in turn. */
static void wait_append(const struct hangs *hangs, const struct hang *hang, struct buffer *to)
{
	const struct timeline *timeline = hangs->question->timeline;
	const char *before = NULL, *after = "";

	switch (hang->wait->kind) {
	case OPEN_WAIT_LEFT:
		buffer_puts(to, "waits for ");
		lock_append(hangs, hang, to);
		open_wait_append_object(hang->wait, to);
		return;
	case OPEN_WAIT_FUTEX:
	case OPEN_WAIT_FLOCK:
	case OPEN_WAIT_POSIX:
	case OPEN_WAIT_LEASE:
		if (!wait_is_for_lock(hang->wait))
			break;
		buffer_puts(to, "waits for ");
		lock_append(hangs, hang, to);
		if (hang->owner == TRACK_NONE) {
			(void)holders_append(hangs, hang, ", held by ", to);
			return;
		}
		before = ", held by ";
		break;
	case OPEN_WAIT_THREAD:
		before = "waits for ";
		after = " to end";
		break;
	case OPEN_WAIT_CHILD:
		before = "waits for its child ";
		break;
	case OPEN_WAIT_PIPE:
		if (pipe_append(hangs, hang, to))
			return;
		break;
	case OPEN_WAIT_SOCKET:
	case OPEN_WAIT_TERMINAL:
		plain_wait_append(hangs, hang, to);
		(void)holders_append(hangs, hang, ", ", to);
		return;
	case OPEN_WAIT_OTHER:
		plain_wait_append(hangs, hang, to);
		if (hang->owner != TRACK_NONE) {
			buffer_puts(to, ": ");
			prose_task_append(to, timeline, hang->owner);
		}
		return;
	default:
		break;
	}
	if (!before || hang->owner == TRACK_NONE) {
		plain_wait_append(hangs, hang, to);
		return;
	}
	buffer_puts(to, before);
	prose_task_append(to, timeline, hang->owner);
	buffer_puts(to, after);
}

/* What a task does that was not seen waiting; false if that is not known. */
static bool state_append(const struct timeline *timeline, uint32_t index, struct buffer *to)
{
	const struct track *track = &timeline->track[index];
	const char *purpose = track_purpose(timeline, index);
	const struct segment *last;

	if (!timeline->keep_segments || track->segment_count == 0 || !track->is_open)
		return false;
	last = &track->segment[track->segment_count - 1];
	switch (last->kind) {
	case SEGMENT_RUN:
		buffer_puts(to, "runs");
		return true;
	case SEGMENT_RUNNABLE:
		buffer_puts(to, "stands in a run queue");
		return true;
	case SEGMENT_STOPPED:
		buffer_puts(to, "is stopped");
		return true;
	case SEGMENT_WAIT:
		if (purpose)
			buffer_printf(to, "waits for %s", purpose);
		else
			buffer_puts(to, "sleeps");
		if (last->detail == 'D')
			buffer_puts(to, " (in state D)");
		return true;
	default:
		return false;
	}
}

static const struct hang *hangs_of(const struct hangs *hangs, uint32_t track)
{
	uint32_t at = map_get(&hangs->by_track, track);

	return at == MAP_NONE ? NULL : &hangs->hang[at];
}

/* Appends the wait, and ", which ..." for each task in the chain that it waits for. */
static void chain_append(const struct hangs *hangs, const struct hang *hang, struct buffer *to)
{
	const struct hang *first = hang;

	for (size_t links = 0;; links++) {
		size_t before;

		wait_append(hangs, hang, to);
		if (hang->owner == TRACK_NONE || links == LINKS_MAX)
			return;
		before = to->length;
		buffer_puts(to, ", which ");
		if (hang->next == WAITS_FOR_NONE) {
			if (!state_append(hangs->question->timeline, hang->owner, to))
				buffer_truncate(to, before);
			return;
		}
		hang = &hangs->hang[hang->next];
		if (hang == first || (hang->circle && first->circle == 0)) {
			if (hang->circle && first->circle == 0)
				buffer_puts(to, "is in a deadlock");
			else
				buffer_truncate(to, before);
			return;
		}
	}
}

void hangs_describe(const struct hangs *hangs, uint32_t track, struct buffer *to)
{
	const struct hang *hang = hangs_of(hangs, track);

	if (hang && hang->is_open)
		chain_append(hangs, hang, to);
	else if (!state_append(hangs->question->timeline, track, to))
		buffer_puts(to, "is not seen when the recording ends");
}

bool hangs_has(const struct hangs *hangs, uint32_t track)
{
	const struct hang *hang = hangs_of(hangs, track);

	return hang && hang->is_hung;
}

bool hangs_names_end(const struct hangs *hangs, uint32_t track)
{
	const struct hang *hang = hangs_of(hangs, track);

	if (!hang || !hang_is_long(hangs, hang))
		return false;
	switch (hang->wait->kind) {
	case OPEN_WAIT_PIPE:
	case OPEN_WAIT_SOCKET:
	case OPEN_WAIT_TERMINAL:
		return hang->wait->holder_count > 0 || hang->wait->has_no_holder ||
		       hang->wait->path;
	case OPEN_WAIT_CONDITION: /* other threads than the first are workers without work */
		return hangs->question->timeline->track[track].tgid ==
		       hangs->question->timeline->track[track].tid;
	default:
		return false;
	}
}

/* "first[7] has 0x60 and waits for 0xa0" */
static void member_append(const struct hangs *hangs, const struct hang *hang,
                          const struct hang *before, struct buffer *to)
{
	prose_task_append(to, hangs->question->timeline, hang->track);
	if (wait_is_for_lock(before->wait)) {
		buffer_puts(to, " has ");
		lock_append(hangs, before, to);
		buffer_puts(to, " and");
	}
	buffer_putc(to, ' ');
	if (wait_is_for_lock(hang->wait)) {
		buffer_puts(to, "waits for ");
		lock_append(hangs, hang, to);
	} else if (hang->wait->kind == OPEN_WAIT_PIPE) {
		buffer_puts(to, "waits at a pipe for ");
		prose_task_append(to, hangs->question->timeline, hang->owner);
	} else {
		wait_append(hangs, hang, to);
	}
}

static void circle_describe(const struct hangs *hangs, size_t first, struct buffer *to)
{
	const struct hang *hang = &hangs->hang[first];
	size_t shown = 0, at = first, before = first;
	nsec_t begin = 0, end = NSEC_NEVER;
	bool is_open = true;

	while (hangs->hang[before].next != first)
		before = hangs->hang[before].next;
	buffer_puts(to, circle_has(hangs, first, OPEN_WAIT_PIPE) ? "Likely deadlock: "
	                                              : "Deadlock: ");
	if (hang->next == first) {
		prose_task_append(to, hangs->question->timeline, hang->track);
		buffer_puts(to, " waits for ");
		lock_append(hangs, hang, to);
		buffer_puts(to, ", which it has itself");
	}
	do {
		hang = &hangs->hang[at];
		begin = nsec_max(begin, hang->begin);
		end = nsec_min(end, hang->end);
		is_open &= hang->is_open;
		if (hang->next != at && shown < CIRCLE_SHOWN) {
			buffer_puts(to, shown ? ", " : "");
			member_append(hangs, hang, &hangs->hang[before], to);
		}
		shown++;
		before = at;
		at = hang->next;
	} while (at != first);
	if (shown > CIRCLE_SHOWN)
		buffer_printf(to, ", and %zu more", shown - CIRCLE_SHOWN);
	if (circle_has(hangs, first, OPEN_WAIT_PIPE))
		buffer_puts(to, "; each pipe's other end is open there");
	if (end > begin)
		buffer_printf(to, is_open ? "; for %s" : "; it lasted %s",
		              DURATION_TEXT(end - begin));
	buffer_putc(to, '.');
}

bool hangs_print_circles(const struct hangs *hangs, const struct output *to)
{
	size_t printed = 0;

	for (size_t number = 1; number <= hangs->circle_count; number++) {
		_cleanup_(buffer_release) struct buffer line = {0};
		size_t first = WAITS_FOR_NONE;
		bool is_asked = false;

		for (size_t i = 0; i < hangs->count; i++) {
			if (hangs->hang[i].circle != number)
				continue;
			is_asked |= hang_is_asked(hangs, &hangs->hang[i]);
			if (first == WAITS_FOR_NONE ||
			    hangs->hang[i].track < hangs->hang[first].track)
				first = i;
		}
		if (!is_asked || first == WAITS_FOR_NONE)
			continue;
		buffer_init(&line, 2048);
		if (printed++ == SENTENCES_MAX) {
			prose_put(to, "There are more deadlocks.");
			break;
		}
		circle_describe(hangs, first, &line);
		prose_put(to, line.text);
	}
	return printed > 0;
}

static int hang_compare(const void *a, const void *b)
{
	const struct hang *x = *(const struct hang *const *)a;
	const struct hang *y = *(const struct hang *const *)b;

	if (x->begin != y->begin)
		return x->begin < y->begin ? -1 : 1;
	return x->track < y->track ? -1 : x->track > y->track;
}

static void hang_print(const struct hangs *hangs, const struct hang *hang, const struct output *to)
{
	const struct timeline *timeline = hangs->question->timeline;
	_cleanup_(buffer_release) struct buffer line = {0};

	buffer_init(&line, 4096);
	prose_task_append(&line, timeline, hang->track);
	if (hang->begin <= timeline_begin_of(timeline, &timeline->track[hang->track]))
		buffer_puts(&line, " hangs since before the recording: ");
	else
		buffer_printf(&line, " has hung for %s: ", DURATION_TEXT(hang->end - hang->begin));
	chain_append(hangs, hang, &line);
	buffer_putc(&line, '.');
	prose_put(to, line.text);
}

void hangs_print(const struct hangs *hangs, const struct output *to)
{
	/* NOLINTNEXTLINE: pointers are meant */
	_cleanup_(freep) const struct hang **shown = xcalloc(hangs->count + 1, sizeof(*shown));
	size_t count = 0;

	(void)hangs_print_circles(hangs, to);
	for (size_t i = 0; i < hangs->count; i++) {
		const struct hang *hang = &hangs->hang[i];

		if (hang->is_hung && hang->circle == 0 && !hang->is_behind &&
		    hang_is_asked(hangs, hang))
			shown[count++] = hang;
	}
	/* NOLINTNEXTLINE: pointers are meant */
	qsort(shown, count, sizeof(*shown), hang_compare);
	for (size_t i = 0; i < count && i < SENTENCES_MAX; i++)
		hang_print(hangs, shown[i], to);
	if (count > SENTENCES_MAX) {
		_cleanup_(buffer_release) struct buffer line = {0};

		buffer_init(&line, 128);
		buffer_printf(&line, "%zu more tasks hang.", count - SENTENCES_MAX);
		prose_put(to, line.text);
	}
}

/* As the walk knows it; false: nothing is known of it. */
static bool hang_cause(struct timeline *timeline, const struct hang *hang, struct cause *ret)
{
	struct open_wait wait = *hang->wait;
	struct cause_note note;

	/* the recorder noted the machine's own number */
	wait.dev = device_names_number(&timeline->devices, timeline->track[hang->track].host,
	                               wait.dev);
	cause_note_init(&note, CAUSE_UNKNOWN, CONFIDENCE_LOW);
	open_wait_refine_cause(timeline, &wait, hang->track, hang->owner, &note);
	*ret = timeline_cause(timeline, &note, NSEC_NEVER);
	return note.kind != CAUSE_UNKNOWN;
}

/* The tasks of the hang's circle, from itself on; free() it. */
static struct cell *circle_cells(const struct hangs *hangs, const struct hang *hang, size_t *count)
{
	struct cell *cell = xcalloc(hangs->count, sizeof(*cell));
	const struct hang *at = hang;

	*count = 0;
	while (hang->circle) {
		cell[(*count)++] = cell_of_task(hangs->question->timeline, at->track);
		at = &hangs->hang[at->next];
		if (at == hang)
			break;
	}
	return cell;
}

static const struct column hang_columns[] = {
	{"task", NULL, CELL_TASK, COLUMN_DATA_ONLY},
	{"state", NULL, CELL_TEXT, COLUMN_DATA_ONLY},
	{"since_ns", NULL, CELL_INSTANT, COLUMN_DATA_ONLY},
	{"length_ns", NULL, CELL_DURATION, COLUMN_DATA_ONLY},
	{"open", NULL, CELL_BOOL, COLUMN_DATA_ONLY},
	{"cause", NULL, CELL_CAUSE, COLUMN_DATA_ONLY},
	{"kind", NULL, CELL_TEXT, COLUMN_DATA_ONLY},
	{"call", NULL, CELL_TEXT, COLUMN_DATA_ONLY},
	{"address", NULL, CELL_TEXT, COLUMN_DATA_ONLY},
	{"inode", NULL, CELL_COUNT, COLUMN_DATA_ONLY},
	{"path", NULL, CELL_TEXT, COLUMN_DATA_ONLY},
	{"holder", NULL, CELL_TASK, COLUMN_DATA_ONLY},
	{"aim", NULL, CELL_RECORD, COLUMN_DATA_ONLY},
	{"circle", NULL, CELL_ROWS, COLUMN_DATA_ONLY},
	{"text", NULL, CELL_TEXT, COLUMN_DATA_ONLY},
};

static const struct column task_columns[] = {{NULL, NULL, CELL_TASK, 0}};

#define AIM_CELLS 4

static const struct column aim_columns[AIM_CELLS] = {
	{"kind", NULL, CELL_TEXT, 0},
	{"name", NULL, CELL_TEXT, 0},
	{"peer", NULL, CELL_TEXT, 0},
	{"holders", NULL, CELL_ROWS, 0},
};

/* What the wait is for, as an aim of ftwait-json(5). `holders`: room for all. */
static void aim_cells(const struct hangs *hangs, const struct hang *hang,
		      struct cell aim[AIM_CELLS], struct cell holders[OPEN_WAIT_HOLDERS_MAX])
{
	const struct open_wait *wait = hang->wait;
	const struct timeline *timeline = hangs->question->timeline;
	uint32_t variable = wait_is_at_futex(wait)
		? timeline_variable(timeline, hang->track, wait->address) : 0;
	const char *name = variable ? intern_text(&timeline->names, variable) : wait->path;
	enum aim_kind kind = open_wait_aim(wait);
	size_t count = 0;

	if (wait->kind == OPEN_WAIT_OTHER && hang->owner != TRACK_NONE) {
		kind = timeline_cause_aim(timeline, hang->track,
		                          track_open_note(timeline, hang->track), &name);
		holders[count++] = cell_of_task(timeline, hang->owner);
	}
	for (size_t i = 0; i < wait->holder_count; i++)
		if (wait->kind != OPEN_WAIT_LEFT && hang->holder[i] != TRACK_NONE)
			holders[count++] = cell_of_task(timeline, hang->holder[i]);
	aim[0] = (struct cell){.type = CELL_TEXT, .text = aim_kind_name(kind)};
	aim[1] = (struct cell){.type = CELL_TEXT, .text = name};
	aim[2] = (struct cell){.type = CELL_TEXT, .text = open_wait_peer(wait)};
	aim[3] = (struct cell){
		.type = CELL_ROWS,
		.rows = {task_columns, ARRAY_SIZE(task_columns), holders, count},
	};
}

static void hang_row(const struct hangs *hangs, const struct hang *hang, const struct output *to)
{
	static const char *const kinds[] = {
		[OPEN_WAIT_OTHER] = "other", [OPEN_WAIT_FUTEX] = "futex",
		[OPEN_WAIT_THREAD] = "thread", [OPEN_WAIT_FLOCK] = "flock",
		[OPEN_WAIT_POSIX] = "posix",   [OPEN_WAIT_LEASE] = "lease",
		[OPEN_WAIT_PIPE] = "pipe",     [OPEN_WAIT_CHILD] = "child",
		[OPEN_WAIT_FILE] = "file",     [OPEN_WAIT_MOUNT] = "mount",
		[OPEN_WAIT_LEFT] = "futex",    [OPEN_WAIT_CONDITION] = "condition",
		[OPEN_WAIT_SOCKET] = "socket", [OPEN_WAIT_TERMINAL] = "tty",
	};
	struct timeline *timeline = hangs->question->timeline;
	const struct open_wait *wait = hang->wait;
	_cleanup_(buffer_release) struct buffer text = {0};
	bool is_futex = wait_is_at_futex(wait);
	char state[2] = {wait->state, '\0'}, address[24];
	struct cause cause;
	size_t count;
	_cleanup_(freep) struct cell *circle = circle_cells(hangs, hang, &count);
	struct cell aim[AIM_CELLS], holders[OPEN_WAIT_HOLDERS_MAX];

	aim_cells(hangs, hang, aim, holders);

	buffer_init(&text, 4096);
	chain_append(hangs, hang, &text);
	(void)snprintf(address, sizeof(address), "0x%" PRIx64, wait->address);
	output_row(to, (struct cell[]){
		cell_of_task(timeline, hang->track),
		{.type = CELL_TEXT, .text = state},
		{.type = hang->begin > timeline_begin_of(timeline, &timeline->track[hang->track])
	                 ? CELL_INSTANT : CELL_EMPTY,
	         .time = hang->begin},
		{.type = CELL_DURATION, .time = hang->end - hang->begin},
		{.type = CELL_BOOL, .boolean = hang->is_open},
		{.type = hang_cause(timeline, hang, &cause) ? CELL_CAUSE : CELL_EMPTY,
	         .cause = &cause},
		{.type = CELL_TEXT, .text = kinds[wait->kind]},
		{.type = CELL_TEXT, .text = wait->call},
		{.type = is_futex ? CELL_TEXT : CELL_EMPTY, .text = address},
		{.type = is_futex || !wait->address ? CELL_EMPTY : CELL_COUNT,
	         .count = wait->address},
		{.type = CELL_TEXT, .text = wait->path},
		cell_of_task(timeline, hang->owner),
		{.type = aim[0].text ? CELL_RECORD : CELL_EMPTY,
	         .rows = {aim_columns, AIM_CELLS, aim, 1}},
		{.type = count ? CELL_ROWS : CELL_EMPTY,
	         .rows = {task_columns, ARRAY_SIZE(task_columns), circle, count}},
		{.type = CELL_TEXT, .text = text.text},
	});
}

void hangs_report(const struct hangs *hangs, const struct output *to)
{
	bool is_begun = false;

	for (size_t i = 0; i < hangs->count; i++) {
		if (!hangs->hang[i].is_hung || !hang_is_asked(hangs, &hangs->hang[i]))
			continue;
		if (!is_begun)
			output_table_begin(to, "hangs", NULL, hang_columns,
			                   ARRAY_SIZE(hang_columns), /* is_single= */ false);
		is_begun = true;
		hang_row(hangs, &hangs->hang[i], to);
	}
	if (is_begun)
		output_table_end(to);
}
