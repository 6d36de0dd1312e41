/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "inversions.h"

#include <inttypes.h>
#include <stdlib.h>

#include "analysis/tables/cells.h"
#include "analysis/prose.h"
#include "base/data/array.h"
#include "base/cleanup.h"
#include "base/text/format.h"
#include "graph/walk/walk.h"
#include "words/cause/futex_kind.h"
#include "words/cause/purpose.h"
#include "words/task_words.h"

#define INVERSIONS_MAX 1024
#define DEPTH_MAX      64
/* Shorter times in a run queue, and shorter runs of other tasks, are the normal cost of a
   switch. */
#define STAY_LEAST     20000u
/* An inversion that lasts less in one wait does not matter. */
#define INVERTED_LEAST 1000000u
/* Limit on the number of searched tracks, which takes some tenths of a second. */
#define SEARCHED_MAX   (1u << 24)

/* The state while a wait is walked. */
struct inverted_wait {
	struct inversions *inversions;
	struct inversion of; /* the members that all pieces have in common */
	nsec_t begin, end;
	uint32_t depth;
};

void inversions_init(struct inversions *inversions, const struct question *question)
{
	*inversions = (struct inversions){.question = question};
}

void inversions_release(struct inversions *inversions)
{
	free(inversions->inversion);
}

static struct inversion *inversion_get(struct inversions *inversions,
                                       const struct inversion *wanted)
{
	for (size_t i = 0; i < inversions->count; i++) {
		struct inversion *inversion = &inversions->inversion[i];

		if (inversion->waiter == wanted->waiter && inversion->owner == wanted->owner &&
		    inversion->holder == wanted->holder && inversion->behind == wanted->behind &&
		    inversion->at == wanted->at)
			return inversion;
	}
	if (inversions->count == INVERSIONS_MAX)
		return NULL;
	ARRAY_GROW(inversions->inversion, inversions->count, inversions->capacity);
	inversions->inversion[inversions->count] = *wanted;
	return &inversions->inversion[inversions->count++];
}

/* Adds `length` of this wait, in which `behind` had the CPU. */
static void wait_add(struct inverted_wait *wait, uint32_t behind, int16_t priority, nsec_t length)
{
	struct inversion wanted = wait->of, *inversion;

	wanted.behind = behind;
	wanted.behind_priority = priority;
	inversion = inversion_get(wait->inversions, &wanted);
	if (!inversion)
		return;
	inversion->inverted += length;
	if (inversion->count && inversion->last_begin == wait->begin) {
		inversion->last += length;
	} else {
		inversion->count++;
		inversion->waited += wait->end - wait->begin;
		inversion->last_begin = wait->begin;
		inversion->last = length;
	}
	if (inversion->last <= inversion->max)
		return;
	inversion->max = inversion->last;
	inversion->max_begin = wait->begin;
	inversion->max_end = wait->end;
}

/* Adds the runs of the track on the part's CPU with a lower priority than the waiter's. */
static void track_take_runs(struct inverted_wait *wait, uint32_t index, const struct part *part,
                            nsec_t begin, nsec_t end)
{
	struct track *track = &wait->inversions->question->timeline->track[index];
	size_t at = timeline_find(track, end);

	for (; at != SIZE_MAX; at--) {
		nsec_t until = timeline_segment_end(track, at);
		nsec_t from;

		if (until <= begin)
			break;
		if (track->segment[at].kind != SEGMENT_RUN || track->segment[at].cpu != part->cpu)
			continue;
		from = nsec_max(track->segment[at].begin, begin);
		until = nsec_min(until, end);
		/* the rank may change during the run */
		for (nsec_t to; from < until; from = to) {
			struct rank rank = track_rank(track, from);

			to = nsec_min(until, rank.until);
			if (from + STAY_LEAST <= to && rank.priority > wait->of.waiter_priority)
				wait_add(wait, index, rank.priority, to - from);
		}
	}
}

/* The holder was in the run queue of the part's CPU for [begin, end), with a priority below the
   waiter's: searches the tasks that ran there. */
static void wait_take_stay(struct inverted_wait *wait, const struct part *part, nsec_t begin,
                           nsec_t end)
{
	struct inversions *inversions = wait->inversions;
	const struct timeline *timeline = inversions->question->timeline;

	inversions->searched += timeline->track_count;
	for (uint32_t index = 0; index < timeline->track_count; index++) {
		const struct track *track = &timeline->track[index];

		if (index != part->track && !track->is_idle && track->segment_count &&
		    track->begin < end && track->end > begin)
			track_take_runs(wait, index, part, begin, end);
	}
}

static void inversions_on_part(void *state, const struct part *part)
{
	struct inverted_wait *wait = state;
	const struct track *track = &wait->inversions->question->timeline->track[part->track];
	nsec_t begin = part->begin;

	if (part->state != PART_RUNNABLE || part->depth == 0 ||
	    part->confidence == CONFIDENCE_LOW || part->end - part->begin < STAY_LEAST ||
	    (part->cause && part->cause->kind == CAUSE_THROTTLED))
		return;
	while (begin < part->end) {
		struct rank rank = track_rank(track, begin);
		nsec_t end = nsec_min(rank.until, part->end);

		wait->of.holder = part->track;
		wait->of.holder_priority = rank.priority;
		if (rank.priority > wait->of.waiter_priority)
			wait_take_stay(wait, part, begin, end);
		begin = end;
	}
}

static void on_descend(void *state, uint32_t waiter, uint32_t track, const struct cause_note *cause)
{
	struct inverted_wait *wait = state;

	(void)waiter;
	(void)cause;
	if (wait->depth++ == 0)
		wait->of.owner = track;
}

static void on_ascend(void *state)
{
	struct inverted_wait *wait = state;

	wait->depth--;
}

static enum inversion_at inversion_at_of(const struct timeline *timeline,
                                         const struct cause_note *note)
{
	static const enum inversion_at at_futex[] = {
		[FUTEX_KIND_UNKNOWN] = INVERSION_AT_FUTEX,
		[FUTEX_KIND_LOCK] = INVERSION_AT_MUTEX,
		[FUTEX_KIND_JOIN] = INVERSION_AT_MEETING,
		[FUTEX_KIND_CONDITION] = INVERSION_AT_WORK,
		[FUTEX_KIND_BARRIER] = INVERSION_AT_MEETING,
		[FUTEX_KIND_SEMAPHORE] = INVERSION_AT_WORK,
		[FUTEX_KIND_SIGNALLED] = INVERSION_AT_WORK,
	};

	/* a cause of kind CAUSE_TASK with an address is a futex */
	if (note->kind == CAUSE_TASK && note->as.lock.address)
		return at_futex[futex_kind_of(note->as.lock.flags)];
	if (note->kind == CAUSE_LOCK || purpose_is_lock(note->purpose))
		return INVERSION_AT_LOCK;
	if (cause_note_is_labelled(timeline, note, "exit"))
		return INVERSION_AT_MEETING;
	if (note->purpose == PURPOSE_FUTEX)
		return INVERSION_AT_FUTEX;
	return note->purpose == PURPOSE_NONE ? INVERSION_AT_TASK : INVERSION_AT_PLACE;
}

/* Whether the wait held the task up, as far as is known: a task that another process wakes from S
   may have had no work. */
static bool wait_may_be_inverted(const struct timeline *timeline, uint32_t track, uint8_t detail,
                                 const struct cause_note *note)
{
	enum inversion_at at;

	if (detail & WAIT_FOR_WORK || !note->is_walked || note->waker == track ||
	    note->waker == TRACK_NONE || note->confidence == CONFIDENCE_LOW)
		return false;
	if (detail == 'D')
		return true;
	at = inversion_at_of(timeline, note);
	return at >= INVERSION_AT_MUTEX ||
	       (at != INVERSION_AT_WORK && timeline_is_one_process(timeline, track, note->waker));
}

void inversions_take_wait(struct inversions *inversions, uint32_t index, size_t at, nsec_t begin,
                          nsec_t end)
{
	struct timeline *timeline = inversions->question->timeline;
	const struct track *track = &timeline->track[index];
	const struct segment *segment = &track->segment[at];
	struct inverted_wait wait = {.inversions = inversions, .begin = begin, .end = end};
	const struct walk_visitor visitor = {
		.state = &wait,
		.on_part = inversions_on_part,
		.on_descend = on_descend,
		.on_ascend = on_ascend,
		.depth_max = DEPTH_MAX,
	};
	struct walk_result result = {0};
	const struct cause_note *note;
	struct rank rank;

	if (end - begin < STAY_LEAST || segment->cause == CAUSE_NONE)
		return;
	rank = track_rank(track, begin);
	note = timeline_cause_at(timeline, segment->cause);
	if (rank.priority == PRIORITY_UNKNOWN || rank.priority >= PRIORITY_FAIR_MIN ||
	    end != timeline_segment_end(track, at) ||
	    !wait_may_be_inverted(timeline, index, segment->detail, note))
		return;
	if (inversions->searched > SEARCHED_MAX) {
		inversions->left_out++;
		return;
	}
	wait.of = (struct inversion){
		.waiter = index,
		.waiter_priority = rank.priority,
		.at = (uint8_t)inversion_at_of(timeline, note),
		.is_in_kernel = segment->detail == 'D',
	};
	walk(timeline, index, begin, end, &visitor, &result);
}

static int inversion_compare(const void *a, const void *b)
{
	const struct inversion *x = a, *y = b;

	if (x->inverted != y->inverted)
		return x->inverted > y->inverted ? -1 : 1;
	if (x->waiter != y->waiter)
		return x->waiter < y->waiter ? -1 : 1;
	if (x->holder != y->holder)
		return x->holder < y->holder ? -1 : 1;
	return x->behind < y->behind ? -1 : x->behind > y->behind;
}

void inversions_sort(struct inversions *inversions)
{
	array_sort(inversions->inversion, inversions->count, sizeof(*inversions->inversion),
	           inversion_compare);
	if (inversions->left_out)
		health_doubt(inversions->question->health,
		             "too much to search for priority inversion: %" PRIu64 " waits of "
		             "real-time tasks were not",
		             inversions->left_out);
}

/* The worst inversion that matters; NULL: none does. */
static const struct inversion *inversions_worst(const struct inversions *inversions)
{
	for (size_t i = 0; i < inversions->count; i++)
		if (inversions->inversion[i].max >= INVERTED_LEAST)
			return &inversions->inversion[i];
	return NULL;
}

bool inversions_blame(const struct inversions *inversions, uint32_t track)
{
	const struct inversion *worst = inversions_worst(inversions);

	return worst && worst->behind == track;
}

static void ranked_append(struct buffer *to, const struct timeline *timeline, uint32_t track,
                          int16_t priority)
{
	prose_task_append(to, timeline, track);
	buffer_puts(to, " (");
	priority_append(to, priority);
	buffer_putc(to, ')');
}

static void inversion_mend_append(struct buffer *to, const struct timeline *timeline,
                                  const struct inversion *inversion)
{
	bool may_be_mutex = inversion->at == INVERSION_AT_MUTEX ||
	                    inversion->at == INVERSION_AT_FUTEX ||
	                    inversion->at == INVERSION_AT_TASK;

	if (!may_be_mutex || inversion->is_in_kernel) {
		buffer_puts(to, ": raise ");
		prose_task_append(to, timeline, inversion->holder);
		buffer_puts(to, " (chrt), or keep ");
		prose_task_append(to, timeline, inversion->behind);
		buffer_puts(to, " off its CPU (taskset).");
		return;
	}
	buffer_printf(to,
	              ": %s PTHREAD_PRIO_INHERIT lends its owner the priority of its waiters.",
	              inversion->at == INVERSION_AT_MUTEX ? "a mutex of" : "if that is a mutex,");
}

static void path_append(struct buffer *to, const struct timeline *timeline,
                        const struct inversion *inversion)
{
	buffer_puts(to, " Its path: ");
	prose_path_options_append(to, timeline, inversion->waiter, inversion->max_begin,
	                          inversion->max_end);
}

/*
 * "Priority inversion: rt-audio[3] (RT 80) waited 12 ms for a lock of logger[4] (nice 0), which
 * was queued behind cc1[5] (nice 0) for 9 ms of it: ..."
 */
static void inversion_describe(const struct timeline *timeline, const struct inversion *inversion,
                               struct buffer *to)
{
	static const char *const what[] = {
		[INVERSION_AT_WORK] = "",
		[INVERSION_AT_MEETING] = "",
		[INVERSION_AT_PLACE] = "",
		[INVERSION_AT_TASK] = "",
		[INVERSION_AT_FUTEX] = "a futex of ",
		[INVERSION_AT_MUTEX] = "a lock of ",
		[INVERSION_AT_LOCK] = "a lock of ",
	};

	buffer_puts(to, "Priority inversion: ");
	ranked_append(to, timeline, inversion->waiter, inversion->waiter_priority);
	buffer_printf(to, " waited %s for %s", DURATION_TEXT(inversion->waited),
	              what[inversion->at]);
	if (inversion->owner != inversion->holder) {
		prose_task_append(to, timeline, inversion->owner);
		buffer_puts(to, ", which waited for ");
	}
	ranked_append(to, timeline, inversion->holder, inversion->holder_priority);
	buffer_puts(to, ", which was queued behind ");
	ranked_append(to, timeline, inversion->behind, inversion->behind_priority);
	buffer_printf(to, " for %s of it", DURATION_TEXT(inversion->inverted));
	if (inversion->count > 1)
		buffer_printf(to, ", %s times", COUNT_TEXT(inversion->count));
	inversion_mend_append(to, timeline, inversion);
	path_append(to, timeline, inversion);
}

void inversions_print(const struct inversions *inversions, const struct output *to)
{
	const struct inversion *worst = inversions_worst(inversions);
	_cleanup_(buffer_release) struct buffer line = {0};

	if (!worst)
		return;
	buffer_init(&line, BUFFER_LIMIT_DEFAULT);
	inversion_describe(inversions->question->timeline, worst, &line);
	prose_put(to, line.text);
}

void inversions_report(const struct inversions *inversions, const struct output *to)
{
	static const struct column columns[] = {
		{"task", NULL, CELL_TASK, COLUMN_DATA_ONLY},
		{"priority", NULL, CELL_PRIORITY, COLUMN_DATA_ONLY},
		{"owner", NULL, CELL_TASK, COLUMN_DATA_ONLY},
		{"holder", NULL, CELL_TASK, COLUMN_DATA_ONLY},
		{"holder_priority", NULL, CELL_PRIORITY, COLUMN_DATA_ONLY},
		{"behind", NULL, CELL_TASK, COLUMN_DATA_ONLY},
		{"behind_priority", NULL, CELL_PRIORITY, COLUMN_DATA_ONLY},
		{"is_lock", NULL, CELL_BOOL, COLUMN_DATA_ONLY},
		{"count", NULL, CELL_COUNT, COLUMN_DATA_ONLY},
		{"waited_ns", NULL, CELL_DURATION, COLUMN_DATA_ONLY},
		{"inverted_ns", NULL, CELL_DURATION, COLUMN_DATA_ONLY},
		{"max_ns", NULL, CELL_DURATION, COLUMN_DATA_ONLY},
		{"max_begin_ns", NULL, CELL_INSTANT, COLUMN_DATA_ONLY},
	};
	const struct timeline *timeline = inversions->question->timeline;

	output_table_begin(to, "inversions", NULL, columns, ARRAY_SIZE(columns),
	                   /* is_single= */ false);
	for (size_t i = 0; i < inversions->count; i++) {
		const struct inversion *inversion = &inversions->inversion[i];

		output_row(to,
			(struct cell[]){
				cell_of_task(timeline, inversion->waiter),
				{.type = CELL_PRIORITY, .integer = inversion->waiter_priority},
				cell_of_task(timeline, inversion->owner),
				cell_of_task(timeline, inversion->holder),
				{.type = CELL_PRIORITY, .integer = inversion->holder_priority},
				cell_of_task(timeline, inversion->behind),
				{.type = CELL_PRIORITY, .integer = inversion->behind_priority},
				{.type = CELL_BOOL, .boolean = inversion->at >= INVERSION_AT_MUTEX},
				{.type = CELL_COUNT, .count = inversion->count},
				{.type = CELL_DURATION, .time = inversion->waited},
				{.type = CELL_DURATION, .time = inversion->inverted},
				{.type = CELL_DURATION, .time = inversion->max},
				{.type = CELL_INSTANT, .time = inversion->max_begin},
			});
	}
	output_table_end(to);
}
