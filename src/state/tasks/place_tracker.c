/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where in the kernel a task went to sleep, from the stack recorded right after its switch-out or
 * from Android's sched_blocked_reason. The place shows what kind of sleep it is: for something to
 * do, for memory; and whether a task that was woken sleeps again where it did before.
 */
#include <string.h>

#include "state/again_tracker.h"
#include "state/answer_tracker.h"
#include "base/data/array.h"
#include "base/cleanup.h"
#include "base/function_name.h"
#include "base/xalloc.h"
#include "state/child_tracker.h"
#include "state/lock_tracker.h"
#include "state/sample_tracker.h"
#include "state/sleep_call.h"
#include "stack_event.h"
#include "state/core/limit_tracker.h"
#include "state/core/place.h"
#include "state/core/task_spans.h"
#include "state/places/place_rows.h"
#include "state/task_role.h"
#include "state/waker_tracker.h"

/* Of the stack of a task that could go on, only frames next to the scheduler are examined. */
#define FRAMES_OFF 12
/* Causes that may leave the purpose of their wait open. */
#define PURPOSE_CAUSES                                                                        \
	(1u << CAUSE_UNKNOWN | 1u << CAUSE_TASK | 1u << CAUSE_NET | 1u << CAUSE_TIMER |        \
	 1u << CAUSE_IRQ | 1u << CAUSE_SOFTIRQ | 1u << CAUSE_WORK | 1u << CAUSE_SIGNAL |       \
	 1u << CAUSE_INTERRUPT | 1u << CAUSE_IPI | 1u << CAUSE_LOCK | 1u << CAUSE_IDLE)

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
	uint64_t check; /* a second hash: the stacks themselves, of up to 512 bytes, are not kept */
	struct sleep_place place;
};

/* The same stacks recur: each is put in words once, or again if it was forgotten. */
struct places {
	struct object_pool by_hash; /* struct known_stack */
	struct place_index index;
};

static struct object_pool *places_pool(const struct machine *machine)
{
	return &((struct places *)machine->own[TRACKER_PLACE])->by_hash;
}

static const struct place_row *place_row_of(const struct machine *machine, const char *function)
{
	return place_index_find(&((struct places *)machine->own[TRACKER_PLACE])->index, function);
}

/* Whether this memory operation makes room, by reclaim or by moving pages. That happens inside
   faults, never the reverse. */
static bool memory_makes_room(uint8_t what)
{
	return what == MEMORY_RECLAIM || what == MEMORY_MEMCG_RECLAIM || what == MEMORY_COMPACTION;
}

/* What a sleep in the row's function is, `depth` frames from the scheduler; false: the row does not
   show it. */
static bool row_decides(const struct place_row *row, size_t depth, struct sleep_place *place)
{
	bool is_for_work = row->is_for_work && place_row_holds(row, depth);

	if (!row->memory && !row->is_no_memory && !is_for_work)
		return false;
	place->memory = row->memory;
	place->is_for_work = is_for_work;
	return true;
}

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
 * Examines one function after the other, outwards, as row_decides() does; true once that is
 * decided. Writers wait for writeback, too: it is for memory only inside a function that reclaims.
 */
static bool place_decide(const struct place_row *row, size_t depth, struct sleep_place *place)
{
	bool is_writeback = place->memory == MEMORY_WRITEBACK;

	if (!row_decides(row, depth, place))
		return false;
	if (is_writeback && memory_makes_room(place->memory))
		place->memory = MEMORY_WRITEBACK;
	else if (place->memory == MEMORY_WRITEBACK)
		return false;
	return true;
}

/* A place while its functions are examined one by one, from the innermost outwards. */
struct place_builder {
	struct sleep_place place;
	bool is_decided;
	bool is_vague; /* its purpose is vague */
};

static void place_add_purpose(struct place_builder *builder, const struct place_row *row,
                              size_t depth)
{
	uint8_t known = builder->place.purpose;

	if (!row->purpose || !place_row_holds(row, depth) ||
	    (row->instead_of ? known != row->instead_of
	                     : known && (!builder->is_vague || row->is_vague)))
		return;
	builder->place.purpose = row->purpose;
	builder->is_vague = row->is_vague;
}

/* A function without a row says nothing. */
static void place_add_function(struct place_builder *builder, const struct place_row *row,
                               size_t depth)
{
	if (!row)
		return;
	builder->is_decided = builder->is_decided || place_decide(row, depth, &builder->place);
	if (builder->place.call == CALL_NONE && depth < CALL_FRAMES_MAX)
		builder->place.call = row->call;
	place_add_purpose(builder, row, depth);
}

static struct sleep_place place_end(struct place_builder *builder, uint32_t frames)
{
	if (!builder->is_decided)
		builder->place.memory = MEMORY_NONE;
	builder->place.frames = frames;
	return builder->place;
}

/* What the kind of wait is, by the functions below the scheduler's, innermost first. */
static void place_take_rows(struct sleep_place *place, const struct place_row *const *row,
                            size_t count, bool has_sleeper)
{
	place->is_frozen = count > 0 && row[0] && row[0]->is_frozen;
	place->kind = (uint8_t)rows_find_kind(row, count, has_sleeper);
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
	struct place_builder builder = {0};
	struct sleep_place place;
	size_t first = 0;

	stack_name(machine, frame, count, name);
	for (size_t at = 0; at < count; at++)
		if (name[at] && function_is_any(name[at], scheduler_functions,
		                                ARRAY_SIZE(scheduler_functions)))
			first = at + 1;
	for (size_t at = first; at < count; at++) {
		row[at] = name[at] ? place_row_of(machine, name[at]) : NULL;
		if (name[at])
			place_add_function(&builder, row[at], at - first);
	}
	place = place_end(&builder, stack_intern(machine, frame, name, first, count));
	place_take_rows(&place, row + first, count - first,
	                first > 0 && first < count && name[first]);
	return place;
}

static struct sleep_place places_find(struct machine *machine, const uint64_t *frame, size_t count)
{
	struct object_pool *pool = places_pool(machine);
	uint64_t check, hash = stack_hash(frame, count, &check);
	struct known_stack *known = object_pool_find(pool, hash);

	if (known && known->check == check)
		return known->place;
	known = object_pool_put(pool, hash);
	known->check = check;
	known->place = place_of_stack(machine, frame, count);
	return known->place;
}

/* The task sleeps at that place. */
static void place_note(struct machine *machine, uint32_t track, const struct sleep_place *place)
{
	task_set_place(machine, track, place);
	if (place->call == CALL_ACCEPT)
		answer_note_accept(machine, track);
}

/* The place that the text names: functions, innermost first, ";" between. */
static struct sleep_place place_of_text(struct machine *machine, const char *functions)
{
	_cleanup_(freep) char *copy = xstrdup(functions);
	const struct place_row *row[FRAMES_MAX];
	struct place_builder builder = {0};
	struct sleep_place place;
	char *rest = copy, *name;
	size_t count = 0;

	while (count < FRAMES_MAX && (name = strsep(&rest, ";"))) {
		row[count] = place_row_of(machine, name);
		place_add_function(&builder, row[count], count);
		count++;
	}
	place = place_end(&builder, intern_adds(&machine->timeline->names, functions));
	place_take_rows(&place, row, count, /* has_sleeper= */ true);
	return place;
}

static void place_stay(struct machine *machine, uint32_t track, const char *functions)
{
	struct sleep_place place = place_of_text(machine, functions);

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

/* The purpose of the sleep, unless a better source names it: the request, the lock, the memory, the
   grace period. */
static void cause_add_purpose(struct cause_note *cause, uint8_t purpose)
{
	bool has_better = cause->memory ||
	                  ((cause->kind == CAUSE_TASK || cause->kind == CAUSE_LOCK) &&
	                   cause->as.lock.address);

	if (purpose != PURPOSE_NONE && PURPOSE_CAUSES & 1u << cause->kind && !has_better)
		cause->purpose = purpose;
}

/* What the task sleeps for at that place: in sigsuspend() for its only child to end. */
static uint8_t purpose_at(const struct machine *machine, uint32_t track,
                          const struct sleep_place *place)
{
	return place->purpose == PURPOSE_SIGSUSPEND && child_only(machine, track) != TRACK_NONE
	               ? PURPOSE_CHILD_SIGNAL : place->purpose;
}

/* Sets the place of a wait that has just ended, from its stack. */
static void held_set_place(struct machine *machine, struct held_wait *held,
                           struct sleep_place place)
{
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
	place = places_find(machine, frame, count);
	held_set_place(machine, held, place);
}

static void task_leaves_at(struct machine *machine, uint32_t track, const uint64_t *frame,
                           size_t count)
{
	enum throttle_sign sign = stack_find_sign(machine, frame, count);

	if (sign != THROTTLE_UNKNOWN)
		limits_note_sign(machine, track, sign);
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
		task_leaves_at(machine, cpu->left, frame, count);
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

	cause_add_purpose(cause, purpose_at(machine, track, &place));
}

static const struct object_pool_setup stack_pool = {
	.object_bytes = sizeof(struct known_stack),
	.limit = OBJECTS_MAX,
};

static void places_begin(struct machine *machine)
{
	object_pool_init(places_pool(machine), &stack_pool);
}

static void places_end(struct machine *machine)
{
	object_pool_release(places_pool(machine));
	place_index_release(&((struct places *)machine->own[TRACKER_PLACE])->index);
}

static const struct handler_row place_handlers[] = {
	{EVENT_STACK, on_stack},
	{EVENT_USER_STACK, on_user_stack},
	{EVENT_BLOCKED_REASON, on_blocked_reason},
};

const struct tracker place_tracker = {
	.name = "place",
	.handlers = place_handlers,
	.handler_count = ARRAY_SIZE(place_handlers),
	.own_bytes = sizeof(struct places),
	.task_bytes = sizeof(struct sleep_place),
	.refine = place_refine,
	.refines_causes = 1u << CAUSE_UNKNOWN,
	.refines_kept = true,
	.refines_unwoken = true,
	.stay = place_stay,
	.conclude = place_conclude,
	.concludes = PURPOSE_CAUSES,
	.begin = places_begin,
	.end = places_end,
};
