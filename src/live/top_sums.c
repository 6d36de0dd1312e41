/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "top_sums.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/tables/distribution.h"
#include "base/data/array.h"
#include "base/data/map.h"
#include "base/data/order.h"
#include "base/xalloc.h"
#include "ftwait/aim.h"
#include "graph/aims/aim.h"
#include "graph/aims/awaited.h"
#include "tally/tally.h"
#include "words/cause/purpose.h"
#include "words/kernel/control_group_name.h"

#define ROWS_MAX   65536u
#define CAUSES_MAX 262144u
/* Shorter waits that have not ended are of no interest to a human. */
#define OPEN_MIN_NS 1000000u

/* This process and those above it. */
#define ABOVE_MAX 64

/* What a row waited for. */
struct sum_cause {
	uint32_t row;
	struct cause_note note; /* of the first wait for it */
	uint32_t track;         /* that wait: what it was for may show later */
	nsec_t begin;
	nsec_t total;
	uint64_t waits;
	uint32_t behind; /* the one that had most of it; TRACK_NONE: none is known */
	nsec_t behind_total;
};

/* A task that was waited for, as what a cause names. */
struct sum_behind {
	uint64_t key; /* number of the cause << 32 | track */
	nsec_t total;
};

struct sum_row {
	uint64_t key;
	uint32_t track; /* of the first span */
	uint32_t name;  /* id in names */
	uint32_t tasks;
	bool is_kernel;
	nsec_t waiting, runnable, running, longest;
	uint64_t waits;
	const struct sum_cause *most; /* once all is added: what it waited for most */
};

struct top_sums {
	const struct top_wanted *wanted;
	struct live_run *run;
	enum top_by by, next_by;
	uint32_t above[ABOVE_MAX]; /* this process, its parent, and so on */
	size_t above_count;
	nsec_t floor; /* begin of the interval: all before it has been counted */

	TALLY(rows, struct sum_row, row, row_count);
	TALLY(causes, struct sum_cause, cause, cause_count);
	TALLY(behinds, struct sum_behind, behind, behind_count);
	struct map seen; /* rows and tracks that count in `tasks` already */
	nsec_t by_kind[CAUSE_KIND_COUNT];
	nsec_t waiting;
	nsec_t running, runnable; /* of all tasks of the machine */
	struct distribution lengths;

	struct top_row *shown; /* of the last shot */
	double trend[TOP_TREND];
	size_t trend_count;
};

struct top_sums *top_sums_new(const struct top_wanted *wanted, enum top_by by)
{
	struct top_sums *sums = xcalloc(1, sizeof(*sums));

	sums->wanted = wanted;
	sums->by = sums->next_by = by;
	tally_init(&sums->rows, sizeof(struct sum_row), sizeof(uint64_t), ROWS_MAX);
	tally_init(&sums->causes, sizeof(struct sum_cause), sizeof(struct sum_cause), CAUSES_MAX);
	tally_init(&sums->behinds, sizeof(struct sum_behind), sizeof(uint64_t), CAUSES_MAX);
	map_init(&sums->seen);
	return sums;
}

struct top_sums *top_sums_free(struct top_sums *sums)
{
	if (!sums)
		return NULL;
	tally_release(&sums->rows);
	tally_release(&sums->causes);
	tally_release(&sums->behinds);
	map_release(&sums->seen);
	distribution_release(&sums->lengths);
	free(sums->shown);
	free(sums);
	return NULL;
}

void top_sums_attach(struct top_sums *sums, struct live_run *run)
{
	sums->run = run;
}

void top_sums_set_by(struct top_sums *sums, enum top_by by)
{
	sums->next_by = by;
}

void top_sums_turn(struct top_sums *sums)
{
	tally_clear(&sums->rows);
	tally_clear(&sums->causes);
	tally_clear(&sums->behinds);
	map_clear(&sums->seen);
	memset(sums->by_kind, 0, sizeof(sums->by_kind));
	sums->waiting = sums->running = sums->runnable = 0;
	distribution_release(&sums->lengths);
	sums->lengths = (struct distribution){0};
	sums->by = sums->next_by;
}

/* The group's path; "": not known. */
static const char *track_group(const struct timeline *timeline, uint32_t track, uint32_t *ret_id)
{
	const struct stay *stay = timeline_group_at(timeline, track, NSEC_NEVER);

	*ret_id = stay ? stay->text : 0;
	return intern_text(&timeline->names, *ret_id);
}

static bool is_own(const struct top_wanted *wanted, const struct track *track)
{
	if (track->is_recorder)
		return true;
	for (size_t i = 0; i < wanted->own_count; i++)
		if (track->tgid == wanted->own[i] || track->tid == wanted->own[i])
			return true;
	return false;
}

static bool is_wanted(const struct top_sums *sums, const struct timeline *timeline, uint32_t index)
{
	const struct top_wanted *wanted = sums->wanted;
	const struct track *track = &timeline->track[index];
	const char *name = intern_text(&timeline->names, track->last_name), *group;
	bool is_named = wanted->comm_count == 0, is_in = wanted->cgroup_count == 0;
	uint32_t id;

	if (track->is_idle || is_own(wanted, track) || (wanted->is_targets && !track->is_target))
		return false;
	for (size_t i = 0; i < wanted->comm_count && !is_named; i++)
		is_named = fnmatch(wanted->comms[i], name, 0) == 0;
	if (!is_named || is_in)
		return is_named;
	group = track_group(timeline, index, &id);
	for (size_t i = 0; i < wanted->cgroup_count && !is_in; i++)
		is_in = *group && control_group_matches(group, wanted->cgroups[i]);
	return is_in;
}

/* The name of the track's row: what its tasks have in common, unless each has a row. */
static uint32_t row_name(const struct top_sums *sums, const struct timeline *timeline,
                         uint32_t track)
{
	uint32_t name = timeline->track[track].last_name;

	if (sums->by == TOP_BY_CGROUP)
		(void)track_group(timeline, track, &name);
	return name;
}

/* The row of the track; NULL: there are too many. */
static struct sum_row *sums_row(struct top_sums *sums, const struct timeline *timeline,
                                uint32_t track)
{
	uint32_t name = row_name(sums, timeline, track);
	uint64_t key = sums->by == TOP_BY_TASK ? track : name;
	struct sum_row *row = tally_of(&sums->rows, key);

	if (!row)
		return NULL;
	if (row->tasks == 0) {
		row->track = track;
		row->name = name;
		row->is_kernel = true;
	}
	row->is_kernel &= timeline->track[track].is_kernel;
	key = (uint64_t)tally_number(&sums->rows, row) << 32 | track;
	if (map_get(&sums->seen, key) == MAP_NONE) {
		map_put(&sums->seen, key, 1);
		row->tasks++;
	}
	return row;
}

static bool cause_is_alike(const void *row, const void *wanted)
{
	const struct sum_cause *a = row, *b = wanted;

	return a->row == b->row && a->note.kind == b->note.kind &&
	       cause_note_is_alike(&a->note, &b->note);
}

static struct sum_cause *row_cause(struct top_sums *sums, const struct sum_row *row,
                                   const struct span *span, const struct cause_note *note)
{
	struct cause_identity identity = cause_note_identity(note);
	const struct sum_cause wanted = {
		.row = tally_number(&sums->rows, row),
		.note = *note,
		.track = span->track,
		.begin = span->begin,
		.behind = TRACK_NONE,
	};
	uint64_t hash = hash_mix(hash_mix(0, wanted.row), note->kind);

	return tally_row_of(&sums->causes, cause_identity_hash(&identity, hash), &wanted,
	                    cause_is_alike);
}

static void cause_add_behind(struct top_sums *sums, const struct sum_cause *cause,
                             uint32_t track, nsec_t time)
{
	uint64_t key = (uint64_t)tally_number(&sums->causes, cause) << 32 | track;
	struct sum_behind *behind = track == TRACK_NONE ? NULL : tally_of(&sums->behinds, key);

	if (behind)
		behind->total += time;
}

/* Whether an open wait is known not to be for work, nor for a time: in S, that counts only of tasks
   that were asked for, as shells and services wait like that all the time. */
static bool open_is_for_others(const struct top_sums *sums, const struct span *span)
{
	const struct noted_wait *noted = open_wait_noted(live_run_machine(sums->run), span->track);

	return span->is_open && span->kind == SEGMENT_WAIT && sums->wanted->is_targets && noted &&
	       noted->aim != AIM_FOR_WORK && noted->aim != AIM_NONE && noted->aim != AIM_TIME;
}

/* The kind that the time counts for in the head. Of an open wait for another task or machine that
   is known, although no task that has the other end is. */
static enum cause_kind kind_of(const struct top_sums *sums, const struct span *span,
                               const struct cause_note *note)
{
	const struct noted_wait *noted;

	if (note->kind != CAUSE_UNKNOWN || !open_is_for_others(sums, span))
		return (enum cause_kind)note->kind;
	noted = open_wait_noted(live_run_machine(sums->run), span->track);
	if (noted->aim == AIM_KERNEL)
		return CAUSE_UNKNOWN;
	return noted->has_peer ? CAUSE_NET : CAUSE_TASK;
}

/* A wait of the row, of which `time` is in the interval; `length`: all of it. */
static void row_add_wait(struct top_sums *sums, struct sum_row *row, const struct span *span,
                         nsec_t time, nsec_t length)
{
	struct cause_note unknown;
	const struct cause_note *note = span->cause;
	struct sum_cause *cause;

	if (!note) {
		cause_note_init(&unknown, CAUSE_UNKNOWN, CONFIDENCE_LOW);
		note = &unknown;
	}
	row->waits++;
	row->waiting += time;
	row->longest = nsec_max(row->longest, length);
	if (!row->is_kernel) {
		sums->waiting += time;
		sums->by_kind[kind_of(sums, span, note)] += time;
	}
	cause = row_cause(sums, row, span, note);
	if (!cause)
		return;
	cause->waits++;
	cause->total += time;
	cause_add_behind(sums, cause, cause_note_behind(note, span->track), time);
}

/* The part of the span in the interval. */
static nsec_t span_time(const struct top_sums *sums, const struct span *span)
{
	nsec_t begin = nsec_max(span->begin, sums->floor);

	return span->end > begin ? span->end - begin : 0;
}

/* Whether the span counts as waiting. *note is set if its own time limit ended a wait that events,
   or the recorder, saw to be for something else. */
static bool span_is_waiting(const struct top_sums *sums, struct span *span, struct cause_note *note)
{
	const struct timeline *timeline = live_run_timeline(sums->run);

	if (span->kind == SEGMENT_WAIT && !span->is_open && span->cause &&
	    cause_note_is_own_timer(span->cause)) {
		const struct cause_note *request = timeline_request(timeline, span->cause);
		bool is_limited = open_wait_of_limit(live_run_machine(sums->run), span->track,
		                                     note);

		/* the recorder may have seen who has it, too */
		if (request && !is_limited)
			*note = *request;
		if (request || is_limited)
			span->cause = note;
	}
	return span_holds_up(timeline, span) || open_is_for_others(sums, span) ||
	       span->cause == note;
}

/* The span is of a wanted task. */
static void sums_add_wanted(struct top_sums *sums, const struct span *of)
{
	struct span span_of = *of, *span = &span_of;
	struct cause_note note;
	const struct timeline *timeline = live_run_timeline(sums->run);
	nsec_t time = span_time(sums, span), length;
	struct sum_row *row = sums_row(sums, timeline, span->track);

	if (!row)
		return;
	if (span->kind == SEGMENT_RUN)
		row->running += time;
	else if (span->kind == SEGMENT_RUNNABLE)
		row->runnable += time;
	if (!span_is_waiting(sums, span, &note))
		return;
	length = span->end - live_run_wait(sums->run, span).since;
	row_add_wait(sums, row, span, time, length);
	if (!span->is_open && !row->is_kernel)
		distribution_add(&sums->lengths, length, span->end);
}

/* Returns whether the span is of a wanted task. */
static bool sums_add(struct top_sums *sums, const struct span *span)
{
	const struct timeline *timeline = live_run_timeline(sums->run);
	bool is_idle = timeline->track[span->track].is_idle;

	if (span->kind == SEGMENT_RUN && !is_idle)
		sums->running += span_time(sums, span);
	else if (span->kind == SEGMENT_RUNNABLE && !is_idle)
		sums->runnable += span_time(sums, span);
	if (!is_wanted(sums, timeline, span->track))
		return false;
	sums_add_wanted(sums, span);
	return true;
}

void top_sums_take_span(void *state, const struct span *span)
{
	struct top_sums *sums = state;

	/* nothing counts before the first interval has begun, nor twice */
	if (sums->run && span->end >= sums->floor)
		(void)sums_add(sums, span);
}

/*
 * A wait that holds its task up comes before one for another task, or for what another task sends:
 * shells wait for their children like that, and services that have nothing to do. Of most sleeps in
 * S nothing is known at all.
 */
enum open_rank {
	OPEN_OF_NO_INTEREST,
	OPEN_ASKED,    /* a sleep that holds nothing up, or a stop, of a task that was asked for */
	OPEN_EXCHANGE, /* for what some other task sends */
	OPEN_BEHIND,   /* the same, and it is known which task */
	OPEN_HELD_UP,
};

/* A wait that has not ended, which is the longest one of the highest rank so far. */
struct open_wait_found {
	bool is_found;
	enum open_rank rank;
	struct span span;
	struct cause_note note; /* if the span has a cause */
	struct live_wait wait;
};

/* Whether the recorder saw a wait for another task, or for what another task sends. */
static bool span_is_exchange(const struct timeline *timeline, const struct span *span)
{
	static const uint8_t purposes[] = {
		PURPOSE_PIPE_READ,      PURPOSE_PIPE_WRITE,     PURPOSE_PIPE,
		PURPOSE_FIFO_OPEN,      PURPOSE_CHILD,          PURPOSE_VFORK,
		PURPOSE_FLOCK,          PURPOSE_POSIX_LOCK,     PURPOSE_FILE_LOCK,
		PURPOSE_LEASE,          PURPOSE_SYSV_SEM,       PURPOSE_SYSV_RECEIVE,
		PURPOSE_SYSV_SEND,      PURPOSE_MQUEUE_RECEIVE, PURPOSE_MQUEUE_SEND,
		PURPOSE_UNIX_RECEIVE,   PURPOSE_UNIX_SEND,      PURPOSE_UNIX_CONNECT,
		PURPOSE_TCP_RECEIVE,    PURPOSE_TCP_SEND,       PURPOSE_TCP_CONNECT,
		PURPOSE_UDP_RECEIVE,    PURPOSE_SOCKET_RECEIVE, PURPOSE_SOCKET_SEND,
		PURPOSE_SOCKET_CONNECT, PURPOSE_VSOCK_RECEIVE,  PURPOSE_VSOCK_SEND,
		PURPOSE_VSOCK_CONNECT,  PURPOSE_ANSWER,
	};

	if (span->kind != SEGMENT_WAIT || !span->cause || span_is_idle_sleep(timeline, span))
		return false;
	if (span->cause->kind == CAUSE_TASK)
		return true;
	for (size_t i = 0; i < ARRAY_SIZE(purposes); i++)
		if (span->cause->purpose == purposes[i])
			return true;
	return false;
}

/* Whether the task is one of those that wait for this process: its shell, the shell's parent. */
static bool is_above(const struct top_sums *sums, uint32_t track)
{
	for (size_t i = 0; i < sums->above_count; i++)
		if (sums->above[i] == track)
			return true;
	return false;
}

static enum open_rank span_rank(const struct top_sums *sums, const struct span *span)
{
	const struct timeline *timeline = live_run_timeline(sums->run);
	enum open_rank least = sums->wanted->is_targets &&
	                                       (span->kind == SEGMENT_WAIT ||
	                                        span->kind == SEGMENT_STOPPED)
	                               ? OPEN_ASKED : OPEN_OF_NO_INTEREST;

	if (timeline->track[span->track].is_kernel)
		return least;
	if (span_holds_up(timeline, span))
		return OPEN_HELD_UP;
	if (!span_is_exchange(timeline, span) || is_above(sums, span->track))
		return least;
	return cause_note_behind(span->cause, span->track) == TRACK_NONE ? OPEN_EXCHANGE
	                                                                 : OPEN_BEHIND;
}

static void open_compare(struct open_wait_found *found, const struct top_sums *sums,
                         const struct span *span)
{
	struct live_wait wait = live_run_wait(sums->run, span);
	enum open_rank rank = span_rank(sums, span);

	if (rank == OPEN_OF_NO_INTEREST || wait.since + OPEN_MIN_NS > span->end)
		return;
	if (found->is_found &&
	    (rank != found->rank ? rank < found->rank : wait.since >= found->wait.since))
		return;
	*found = (struct open_wait_found){
		.is_found = true, .rank = rank, .span = *span, .wait = wait};
	if (span->cause)
		found->note = *span->cause;
}

/* What is known of the cause by the generation, or else by the one before it. */
static void span_take_earlier_cause(const struct top_sums *sums, struct span *span)
{
	const struct cause_note *earlier = live_run_wait(sums->run, span).cause;

	if (earlier && (!span->cause || span->cause->kind == CAUSE_UNKNOWN))
		span->cause = earlier;
}

/* Finds this process, its parent, and so on. */
static void sums_find_above(struct top_sums *sums)
{
	const struct timeline *timeline = live_run_timeline(sums->run);
	uint32_t track = 0;

	sums->above_count = 0;
	while (track < timeline->track_count && !is_own(sums->wanted, &timeline->track[track]))
		track++;
	for (; track < timeline->track_count && sums->above_count < ABOVE_MAX;
	     track = timeline->track[track].parent)
		sums->above[sums->above_count++] = track;
}

static void sums_add_open(struct top_sums *sums, struct open_wait_found *found,
                          struct top_shot *shot)
{
	const struct timeline *timeline = live_run_timeline(sums->run);

	sums_find_above(sums);
	for (uint32_t track = 0; track < timeline->track_count; track++) {
		struct cause_note note;
		struct span span;

		if (!machine_look(live_run_machine(sums->run), track, &span, &note))
			continue;
		if (span.kind == SEGMENT_WAIT)
			span_take_earlier_cause(sums, &span);
		shot->queued_now += span.kind == SEGMENT_RUNNABLE &&
		                    !is_own(sums->wanted, &timeline->track[track]);
		if (!sums_add(sums, &span))
			continue;
		shot->asleep += span.kind == SEGMENT_WAIT;
		shot->stopped += span.kind == SEGMENT_STOPPED;
		open_compare(found, sums, &span);
	}
}

/* What the recorder saw of the wait. */
static void open_set_noted(const struct top_sums *sums, uint32_t track, struct top_open *open)
{
	const struct timeline *timeline = live_run_timeline(sums->run);
	const struct noted_wait *noted = open_wait_noted(live_run_machine(sums->run), track);

	_Static_assert(TOP_HOLDERS == OPEN_WAIT_HOLDERS_MAX, "one for one");
	if (!noted)
		return;
	open->object = noted->object ? intern_text(&timeline->names, noted->object) : NULL;
	open->aim_peer = noted->has_peer && noted->path
	                         ? intern_text(&timeline->names, noted->path) : NULL;
	for (size_t i = 0; i < noted->wait.holder_count; i++) {
		uint32_t holder = machine_task_of(live_run_machine(sums->run),
		                                  noted->wait.holder[i]);

		if (holder != TRACK_NONE)
			open->holder[open->holder_count++] =
				timeline_task(timeline, holder, NSEC_NEVER);
	}
}

/* The segment of a wait; SIZE_MAX: the history does not have it. */
static size_t wait_find(const struct top_sums *sums, uint32_t index, nsec_t begin)
{
	struct track *track = &live_run_timeline(sums->run)->track[index];
	size_t at = timeline_find(track, begin + 1);

	return at != SIZE_MAX && track->segment[at].kind == SEGMENT_WAIT &&
	                       track->segment[at].begin == begin ? at : SIZE_MAX;
}

/* What an open wait is for, and the task that has it: as reports have it, if the history has the
   wait; else by its cause. */
static struct brief_aim open_aim(const struct top_sums *sums, const struct span *span,
                                 const struct cause_note *note, uint32_t *ret_behind)
{
	const struct timeline *timeline = live_run_timeline(sums->run);
	const struct noted_wait *noted = open_wait_noted(live_run_machine(sums->run), span->track);
	size_t at = wait_find(sums, span->track, span->begin);
	struct wait_aim aim;

	*ret_behind = note ? cause_note_behind(note, span->track) : TRACK_NONE;
	if (at == SIZE_MAX || (noted && noted->aim != AIM_NONE))
		return live_run_aim(sums->run, span, note);
	aim = timeline_aim(timeline, span->track, at);
	if (aim.kind != AIM_NONE)
		*ret_behind = aim.holder;
	return brief_aim_of_segment(timeline, span->track, at);
}

static void open_set(const struct top_sums *sums, const struct open_wait_found *found,
                     struct top_open *open)
{
	const struct timeline *timeline = live_run_timeline(sums->run);
	uint32_t behind;

	*open = (struct top_open){
		.task = timeline_task(timeline, found->span.track, NSEC_NEVER),
		.since = found->wait.since,
		.is_since_begin = found->wait.is_older,
		.letter = found->span.kind == SEGMENT_STOPPED
		                  ? 'T' : (char)(found->span.detail & (uint8_t)~WAIT_FOR_WORK),
	};
	open->aim = open_aim(sums, &found->span, found->span.cause ? &found->note : NULL, &behind);
	open_set_noted(sums, found->span.track, open);
	open->has_cause = found->span.cause != NULL;
	if (open->has_cause)
		open->cause = timeline_cause(timeline, &found->note, NSEC_NEVER);
	open->has_behind = behind != TRACK_NONE;
	if (behind != TRACK_NONE)
		open->behind = timeline_task(timeline, behind, NSEC_NEVER);
}

bool top_sums_look(const struct top_sums *sums, uint32_t track, struct top_open *ret)
{
	struct open_wait_found found = {.is_found = true};

	if (!machine_look(live_run_machine(sums->run), track, &found.span, &found.note) ||
	    found.span.kind != SEGMENT_WAIT)
		return false;
	span_take_earlier_cause(sums, &found.span);
	if (found.span.cause)
		found.note = *found.span.cause;
	found.wait = live_run_wait(sums->run, &found.span);
	open_set(sums, &found, ret);
	return true;
}

/* What the waits were for: as reports have it, if the history has the wait, or else by its
   cause. */
static struct brief_aim cause_aim(const struct top_sums *sums, const struct sum_cause *cause)
{
	const struct timeline *timeline = live_run_timeline(sums->run);
	size_t at = wait_find(sums, cause->track, cause->begin);

	return at == SIZE_MAX ? brief_aim_of_cause(timeline, cause->track, &cause->note)
	                      : brief_aim_of_segment(timeline, cause->track, at);
}

/* Finds what each row waited for most, and of each cause the task that had most of it; of equal
   ones the last one. */
static void sums_find_most(struct top_sums *sums)
{
	const struct sum_behind *behind;
	struct sum_cause *cause;

	TALLY_EACH(&sums->behinds, behind) {
		cause = &sums->cause[behind->key >> 32];
		if (behind->total >= cause->behind_total) {
			cause->behind = (uint32_t)behind->key;
			cause->behind_total = behind->total;
		}
	}
	TALLY_EACH(&sums->causes, cause) {
		struct sum_row *row = &sums->row[cause->row];

		if (!row->most || cause->total >= row->most->total)
			row->most = cause;
	}
}

static void shown_set_cause(const struct top_sums *sums, const struct sum_cause *most,
                            struct top_row *to)
{
	const struct timeline *timeline = live_run_timeline(sums->run);

	to->has_cause = most != NULL;
	if (!most)
		return;
	to->cause = timeline_cause(timeline, &most->note, NSEC_NEVER);
	to->aim = cause_aim(sums, most);
	to->cause_ns = most->total;
	to->cause_waits = most->waits;
	to->has_behind = most->behind != TRACK_NONE;
	if (to->has_behind)
		to->behind = timeline_task(timeline, most->behind, NSEC_NEVER);
}

static int row_compare(const void *first, const void *second)
{
	const struct top_row *a = first, *b = second;
	nsec_t mine = a->waiting + a->runnable, other = b->waiting + b->runnable;

	/* who starves in a run queue is held up, too */
	return ORDER_BY(RISING(a, b, is_kernel), (mine < other) - (mine > other),
	                FALLING(a, b, waiting), FALLING(a, b, running), strcmp(a->name, b->name),
	                RISING(a, b, task.tid));
}

/* Rows that did nothing but sleep are left out. */
static void shot_set_rows(struct top_sums *sums, struct top_shot *shot)
{
	const struct timeline *timeline = live_run_timeline(sums->run);
	const struct sum_row *row;
	size_t count = 0;

	sums_find_most(sums);
	free(sums->shown);
	sums->shown = xcalloc(sums->row_count, sizeof(*sums->shown));
	TALLY_EACH(&sums->rows, row) {
		struct top_row *to = &sums->shown[count];

		if (row->waiting + row->runnable + row->running == 0)
			continue;
		count++;
		to->name = intern_text(&timeline->names, row->name);
		to->task.tid = -1;
		if (sums->by == TOP_BY_TASK)
			to->task = timeline_task(timeline, row->track, NSEC_NEVER);
		to->task_count = row->tasks;
		to->is_kernel = row->is_kernel;
		to->waiting = row->waiting;
		to->runnable = row->runnable;
		to->running = row->running;
		to->waits = row->waits;
		to->longest = row->longest;
		shown_set_cause(sums, row->most, to);
	}
	if (count > 1)
		qsort(sums->shown, count, sizeof(*sums->shown), row_compare);
	shot->row = sums->shown;
	shot->row_count = count;
}

static void sums_push_trend(struct top_sums *sums, nsec_t length)
{
	if (sums->trend_count == TOP_TREND)
		memmove(sums->trend, sums->trend + 1, (TOP_TREND - 1) * sizeof(sums->trend[0]));
	else
		sums->trend_count++;
	sums->trend[sums->trend_count - 1] = length ? (double)sums->waiting / (double)length : 0;
}

void top_sums_open(struct top_sums *sums)
{
	live_run_show_open(sums->run, /* as_end= */ true);
	timeline_find_awaited(live_run_timeline(sums->run));
}

void top_sums_close(struct top_sums *sums)
{
	machine_hide_open(live_run_machine(sums->run));
}

void top_sums_take(struct top_sums *sums, nsec_t end, struct top_shot *ret)
{
	struct timeline *timeline = live_run_timeline(sums->run);
	struct open_wait_found found = {.is_found = false};
	struct distribution_sum lengths;

	timeline->shows_groups = sums->by == TOP_BY_CGROUP || sums->wanted->cgroup_count > 0;
	sums->floor = nsec_max(sums->floor, timeline->begin);
	*ret = (struct top_shot){.begin = sums->floor, .end = end, .by = sums->by};
	top_sums_open(sums);
	sums_add_open(sums, &found, ret);
	distribution_sum(&sums->lengths, &lengths);
	ret->waiting = sums->waiting;
	/* without switches, what is not known to wait seems to run */
	if (live_run_remarks(sums->run).seen->has[EVENT_SCHED_SWITCH]) {
		ret->running = sums->running;
		ret->runnable = sums->runnable;
	}
	memcpy(ret->by_kind, sums->by_kind, sizeof(ret->by_kind));
	ret->wait_count = sums->lengths.count;
	ret->wait_p50 = lengths.p50;
	ret->wait_p99 = lengths.p99;
	ret->wait_max = sums->lengths.max;
	ret->has_open = found.is_found;
	if (found.is_found)
		open_set(sums, &found, &ret->open);
	shot_set_rows(sums, ret);
	top_sums_close(sums);
	sums_push_trend(sums, end - sums->floor);
	memcpy(ret->trend, sums->trend, sizeof(ret->trend));
	ret->trend_count = sums->trend_count;
	top_sums_turn(sums);
	sums->floor = end;
}
