/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * It is often known only later whether a limit held a task back. Each task keeps its last stays of
 * the shape that a limit gives them, and each process a list of its tasks that have any. When a
 * limit is proved for one of them, the stays of all its tasks are corrected, and a task joins the
 * list again with its next stay. So a proof costs no more than what was noted.
 */
#include "limit_past.h"

#include <stdlib.h>

#include "base/array.h"
#include "held_wait.h"
#include "noted_quota.h"
#include "sink_queue.h"

#define PAST_LAST (UINT32_MAX - 1)
#define PAST_NONE UINT32_MAX

/* In ns: the period that is assumed if it is not known, and the longest period that spans are held
   back for. */
#define PERIOD_USUAL 100000000u
#define PERIOD_MAX   500000000u

void past_lists_init(struct past_lists *past)
{
	map_init(&past->first);
}

void past_lists_release(struct past_lists *past)
{
	map_release(&past->first);
	free(past->next);
}

/* Threads of a process share a group; a task without a known process is a group by itself. */
static uint64_t past_key(const struct machine *machine, uint32_t track)
{
	int32_t tgid = machine->timeline->track[track].tgid;

	return tgid > 0 ? (uint64_t)tgid << 32 : track;
}

static void past_lists_add(struct past_lists *past, const struct machine *machine, uint32_t track)
{
	uint64_t key = past_key(machine, track);
	uint32_t first;

	while (past->count <= track) {
		ARRAY_GROW(past->next, past->count, past->capacity);
		past->next[past->count++] = PAST_NONE;
	}
	if (past->next[track] != PAST_NONE)
		return;
	first = map_get(&past->first, key);
	past->next[track] = first == MAP_NONE ? PAST_LAST : first;
	map_put(&past->first, key, track);
}

void past_lists_note(struct past_lists *past, struct machine *machine, uint32_t track,
                     const struct past_stay *stay, nsec_t period)
{
	struct held_back *held = task_held_back(machine, track);
	nsec_t wait = period == NSEC_NEVER ? PERIOD_USUAL : nsec_min(period, PERIOD_MAX);

	held->past[held->past_count++ % PAST_STAYS] = *stay;
	past_lists_add(past, machine, track);
	sink_queue_hold(machine, machine->now + wait * (REGULAR_MIN + 1));
}

/* A limit was proved for the task: it caused the task's past stays of that shape. */
static void task_go_back(struct machine *machine, uint32_t track, uint64_t timer)
{
	struct held_back *held = task_held_back(machine, track);
	uint64_t first = held->past_count > PAST_STAYS ? held->past_count - PAST_STAYS : 0;
	struct cause_note cause;

	for (uint64_t n = first; n < held->past_count; n++) {
		const struct past_stay *past = &held->past[n % PAST_STAYS];

		if (!timer_is_of(past->timer, timer) ||
		    !sink_queue_may_correct(machine, past->number) ||
		    quota_judge(machine, track, past->timer, 0, past->end - past->begin) ==
			    QUOTA_NOT)
			continue;
		cause_note_init(&cause, CAUSE_THROTTLED, CONFIDENCE_MEDIUM);
		cause.as.throttled.limit = CPU_LIMIT_GROUP;
		cause.name = past->function;
		if (!wait_note_limit(machine, track, past->begin, past->end, &cause))
			sink_queue_correct(machine, track, past->number, past->begin, past->end,
			                   &cause);
		quota_note_held(machine, past->timer, past->cpu, past->begin, past->end);
	}
	held->past_count = 0;
}

void past_lists_go_back(struct past_lists *past, struct machine *machine, uint32_t track,
                        uint64_t timer)
{
	uint32_t other = past->count ? map_take(&past->first, past_key(machine, track)) : MAP_NONE;

	if (other == MAP_NONE)
		return;
	while (other != PAST_LAST) {
		const struct held_back *held = task_held_back(machine, other);
		uint32_t next = past->next[other];

		past->next[other] = PAST_NONE;
		if (held && held->past_count)
			task_go_back(machine, other, timer);
		other = next;
	}
}
