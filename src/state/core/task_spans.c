/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The spans of tasks: where one ends and the next begins, and when the sinks get them. A wait is
 * held back until the task's next change if later events may add to it.
 */
#include "held_wait.h"

#include "base/assume.h"
#include "base/xalloc.h"
#include "queue_tracker.h"
#include "tracker.h"

/* Notes a span that is not explained; see health.h. The time of idle tasks counts for no task. */
static __attribute__((noinline)) void span_note_unexplained(const struct machine *machine,
                                                            const struct span *span)
{
	struct health *health = machine->health;
	nsec_t length = span->end - span->begin;
	bool is_unknown = span->kind == SEGMENT_UNKNOWN;

	ASSUME(machine_owns(machine, span->track));
	if (is_unknown)
		health->unknown_ns += length;
	if (machine->task[span->track].is_idle)
		return;
	machine->timeline->track[span->track].unexplained += length;
	if (is_unknown)
		health->unseen_ns += span->begin == machine->begin ? length : 0;
}

/* Puts a span on the timeline; an empty span only if it is a wait or the last one. False: the sinks
   do not get it. Inline, as this is the end of each change of any task. */
static inline __attribute__((always_inline)) bool span_keep(struct machine *machine,
                                                            const struct span *span)
{
	bool is_wait = span->kind == SEGMENT_WAIT || span->kind == SEGMENT_STOPPED;

	ASSUME(machine->begin <= span->begin && span->begin <= span->end);
	if (span->begin == span->end && !is_wait && !span->is_open)
		return false;
	if (!span_is_explained(span))
		span_note_unexplained(machine, span);
	if (span->kind == SEGMENT_WAIT && span->is_open)
		machine->health->open_waits++;
	timeline_add_span(machine->timeline, span);
	return true;
}

/* Keeps the span, and passes it to the sinks. */
static inline __attribute__((always_inline)) void span_emit(struct machine *machine,
                                                            const struct span *span)
{
	enum tracker_id id;

	if (!span_keep(machine, span))
		return;
	if (machine->hooks.following)
		TRACKERS_EACH(machine->task[span->track].has & machine->hooks.following, id)
			trackers[id]->follow(machine, span);
	if (!(machine->span_kinds & 1u << span->kind))
		return;
	for (size_t i = 0; i < machine->setup.sink_count; i++)
		machine->setup.sinks[i].on_span(machine->setup.sinks[i].state, span);
}

/* Emits a wait that was held back, and the spans after it. */
static __attribute__((noinline)) void held_emit(struct machine *machine,
                                                const struct held_wait *held)
{
	const struct span *span = &held->span;
	nsec_t at = span->begin;

	for (size_t left = held->after_count + 1u; left > 0; left--) {
		ASSUME(span->begin == at);
		at = span->end;
		span_emit(machine, span);
		span = span == &held->span ? held->after : span + 1;
	}
}

/* Emits the task's last wait, if it is held back. */
static inline void task_release(struct machine *machine, struct task_state *task)
{
	struct held_wait *held = task->held;

	if (!held)
		return;
	held_emit(machine, held);
	task->held = NULL;
	held->next = machine->held_free;
	machine->held_free = held;
}

void wait_release(struct machine *machine, uint32_t track)
{
	task_release(machine, &machine->task[track]);
}

void wait_note_cut(struct machine *machine, uint32_t track)
{
	assert(machine->task[track].held);
	TRACKERS_CALL(cut, machine, track);
}

/* Whether the task's first events when it runs again may add to the wait: what the call returns,
   that it reads a datagram that nobody had asked for, that a signal is delivered, that it sleeps
   at that futex again, or that its call at a socket fails. */
static bool held_is_delayed(const struct machine *machine, const struct held_wait *held)
{
	ASSUME(held->span.kind == SEGMENT_WAIT);
	return sleep_is_by_call(&held->cause) || held->cause.purpose == PURPOSE_SIGWAIT ||
	       (held->cause.kind == CAUSE_NET && held->cause.as.net.peer == 0) ||
	       (held->cause.kind == CAUSE_TIMER &&
	        (held->cause.as.timer.call == CALL_FUTEX ||
	         (held->cause.as.timer.is_limit && held->span.timeout >= TIMEOUT_OTHER &&
	          held->span.timeout <= TIMEOUT_AGAIN))) ||
	       (machine->setup.has_late_words && held->span.detail == 'D');
}

/* Whether the end of the thread's process is near, as far as known. */
static bool process_ends(const struct machine *machine, uint32_t track)
{
	uint32_t leader = machine_leader(machine, track);
	const struct track_death *death = &machine->timeline->track[leader].death;

	ASSUME(machine_owns(machine, leader));
	return death->kind != DEATH_UNKNOWN || death->is_found;
}

/*
 * Whether the wait stays held back although the task's span ends. That the end of its process ended
 * a thread's wait shows once the thread runs. On its way there it may be moved, or preempted; but
 * runs are not held back if they may be long, as they show what had the CPU.
 */
static bool task_holds_on(const struct machine *machine, const struct task_state *task,
                          enum segment_kind next)
{
	const struct held_wait *held = task->held;

	ASSUME(held->after_count <= HELD_AFTER_MAX);
	if (held->span.kind != SEGMENT_WAIT || (next != SEGMENT_RUN && next != SEGMENT_RUNNABLE))
		return false;
	if (held->after_count == 0 && next == SEGMENT_RUN && task->kind == SEGMENT_RUNNABLE &&
	    held_is_delayed(machine, held))
		return true;
	if (!task->is_threaded || !machine->setup.has_deaths ||
	    held->after_count == HELD_AFTER_MAX)
		return false;
	return task->kind == SEGMENT_RUNNABLE ||
	       (task->kind == SEGMENT_RUN && process_ends(machine, held->span.track));
}

/* Sets every member, once for each span of the trace. `task` is that of the track, as in the
   functions below: that it exists need not be checked again. */
static inline void task_fill_span(const struct machine *machine, const struct task_state *task,
                                  uint32_t track, nsec_t end, const struct cause_note *cause,
                                  struct span *ret)
{
	ASSUME(task == &machine->task[track] && task->since <= end);
	ret->track = track;
	ret->begin = task->since;
	ret->end = end;
	ret->kind = (enum segment_kind)task->kind;
	ret->detail = task->detail;
	ret->cpu = task->cpu;
	ret->is_open = false;
	/* of low confidence: off the CPU while events were lost */
	ret->is_doubtful = task->is_doubtful ||
	                   (task->since < machine->gap_end && task->kind != SEGMENT_RUN);
	ret->shape = task->shape;
	ret->cause = cause;
	ret->place = task->has & TRACKER_BIT(PLACE)
	                     ? sparse_array_at(&machine->of_tasks[TRACKER_PLACE], track)
	                     : NULL;
}

/* Keeps the wait until the task's next change. Its span is built in place: copying what was just
   written piece by piece stalls the CPU. */
static void task_hold(struct machine *machine, struct task_state *task, uint32_t track, nsec_t end,
                      const struct cause_note *cause)
{
	struct held_wait *held = machine->held_free;

	ASSUME(!task->held);
	if (held)
		machine->held_free = held->next;
	else
		held = xmalloc(sizeof(*held));
	task->held = held;
	held->cause = *cause;
	held->after_count = 0;
	task_fill_span(machine, task, track, end, &held->cause, &held->span);
	if (held->span.place)
		wait_set_place(held, held->span.place);
}

/* Separate from the variant with sinks, so that a span that no sink gets is never put together. */
static inline void task_keep_span(struct machine *machine, const struct task_state *task,
                                  uint32_t track, nsec_t end, const struct cause_note *cause)
{
	struct span span;

	task_fill_span(machine, task, track, end, cause, &span);
	(void)span_keep(machine, &span);
}

static inline void task_emit_span(struct machine *machine, const struct task_state *task,
                                  uint32_t track, nsec_t end, const struct cause_note *cause)
{
	struct span span;

	task_fill_span(machine, task, track, end, cause, &span);
	span_emit(machine, &span);
}

/* The present span has ended: emits it, or keeps it until more is known. */
static void task_end_span(struct machine *machine, struct task_state *task, uint32_t track,
                          nsec_t t, enum segment_kind next, const struct cause_note *cause)
{
	ASSUME(!task->is_idle);
	if (task->held && !cause && task_holds_on(machine, task, next)) {
		task_fill_span(machine, task, track, t, NULL,
		               &task->held->after[task->held->after_count++]);
		return;
	}
	task_release(machine, task);
	if (task->kind == SEGMENT_DEAD || task->kind == SEGMENT_NEW)
		return;
	if (cause && next != SEGMENT_DEAD &&
	    (machine->setup.has_afterwords || sleep_is_by_call(cause) ||
	     (task->is_threaded && machine->setup.has_deaths))) {
		task_hold(machine, task, track, t, cause);
		return;
	}
	if (!(machine->span_kinds & 1u << task->kind) && !machine->hooks.following)
		task_keep_span(machine, task, track, t, cause);
	else
		task_emit_span(machine, task, track, t, cause);
}

void task_bury(struct machine *machine, uint32_t track)
{
	enum tracker_id id;

	ASSUME(machine->task[track].kind == SEGMENT_DEAD);
	machine->task[track].pending = PENDING_NONE;
	TRACKERS_EACH(machine->task[track].has, id) {
		if (trackers[id]->bury)
			trackers[id]->bury(machine, track);
		tracker_drop_task(machine, id, track);
	}
	ASSUME(!machine->task[track].has);
}

void task_become(struct machine *machine, uint32_t track, nsec_t t, enum segment_kind kind,
                 uint8_t detail, const struct cause_note *cause)
{
	struct task_state *task = &machine->task[track];
	enum tracker_id id;

	ASSUME(t >= task->since && kind != SEGMENT_NEW);
	if (machine->setup.lacks_switches && (kind == SEGMENT_RUN || kind == SEGMENT_RUNNABLE)) {
		/* without switches, nothing shows when a task starts or stops running */
		kind = SEGMENT_UNKNOWN;
		detail = 0;
	}
	TRACKERS_EACH(task->has & machine->hooks.changing, id)
		trackers[id]->change(machine, track, t);
	if (task->kind == SEGMENT_RUNNABLE)
		queue_take(machine, track, t);
	/* no task waits for the idle task, which does only what others leave undone */
	if (!task->is_idle)
		task_end_span(machine, task, track, t, kind, cause);
	if (task->has & TRACKER_BIT(PLACE))
		tracker_drop_task(machine, TRACKER_PLACE, track);
	task->since = t;
	task->kind = (uint8_t)kind;
	task->detail = detail;
	task->is_doubtful = false;
	task->is_tentative = false;
	task->is_queued = false;
	task->is_again = false;
	if (kind == SEGMENT_DEAD)
		task_bury(machine, track);
}

void task_cut(struct machine *machine, uint32_t track, nsec_t t, enum segment_kind kind,
              const struct cause_note *cause)
{
	struct task_state *task = &machine->task[track];
	struct span span;

	ASSUME(!task->is_idle && task->since <= t);
	task_release(machine, task);
	task_fill_span(machine, task, track, t, cause, &span);
	span.kind = kind;
	span.is_quiet = false;
	if (kind != SEGMENT_RUNNABLE && kind != SEGMENT_WAIT)
		span.detail = 0;
	span_emit(machine, &span);
	task->since = t;
}

/* The present span up to t, beyond which it goes on; false: the task has none. */
static bool task_fill_open(struct machine *machine, uint32_t track, nsec_t t, struct span *ret)
{
	struct task_state *task = &machine->task[track];

	ASSUME(t >= machine->now);
	task_release(machine, task);
	if (task->is_idle || task->kind == SEGMENT_DEAD || task->kind == SEGMENT_NEW)
		return false;
	task_fill_span(machine, task, track, t, NULL, ret);
	ret->is_open = true;
	if (ret->kind == SEGMENT_WAIT && ret->detail == ('S' | WAIT_FOR_WORK) &&
	    TRACKERS_ANY(asks, machine, track))
		ret->detail = 'S';
	return true;
}

bool task_look(struct machine *machine, uint32_t track, nsec_t t, struct span *ret,
               struct cause_note *cause)
{
	const struct task_state *task = &machine->task[track];

	ASSUME(task->since <= t);
	if (!task_fill_open(machine, track, t, ret))
		return false;
	if (task->kind == SEGMENT_WAIT) {
		machine_explain_unwoken(machine, track, cause);
		if (cause->kind == CAUSE_UNKNOWN)
			cause->as.unknown.is_open = true;
		if (cause->kind != CAUSE_UNKNOWN || cause->name || cause->purpose || cause->file)
			ret->cause = cause;
	} else if (task->kind == SEGMENT_STOPPED &&
	           TRACKERS_ANY(explain_stop, machine, track, cause)) {
		ret->cause = cause;
	}
	return true;
}

void task_close(struct machine *machine, uint32_t track, nsec_t t)
{
	struct cause_note cause;
	struct span span;

	if (task_look(machine, track, t, &span, &cause))
		span_emit(machine, &span);
}

void task_show(struct machine *machine, uint32_t track, nsec_t t, bool with_cause)
{
	struct cause_note cause;
	struct span span;

	if (with_cause ? task_look(machine, track, t, &span, &cause)
	               : task_fill_open(machine, track, t, &span))
		timeline_show_open(machine->timeline, &span);
}
