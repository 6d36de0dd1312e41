/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "explanation.h"

#include <inttypes.h>

#include "analysis/tables/relation.h"
#include "base/data/array.h"
#include "base/data/order.h"
#include "graph/walk/walk.h"
#include "sentences/say.h"
#include "sentences/thresholds.h"
#include "words/cause/futex_kind.h"
#include "words/cause/purpose.h"
#include "words/task_words.h"

#define DEPTH_MAX      64
/* Limit on the number of searched tracks, which takes some tenths of a second. */
#define SEARCHED_MAX   (1u << 24)

/* The state while a wait is walked. */
struct inverted_wait {
	struct inversions *inversions;
	struct inversion of; /* the members that all pieces have in common */
	nsec_t begin, end;
	uint32_t depth;
};

/* Adds `length` of this wait, in which `behind` had the CPU. */
static void wait_add(struct inverted_wait *wait, uint32_t behind, int16_t priority, nsec_t length)
{
	struct inversion *inversion;

	wait->of.key.behind = behind;
	inversion = tally_row(&wait->inversions->rows, &wait->of.key);
	if (!inversion)
		return;
	if (inversion->count == 0) {
		*inversion = wait->of;
		inversion->behind_priority = priority;
	}
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

static void inversions_on_part(void *state, const struct part *part)
{
	struct inverted_wait *wait = state;
	const struct timeline *timeline = wait->inversions->question->timeline;
	nsec_t begin = part->begin, end;

	if (part->state != PART_RUNNABLE || part->depth == 0 ||
	    part->confidence == CONFIDENCE_LOW || part->end - part->begin < STAY_LEAST ||
	    (part->cause && part->cause->kind == CAUSE_THROTTLED))
		return;
	for (; begin < part->end; begin = end) {
		struct rank rank = track_rank(&timeline->track[part->track], begin);

		end = nsec_min(rank.until, part->end);
		wait->of.key.holder = part->track;
		wait->of.holder_priority = rank.priority;
		if (rank.priority <= wait->of.waiter_priority)
			continue;
		/* the holder stood in a run queue: which tasks ran there? */
		wait->inversions->searched += timeline->track_count;
		for (uint32_t index = 0; index < timeline->track_count; index++) {
			const struct track *track = &timeline->track[index];

			if (index != part->track && !track->is_idle && track->segment_count &&
			    track->begin < end && track->end > begin)
				track_take_runs(wait, index, part, begin, end);
		}
	}
}

static void on_descend(void *state, uint32_t waiter, uint32_t track, const struct cause_note *cause)
{
	struct inverted_wait *wait = state;

	(void)waiter;
	(void)cause;
	if (wait->depth++ == 0)
		wait->of.key.owner = track;
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
	if (!priority_is_real_time(rank.priority) || end != timeline_segment_end(track, at) ||
	    !wait_may_be_inverted(timeline, index, segment->detail, note))
		return;
	if (inversions->searched > SEARCHED_MAX) {
		inversions->left_out++;
		return;
	}
	wait.of = (struct inversion){
		.key = {.waiter = index, .at = inversion_at_of(timeline, note)},
		.waiter_priority = rank.priority,
		.is_in_kernel = segment->detail == 'D',
	};
	walk(timeline, index, begin, end, &visitor, &result);
}

ORDER_FUNCTION(inversion_compare, struct inversion, FALLING(x, y, inverted),
               RISING(x, y, key.waiter), RISING(x, y, key.holder), RISING(x, y, key.behind))

void inversions_sort(struct inversions *inversions)
{
	array_sort(inversions->rows.row, inversions->rows.count, sizeof(struct inversion),
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
	TALLY_ROWS(&inversions->rows, const struct inversion, inversion)
		if (inversion->max >= INVERTED_LEAST)
			return inversion;
	return NULL;
}

bool inversions_blame(const struct inversions *inversions, uint32_t track)
{
	const struct inversion *worst = inversions_worst(inversions);

	return worst && worst->key.behind == track;
}

void inversions_print(const struct inversions *inversions, const struct output *to)
{
	static const char *const what[] = {
		[INVERSION_AT_FUTEX] = "a futex",
		[INVERSION_AT_MUTEX] = "a lock",
		[INVERSION_AT_LOCK] = "a lock",
	};
	const struct inversion *worst = inversions_worst(inversions);
	uint32_t at = worst ? worst->key.at : INVERSION_AT_WORK;
	bool may_be_mutex = (at == INVERSION_AT_MUTEX || at == INVERSION_AT_FUTEX ||
	                     at == INVERSION_AT_TASK) && !worst->is_in_kernel;

	if (!worst)
		return;
	say_fact(to, inversions->question->timeline, FACT(FACT_REASON),
	       "Priority inversion: {ranked} waited {time} for [{text} of ][{task}, which waited "
	       "for ]{ranked}, which was queued behind {ranked} for {time} of it[, {count} times]: "
	       "[[{if}a mutex of|if that is a mutex,] {if}PTHREAD_PRIO_INHERIT lends its owner the "
	       "priority of its waiters.|raise {task} (chrt), or keep {task} off its CPU "
	       "(taskset).] Its path: {path}",
	       RANKED_AT(worst->key.waiter, worst->waiter_priority), TIME(worst->waited),
	       TEXT(what[at]), WHEN(worst->key.owner != worst->key.holder, TASK(worst->key.owner)),
	       RANKED_AT(worst->key.holder, worst->holder_priority),
	       RANKED_AT(worst->key.behind, worst->behind_priority), TIME(worst->inverted),
	       WHEN(worst->count > 1, COUNT(worst->count)), IF(at == INVERSION_AT_MUTEX),
	       IF(may_be_mutex), TASK(worst->key.holder), TASK(worst->key.behind),
	       PATH(worst->key.waiter, worst->max_begin, worst->max_end));
}

#define AT(member) RELATION_AT(struct inversion, member)

enum {
	COLUMN_IS_LOCK = 7,
};

static const struct field fields[] = {
	{"task", NULL, CELL_TASK, 0, AT(key.waiter)},
	{"priority", NULL, CELL_PRIORITY, 0, AT(waiter_priority)},
	{"owner", NULL, CELL_TASK, 0, AT(key.owner)},
	{"holder", NULL, CELL_TASK, 0, AT(key.holder)},
	{"holder_priority", NULL, CELL_PRIORITY, 0, AT(holder_priority)},
	{"behind", NULL, CELL_TASK, 0, AT(key.behind)},
	{"behind_priority", NULL, CELL_PRIORITY, 0, AT(behind_priority)},
	[COLUMN_IS_LOCK] = {"is_lock", NULL, CELL_BOOL, 0, FILLED},
	{"count", NULL, CELL_COUNT, 0, AT(count)},
	{"waited_ns", NULL, CELL_DURATION, 0, AT(waited)},
	{"inverted_ns", NULL, CELL_DURATION, 0, AT(inverted)},
	{"max_ns", NULL, CELL_DURATION, 0, AT(max)},
	{"max_begin_ns", NULL, CELL_INSTANT, 0, AT(max_begin)},
};

static void inversion_fill(const void *view, const void *row, struct cell *cell,
                           struct buffer *text)
{
	(void)view;
	(void)text;
	cell[COLUMN_IS_LOCK].boolean =
		((const struct inversion *)row)->key.at >= INVERSION_AT_MUTEX;
}

void inversions_report(const struct inversions *inversions, const struct output *to)
{
	static const struct relation_form form = {
		"inversions", NULL, FIELDS(fields),
		.next = LINK_PATH("task", "max_begin_ns", "max_begin_ns+max_ns"),
		.fill = inversion_fill,
	};

	relation_put(&inversions->rows, &form, /* view= */ NULL, inversions->question, to);
}
