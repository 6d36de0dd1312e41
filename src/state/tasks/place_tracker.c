/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where in the kernel a task went to sleep, from the stack recorded right after its switch-out or
 * from Android's sched_blocked_reason. The place shows what kind of sleep it is: for something to
 * do, for memory; and whether a task that was woken sleeps again where it did before.
 */
#include <string.h>

#include "base/assume.h"
#include "base/cleanup.h"
#include "base/code/code_part.h"
#include "base/data/array.h"
#include "base/xalloc.h"
#include "stack_event.h"
#include "state/core/held_wait.h"
#include "state/limits/limits.h"
#include "state/places/place_rows.h"
#include "state/trackers.h"
#include "task_call.h"

/* Of the stack of a task that could go on, only frames next to the scheduler are examined. */
#define FRAMES_OFF 12

/* Functions on the way into the scheduler: the place of a sleep is the function that calls
   these. */
static const char *const scheduler_functions[] = {
	"__schedule",          "schedule",         "io_schedule",
	"schedule_timeout",    "schedule_idle",    "io_schedule_timeout",
	"schedule_rtlock",     "rt_mutex_schedule", "schedule_preempt_disabled",
	"schedule_hrtimeout",  "schedule_hrtimeout_range", "schedule_hrtimeout_range_clock",
	"schedule_timeout_interruptible", "schedule_timeout_uninterruptible",
	"schedule_timeout_killable", "schedule_timeout_idle", "preempt_schedule_common",
};

/* Functions that task_work_run() calls between two works, and functions that these call. */
static const char *const yielding_functions[] = {
	"__cond_resched", "dynamic_cond_resched", "_cond_resched", "preempt_schedule_common",
	"__schedule",
};

struct known_stack {
	uint64_t check; /* see stack_keep() */
	struct sleep_place place;
};

struct places {
	struct object_pool by_hash; /* struct known_stack */
	struct place_index index;
};

OWN_DATA(places_of, struct places, PLACE)

/*
 * The functions below the scheduler's, innermost first. Where the stack is not known to begin with
 * the sleeper's own function, it may lack the frame that counts.
 */
static enum place_kind rows_find_kind(const struct place_row *const *row, size_t count,
                                      bool has_sleeper)
{
	for (size_t depth = 0; depth < count && depth < 2; depth++)
		if (row[depth] && row[depth]->kind && place_row_holds(row[depth], depth))
			return (enum place_kind)row[depth]->kind;
	return count > 0 && has_sleeper ? PLACE_OTHER : PLACE_UNKNOWN;
}

/*
 * What a sleep in the row's function is, `depth` frames from the scheduler, which is called for one
 * function after the other, outwards; true once that is decided. Writers wait for writeback, too:
 * it is for memory only inside a function that reclaims.
 */
static bool place_decide(const struct place_row *row, size_t depth, struct sleep_place *place)
{
	bool is_for_work = row->is_for_work && place_row_holds(row, depth);
	bool is_writeback = place->memory == MEMORY_WRITEBACK;
	/* by reclaim or by moving pages: that happens inside faults, never the reverse */
	bool makes_room = row->memory == MEMORY_RECLAIM || row->memory == MEMORY_MEMCG_RECLAIM ||
	                  row->memory == MEMORY_COMPACTION;

	if (!row->memory && !row->is_no_memory && !is_for_work)
		return false;
	place->memory = row->memory;
	place->is_for_work = is_for_work;
	if (is_writeback && makes_room)
		place->memory = MEMORY_WRITEBACK;
	else if (place->memory == MEMORY_WRITEBACK)
		return false;
	return true;
}

/* The place of these functions, innermost first, without those of the scheduler. A function without
   a row says nothing. */
static struct sleep_place place_of_rows(const struct place_row *const *row, size_t count,
                                        bool has_sleeper, uint32_t frames)
{
	struct sleep_place place = {
		.frames = frames,
		.is_frozen = count > 0 && row[0] && row[0]->is_frozen,
		.kind = (uint8_t)rows_find_kind(row, count, has_sleeper),
	};
	bool is_decided = false, is_vague = false;

	ASSUME(count <= FRAMES_MAX);
	for (size_t depth = 0; depth < count; depth++) {
		if (!row[depth])
			continue;
		is_decided = is_decided || place_decide(row[depth], depth, &place);
		if (place.call == CALL_NONE && depth < CALL_FRAMES_MAX)
			place.call = row[depth]->call;
		/* does its purpose count more than the one found further in? */
		if (row[depth]->purpose && place_row_holds(row[depth], depth) &&
		    (row[depth]->instead_of
		             ? place.purpose == row[depth]->instead_of
		             : !place.purpose || (is_vague && !row[depth]->is_vague))) {
			place.purpose = row[depth]->purpose;
			is_vague = row[depth]->is_vague;
		}
	}
	if (!is_decided)
		place.memory = MEMORY_NONE;
	return place;
}

/*
 * The names of the functions, innermost first, without those of the scheduler and of the tracing
 * inside it; addresses where there are no names.
 */
static struct sleep_place place_of_stack(struct machine *machine, const uint64_t *frame,
                                         size_t count)
{
	const struct place_row *row[FRAMES_MAX];
	const char *name[FRAMES_MAX] = {NULL}; /* also if there are no frames */
	size_t first = 0;

	stack_name(machine, frame, count, name);
	for (size_t at = 0; at < count; at++) {
		row[at] = name[at] ? place_index_find(&places_of(machine)->index, name[at]) : NULL;
		if (name[at] && function_is_any(name[at], scheduler_functions,
		                                ARRAY_SIZE(scheduler_functions)))
			first = at + 1;
	}
	return place_of_rows(row + first, count - first, first > 0 && first < count && name[first],
	                     stack_intern(machine, frame, name, first, count));
}

static struct sleep_place places_find(struct machine *machine, const uint64_t *frame, size_t count)
{
	bool is_new;
	struct known_stack *known =
		stack_keep(&places_of(machine)->by_hash, frame, count, 0, &is_new);

	if (is_new)
		known->place = place_of_stack(machine, frame, count);
	return known->place;
}

/* The task sleeps at that place, which shows better than its system call whether it does so to have
   work. The program's functions that led there stay as they are. */
static void place_note(struct machine *machine, uint32_t track, const struct sleep_place *place)
{
	struct sleep_place *kept = tracker_keep_task(machine, TRACKER_PLACE, track);
	uint8_t *detail = &machine->task[track].detail;
	uint32_t user = kept->user;

	ASSUME(machine->task[track].kind == SEGMENT_WAIT);
	*kept = *place;
	kept->user = user;
	if (place->is_for_work)
		*detail |= WAIT_FOR_WORK;
	else if (place->purpose && *detail == ('S' | WAIT_FOR_WORK))
		*detail = 'S';
	if (place->call == CALL_ACCEPT)
		answer_note_accept(machine, track);
}

static void place_stay(struct machine *machine, uint32_t track, const char *functions)
{
	_cleanup_(freep) char *copy = xstrdup(functions);
	const struct place_row *row[FRAMES_MAX];
	struct sleep_place place;
	char *rest = copy, *name;
	size_t count = 0;

	while (count < FRAMES_MAX && (name = strsep(&rest, ";")))
		row[count++] = place_index_find(&places_of(machine)->index, name);
	place = place_of_rows(row, count, /* has_sleeper= */ true,
	                      intern_adds(&machine->timeline->names, functions));
	machine_wake_tracker(machine, TRACKER_PLACE);
	place_note(machine, track, &place);
}

/* The stack belongs to the switch-out recorded right before. Only the kernel's own stack may come
   in between. */
static void on_user_stack(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	if (cpu->left != TRACK_NONE && cpu->left_at + 2 >= cpu->event_count &&
	    machine->timeline->track[cpu->left].tid == event->tid)
		samples_note_user(machine, cpu, event);
}

/*
 * From Linux 6.18 on a task whose limit on CPU time is used up takes itself off its queue, in a
 * task work on its way to user space: throttle_cfs_rq_work(). If the kernel may be preempted
 * anywhere, the task leaves the CPU inside that work. Otherwise it leaves the CPU right after it,
 * where any other work might be the reason.
 */
static enum throttle_sign stack_find_sign(const struct machine *machine, const uint64_t *frame,
                                          size_t count)
{
	bool is_yielding = false;

	for (size_t at = 0; at < count && at < FRAMES_OFF; at++) {
		const char *name = machine_function_within(machine, frame[at] - 1);

		if (!name)
			return THROTTLE_UNKNOWN;
		if (function_is(name, "throttle_cfs_rq_work"))
			return THROTTLE_SURE;
		if (function_is(name, "task_work_run"))
			return is_yielding ? THROTTLE_LIKELY : THROTTLE_UNKNOWN;
		is_yielding = function_is_any(name, yielding_functions,
		                              ARRAY_SIZE(yielding_functions));
	}
	return THROTTLE_UNKNOWN;
}

/* What the task sleeps for at that place: in sigsuspend() for its only child to end. */
static uint8_t purpose_at(const struct machine *machine, uint32_t track,
                          const struct sleep_place *place)
{
	ASSUME(place->purpose < PURPOSE_COUNT);
	return place->purpose == PURPOSE_SIGSUSPEND && child_only(machine, track) != TRACK_NONE
	               ? PURPOSE_CHILD_SIGNAL : place->purpose;
}

/* Sets the place of a wait that has just ended, from its stack. */
static void held_set_place(struct machine *machine, struct held_wait *held,
                           struct sleep_place place)
{
	ASSUME(held->span.kind == SEGMENT_WAIT);
	if (held->span.place) {
		place.waker = held->place.waker;
		place.user = held->place.user;
	}
	wait_set_place(held, &place);
	if (place.is_for_work && !answer_is_awaited(machine, held->span.track, &held->cause))
		held->span.detail |= WAIT_FOR_WORK;
	if (place.call == CALL_ACCEPT)
		answer_note_accept(machine, held->span.track);
	sleep_note_call(&held->cause, place.call);
	cause_add_purpose(&held->cause, purpose_at(machine, held->span.track, &place));
}

/* The stack of a sleep that was ended, on another CPU, before the stack came. */
static void on_late_stack(struct machine *machine, uint32_t track, const uint64_t *frame,
                          size_t count)
{
	struct held_wait *held = machine->task[track].held;
	struct sleep_place place;

	if (!held || held->span.kind != SEGMENT_WAIT || held->after_count ||
	    machine->task[track].kind != SEGMENT_RUNNABLE)
		return;
	ASSUME(held->span.end == machine->task[track].since);
	place = places_find(machine, frame, count);
	held_set_place(machine, held, place);
}

/* The stack belongs to the wake-up or the switch-out right before it. After a switch-out, the stack
   names the task that left. */
static void on_stack(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	uint64_t frame[FRAMES_MAX];
	struct sleep_place place;
	size_t count;

	/* a wait's end is emitted once its cause is known */
	machine->setup.has_afterwords = true;
	if (cpu->woken != TRACK_NONE && cpu->woken_at + 1 == cpu->event_count) {
		wakers_note_stack(machine, cpu, &event->stack);
		return;
	}
	if (cpu->left == TRACK_NONE || cpu->left_at + 1 != cpu->event_count ||
	    machine->timeline->track[cpu->left].tid != event->tid)
		return;
	count = stack_event_read(machine, &event->stack, frame);
	if (machine->task[cpu->left].kind == SEGMENT_RUNNABLE)
		limits_note_sign(machine, cpu->left, stack_find_sign(machine, frame, count));
	if (count == 0)
		return;
	if (machine->task[cpu->left].kind != SEGMENT_WAIT) {
		on_late_stack(machine, cpu->left, frame, count);
		return;
	}
	place = places_find(machine, frame, count);
	place_note(machine, cpu->left, &place);
	/* the task does not sleep for a lock, even if the end of its contention was not seen */
	if (place.kind != PLACE_UNKNOWN && place.kind != PLACE_LOCK &&
	    lock_address(machine, cpu->left)) {
		lock_leave(machine, cpu->left);
		again_note_no_lock(machine, cpu->left);
	}
	again_note_place(machine, cpu->left, place.frames);
}

/* Recorded while the task still sleeps, or just after it was woken. */
static void on_blocked_reason(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	uint32_t track = machine_find_track(machine, cpu, event->blocked.tid);
	struct held_wait *held;
	struct sleep_place place;

	if (track == TRACK_NONE || event->blocked.tid == 0)
		return;
	place = places_find(machine, &event->blocked.caller, 1);
	/* the kernel names the caller of the lock's function */
	place.kind = task_place(machine, track).kind;
	place.io_wait = event->blocked.io_wait ? IO_WAIT_YES : IO_WAIT_NO;
	held = machine->task[track].held;
	if (machine->task[track].kind == SEGMENT_WAIT) {
		place_note(machine, track, &place);
	} else if (held && held->span.kind == SEGMENT_WAIT) {
		held_set_place(machine, held, place);
	}
}

static void place_refine(const struct machine *machine, const struct wake *wake,
                         struct cause_note *cause)
{
	const struct sleep_place place = task_place(machine, wake->wakee);

	cause_add_purpose(cause, purpose_at(machine, wake->wakee, &place));
}

/* Not done in refine: if the wake-up came before the sleep, it was explained before the place of
   the sleep was known. */
static void place_conclude(struct machine *machine, uint32_t track, struct cause_note *cause)
{
	const struct sleep_place place = task_place(machine, track);

	ASSUME(machine->task[track].kind == SEGMENT_WAIT);
	cause_add_purpose(cause, purpose_at(machine, track, &place));
}

static void places_end(struct machine *machine)
{
	place_index_release(&places_of(machine)->index);
}

const struct tracker place_tracker = {
	.handlers = HANDLERS(
		{EVENT_STACK, on_stack},
		{EVENT_USER_STACK, on_user_stack},
		{EVENT_BLOCKED_REASON, on_blocked_reason}),
	.own_bytes = sizeof(struct places),
	.stores = STORES(
		POOL_AT(offsetof(struct places, by_hash),
		        struct known_stack, OBJECTS_MAX, NULL, NULL)),
	.keeps_stores = true,
	.task_bytes = sizeof(struct sleep_place),
	.refine = {place_refine, 1u << CAUSE_UNKNOWN, ONLY_KEPT | AND_UNWOKEN},
	.stay = place_stay,
	.conclude = {place_conclude, PURPOSE_CAUSES, 0},
	.end = places_end,
};
