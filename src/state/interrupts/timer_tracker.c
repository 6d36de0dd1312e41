/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Timers of both kinds: which task armed which, and whose callback is running. Explains a wake-up
 * that a callback makes: the sleeper's own time is up, or another task had set an alarm.
 */

#include "base/assume.h"
#include "state/core/held_wait.h"
#include "state/limits/limits.h"
#include "state/tasks/task_call.h"
#include "state/trackers.h"

/*
 * From the expiry of a task's own timer to the task's run:
 *
 *	 armed     begin      due         read    entry   woken         end
 *	---|---------|---------|------------|-------|-------|------------|--- RUN
 *	             |  slack  | interrupt  |    handler    | run queue  |
 *
 * begin and due are instants of the timer's clock, which need not be the trace's. The kernel reads
 * the timer's clock once and then calls all timers that have expired by then; each of them records
 * that reading, `now`. So the first entry of a reading on a CPU comes right after it, and the time
 * from the expiry to the reading is the difference of two values of one clock.
 */
struct armed_timer {
	nsec_t time;      /* when it was armed */
	uint64_t expires; /* the earliest expiry, in ns of the timer's own clock; 0: not known */
	uint32_t slack;   /* ns from then to the latest expiry, as the kernel may let it wait */
	uint32_t armer;   /* track; TRACK_NONE: an interrupt armed it */
};

/* The last expiry that woke the task, until the task has run. */
struct task_expiry {
	nsec_t begin; /* as in struct interval */
	struct expiry_interval expiry;
};

/* The timer whose callback began last on a CPU. */
struct cpu_expiry {
	uint64_t now;   /* the kernel's last reading of a timer's clock */
	nsec_t read;    /* when it was made */
	nsec_t before;  /* the CPU's last event before the interrupt that made it */
	nsec_t entered; /* when the callback began */
	uint64_t timer; /* address; 0: none */
	struct task_expiry of; /* without `woken` */
	uint32_t armer; /* track */
};

CPU_DATA(cpu_expiry, struct cpu_expiry, EXPIRY)

/* The track of the task that kept interrupts off from that instant on; TRACK_NONE: none did. A CPU
   that idles may just have been slow to wake up. */
static uint32_t cpu_masked_by(const struct machine *machine, const struct cpu *cpu, nsec_t due)
{
	const struct task_state *task;

	ASSUME(cpu_expiry(machine, cpu)->before <= machine->now);
	if (cpu->current == TRACK_NONE || cpu->current == cpu->idle ||
	    cpu_expiry(machine, cpu)->before > due)
		return TRACK_NONE;
	task = &machine->task[cpu->current];
	return task->kind == SEGMENT_RUN && task->since <= due ? cpu->current : TRACK_NONE;
}

/* The callback of a timer begins on this CPU: its frame is the innermost one.
   `now` is as in struct timer_event; timer NULL: its arming was not seen. Only where
   INTERVAL_EXPIRY is wanted. */
static void expiry_note_entry(struct machine *machine, struct cpu *cpu,
                              const struct armed_timer *timer, uint64_t now)
{
	struct cpu_expiry *last = cpu_expiry(machine, cpu);
	const struct frame *frame = cpu_timer(cpu);
	const struct frame *outer = cpu->depth > 1 ? &cpu->frame[cpu->depth - 2] : NULL;
	nsec_t read;

	ASSUME(machine_wants(machine, INTERVAL_EXPIRY));
	if (now != last->now) {
		last->now = now;
		last->read = machine->now;
		last->before = outer && outer->kind == FRAME_IRQ ? outer->before : cpu->last;
	}
	last->timer = 0;
	/* a timer that expires before its time is damage */
	if (!timer || timer->armer == TRACK_NONE || timer->expires == 0 || now < timer->expires ||
	    now > INT64_MAX || !frame)
		return;
	/* the callback of another timer, called for the same reading, may have armed it */
	read = nsec_max(last->read, timer->time);
	last->timer = frame->timer;
	last->entered = frame->entered;
	last->armer = timer->armer;
	last->of.begin = read - nsec_min(read - machine->begin, now - timer->expires);
	last->of.expiry = (struct expiry_interval){
		.armed = timer->time,
		.due = last->of.begin + nsec_min(read - last->of.begin, timer->slack),
		.read = read,
		.function = frame->name,
	};
	last->of.expiry.masked_by = cpu_masked_by(machine, cpu, last->of.expiry.due);
}

static void expiry_emit(struct machine *machine, uint32_t track, uint32_t cpu,
                        const struct task_expiry *of, nsec_t end)
{
	struct interval interval = interval_of(INTERVAL_EXPIRY, cpu, track, of->begin, end);

	ASSUME(of->begin <= of->expiry.due && of->expiry.due <= of->expiry.read);
	interval.expiry = of->expiry;
	machine_emit_interval(machine, &interval);
}

static void expiry_wake(struct machine *machine, const struct cpu *cpu, uint32_t track)
{
	const struct cpu_expiry *last = cpu_expiry(machine, cpu);
	const struct frame *frame = cpu->depth ? cpu_timer(cpu) : NULL;
	struct task_expiry woken;

	/* the callback that began last is to be of a timer of the task, or its process */
	if (!frame || !last->timer || frame->timer != last->timer ||
	    frame->entered != last->entered ||
	    !timeline_is_one_process(machine->timeline, last->armer, track))
		return;
	woken = last->of;
	woken.expiry.woken = machine->now;
	woken.expiry.has_slept = machine->task[track].kind == SEGMENT_WAIT;
	if (woken.expiry.has_slept)
		*(struct task_expiry *)tracker_keep_task(machine, TRACKER_EXPIRY, track) = woken;
	else if (machine->task[track].kind == SEGMENT_RUN && cpu->current == track)
		expiry_emit(machine, track, cpu->number, &woken, machine->now);
}

/* The first run after the wake-up shows when the task got a CPU. */
static void expiry_change(struct machine *machine, uint32_t track, nsec_t t)
{
	const struct task_state *task = &machine->task[track];
	const struct task_expiry *of = tracker_task(machine, TRACKER_EXPIRY, track);

	ASSUME(of->expiry.woken <= t);
	if (task->kind == SEGMENT_RUNNABLE ||
	    (task->kind == SEGMENT_WAIT && of->expiry.woken == t))
		return;
	if (task->kind == SEGMENT_RUN)
		expiry_emit(machine, track, task->cpu, of, task->since);
	tracker_drop_task(machine, TRACKER_EXPIRY, track);
}

static void expiry_close(struct machine *machine, nsec_t end)
{
	(void)end;
	TRACKER_TASK_EACH(machine, TRACKER_EXPIRY, track, const struct task_expiry, of)
		if (machine->task[track].kind == SEGMENT_RUN)
			expiry_emit(machine, track, machine->task[track].cpu, of,
			            machine->task[track].since);
}

static void expiry_begin(struct machine *machine)
{
	/* wake-ups are frequent: the hook is not called for nothing */
	if (!machine_wants(machine, INTERVAL_EXPIRY))
		machine->hooks.waking &= ~TRACKER_BIT(EXPIRY);
}

const struct tracker expiry_tracker = {
	.also_with = TRACKER_BIT(TIMER),
	.cpu_bytes = sizeof(struct cpu_expiry),
	.task_bytes = sizeof(struct task_expiry),
	.wake = expiry_wake,
	.change = expiry_change,
	.begin = expiry_begin,
	.close = expiry_close,
	.forgets_tasks = true,
	.forgets_cpu = true,
};

/* The timers of a task that are not those of sleeping calls: an alarm, a timerfd, a timer of
   io_uring. */
struct task_timers {
	nsec_t before, slept; /* when its last two sleeps began */
	uint32_t wakes; /* id in names: function of the last such timer that woke it; 0: none */
	bool signals;   /* that one sends a signal */
};

struct timers {
	struct object_pool armed; /* struct armed_timer, by address; until the timer expires */
	/* ids in names of functions: */
	uint32_t hrtimer_wakeup, process_timeout, it_real_fn;
};

OWN_DATA(timers_of, struct timers, TIMER)
TASK_DATA(task_timers, struct task_timers, TIMER)

static void timers_begin(struct machine *machine)
{
	struct timers *timers = timers_of(machine);

	timers->hrtimer_wakeup = intern_adds(&machine->timeline->names, "hrtimer_wakeup");
	timers->process_timeout = intern_adds(&machine->timeline->names, "process_timeout");
	timers->it_real_fn = intern_adds(&machine->timeline->names, "it_real_fn");
}

/*
 * Whether a task that sleeps arms a timer of that function for that sleep: in nanosleep(), or as
 * the time limit of its call. What a timer does shows that it wakes its armer, but the name alone
 * shows it where neither its arming nor the callback's end was recorded, and before it has expired.
 */
static bool is_own_function(const struct machine *machine, uint32_t name)
{
	const struct timers *timers = timers_of(machine);

	return name == timers->hrtimer_wakeup || name == timers->process_timeout;
}

/* include/linux/hrtimer.h of the kernel: the time counts from the arming on */
#define HRTIMER_MODE_REL 0x1
/* The slack of a sleep without its own: what the kernel gives each task (init_task.h) */
#define TIMER_SLACK 50000 /* ns */

#define LIMIT_SHIFT 12
/* Equal limits differ by what the task does between looking at the clock and arming the timer. */
#define LIMIT_OFF 16

#define WHOLE_NS  1000000u
#define WHOLE_OFF 10000u /* ns */

/* Two limits of a task; the second one may be 0. */
static bool limit_is_same(uint16_t a, uint16_t b)
{
	return b && ((uint16_t)(a - b) <= LIMIT_OFF || (uint16_t)(b - a) <= LIMIT_OFF);
}

/*
 * The task sets the limit of its next sleep. Timers of the wheel show nothing of its length. If the
 * timer expires at an instant, the length is that from the event on, in units of 4.096 us: its low
 * 16 bits, but not 0. The two times may come from different clocks, which adds the same amount to
 * all limits of a task; so limits can only be compared for equality. is_rest: the task has slept
 * already for a part of that limit, and something else woke it.
 */
static void task_note_limit(struct task_state *task, const struct event *event, bool is_rest)
{
	const struct timer_event *timer = &event->timer;
	nsec_t expiry = timer->soft_expires ? timer->soft_expires : timer->expires;
	bool is_relative = event->kind == EVENT_HRTIMER_START && timer->mode & HRTIMER_MODE_REL;
	bool is_instant = event->kind == EVENT_HRTIMER_START && !is_relative;
	uint16_t limit = (uint16_t)((timer->expires - event->time) >> LIMIT_SHIFT);

	limit = !is_instant ? 0 : limit ? limit : 1;
	if (is_relative)
		task->armed = TIMEOUT_RELATIVE;
	else if (is_instant && timer->soft_expires &&
	         timer->expires > timer->soft_expires + TIMER_SLACK)
		task->armed = TIMEOUT_POLL;
	else if (is_instant && !is_rest && limit_is_same(limit, task->limit))
		task->armed = TIMEOUT_AGAIN;
	else
		task->armed = TIMEOUT_OTHER;
	if (is_rest)
		return;
	task->limit = limit;
	/* a whole number of milliseconds, as poll and epoll take it: the timer is armed a moment
	   after the kernel has looked at the clock. Only if the stamps are of the timers' own
	   clock: with another one it holds for no limits, or for very few */
	task->is_whole = is_instant && expiry > event->time &&
	                 (expiry - event->time + WHOLE_OFF) % WHOLE_NS < WHOLE_OFF;
}

/* The current task sets a timer that may wake it. Most of these do something else: only what it
   does shows whether it is a limit for the next sleep. */
static void task_note_timer(struct machine *machine, uint32_t track, uint32_t function)
{
	struct task_timers *timers = tracker_keep_task(machine, TRACKER_TIMER, track);
	struct task_state *task = &machine->task[track];
	bool wakes = timers->wakes == function;

	ASSUME(!is_own_function(machine, function));
	if (task->armed != TIMEOUT_NONE && task->armed != TIMEOUT_SPENT)
		return;
	/* alarm(), setitimer(): the name alone shows an alarm that never goes off, as the task gets
	   before what it waits for */
	if ((wakes && timers->signals) || function == timers_of(machine)->it_real_fn)
		task->armed = TIMEOUT_ALARM;
	else if (wakes)
		task->armed = TIMEOUT_TIMER;
}

/* By how much `until` is later than `from`, if that is known; at most UINT32_MAX. */
static uint32_t time_after(uint64_t from, uint64_t until)
{
	if (from == 0 || until <= from)
		return 0;
	return until - from < UINT32_MAX ? (uint32_t)(until - from) : UINT32_MAX;
}

static void on_timer_start(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	struct armed_timer *timer = object_pool_put(&timers_of(machine)->armed, event->timer.timer);
	uint32_t function = machine_function(machine, event->timer.function);

	budget_note_armed(machine, cpu, function, event->timer.timer);
	if (cpu_is_in_task(cpu) && is_own_function(machine, function)) {
		/* or it sets the timer, which has not expired, to the instant that it is set to */
		task_note_limit(&machine->task[cpu->current], event,
		                event->timer.soft_expires && timer->armer == cpu->current &&
		                        timer->expires == event->timer.soft_expires);
		/* a task on its way to a lock sets no time limit for its sleep */
		if (machine->task[cpu->current].has & TRACKER_BIT(LOCK))
			lock_note_limit(machine, cpu->current);
	} else if (cpu_is_in_task(cpu) && event->kind == EVENT_HRTIMER_START) {
		task_note_timer(machine, cpu->current, function);
	}
	*timer = (struct armed_timer){
		.time = machine->now,
		.expires = event->timer.soft_expires,
		.slack = time_after(event->timer.soft_expires, event->timer.expires),
		.armer = cpu_sender(cpu),
	};
}

/* The timer has expired, unless its callback arms it again. */
static void on_timer_entry(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	struct object_pool *armed = &timers_of(machine)->armed;
	const struct armed_timer *timer = object_pool_take(armed, event->timer.timer);
	struct frame *frame = cpu_timer(cpu);

	/* callbacks of one level do not nest: the exit of the last one was not recorded */
	if (frame && frame->is_brief)
		cpu->depth--;
	frame = cpu_enter(machine, cpu, event, FRAME_TIMER);
	frame->name = machine_function(machine, event->timer.function);
	frame->is_brief = is_own_function(machine, frame->name);
	frame->timer = event->timer.timer;
	if (!machine->found.has_ticks && event->kind == EVENT_HRTIMER_ENTRY)
		machine->found.has_ticks =
			strncmp(intern_text(&machine->timeline->names, frame->name), "tick_",
			        5) == 0;
	if (event->kind == EVENT_HRTIMER_ENTRY && machine_wants(machine, INTERVAL_EXPIRY))
		expiry_note_entry(machine, cpu, timer, event->timer.now);
	if (!budget_note_expiry(machine, cpu, frame->name, event->timer.timer))
		limits_note_expiry(machine, frame->name, event->timer.timer);
	frame->may_have_armer = !timer && armed->forgotten > 0;
	if (!timer)
		return;
	frame->beginner = timer->armer;
	frame->begun = timer->time;
	/* where the CPU was not there in time, as when a host takes it away */
	if (event->kind == EVENT_HRTIMER_ENTRY && timer->expires)
		frame->late = time_after(timer->expires + timer->slack, event->timer.now);
}

static void on_timer_exit(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	const struct frame *frame = cpu_timer(cpu);

	ASSUME(!frame || frame->begun == NSEC_NEVER || frame->begun <= frame->entered);
	(void)event;
	if (frame && frame->is_brief && frame->wakes == 0 && frame->beginner != TRACK_NONE)
		freezer_note_missed(machine, frame->beginner, frame->begun);
	cpu_leave(machine, cpu, FRAME_TIMER, 0);
}

/* Whether a program sleeps in state D, where it chooses no time. */
static bool program_is_held(const struct machine *machine, uint32_t track)
{
	const struct task_state *task = &machine->task[track];

	return task->kind == SEGMENT_WAIT && task->detail == 'D' &&
	       !machine->timeline->track[track].is_kernel;
}

/*
 * The sleeper's own timer ended the sleep. A program does not choose to sleep in state D: there the
 * kernel makes it pause. Kernel threads do, as they have no other way to sleep for a time.
 */
static uint8_t track_timed_call(const struct machine *machine, uint32_t track)
{
	uint8_t call = syscall_sleep(machine, track);

	ASSUME(machine_owns(machine, track));
	return call != CALL_MSLEEP && program_is_held(machine, track) ? CALL_HELD : call;
}

/* Whether the task has set the timer since the sleep before the one that it is in, or is about to
   begin. */
static bool is_set_for_sleep(const struct machine *machine, uint32_t track, nsec_t armed)
{
	const struct task_timers *timers = task_timers(machine, track);

	return timers && armed != NSEC_NEVER &&
	       armed >= (machine->task[track].kind == SEGMENT_WAIT ? timers->before
	                                                           : timers->slept);
}

/* A timer that is late by less does not change what a sleep looks like. */
#define LATE_LEAST 100000u /* ns */
#define LATE_PART  16      /* one part in so many of the sleep */

static bool timer_explain(const struct machine *machine, const struct wake *wake,
                          struct cause_note *ret)
{
	const struct frame *frame = cpu_top(wake->cpu, wake->level);
	uint8_t call = CALL_NONE;

	ASSUME(wake->level != LEVEL_TASK);
	if (!frame || frame->kind != FRAME_TIMER || (frame->is_brief && frame->wakes > 1))
		return false;
	cause_note_init(ret, CAUSE_TIMER,
	                frame->may_have_armer ? CONFIDENCE_MEDIUM : CONFIDENCE_HIGH);
	ret->name = frame->name;
	ret->as.timer.stall = frame->stall;
	if (frame->beginner == wake->wakee && frame->beginner != TRACK_NONE) {
		/* a driver's timer is no time limit, whoever has armed it */
		ret->as.timer.is_own = is_own_function(machine, frame->name) ||
		                       !program_is_held(machine, wake->wakee);
	} else if (is_own_function(machine, frame->name)) {
		/* the callback wakes only the task that armed the timer (in the kernel
		   hrtimer_wakeup(), process_timeout()); a recorded arming by another contradicts */
		ret->as.timer.is_own = true;
		ret->confidence = frame->beginner == TRACK_NONE ? CONFIDENCE_HIGH
		                                                : CONFIDENCE_MEDIUM;
	} else if (frame->beginner != TRACK_NONE) {
		ret->originator = frame->beginner;
		ret->origin = frame->begun;
	}
	ret->as.timer.is_limit = ret->as.timer.is_own && frame->wakes == 1 &&
	                         (is_own_function(machine, frame->name) ||
	                          is_set_for_sleep(machine, wake->wakee, frame->begun));
	/* it waited for an alarm that it had set itself, not for a length of time */
	if (ret->as.timer.is_own && wake->wakee != TRACK_NONE) {
		const struct task_state *task = &machine->task[wake->wakee];

		call = track_timed_call(machine, wake->wakee);
		if (ret->as.timer.is_limit && task->kind == SEGMENT_WAIT &&
		    frame->late >= LATE_LEAST &&
		    frame->late >= (machine->now - task->since) / LATE_PART)
			ret->as.timer.late = frame->late;
	}
	if (call != CALL_NONE && is_own_function(machine, frame->name))
		ret->as.timer.call = call;
	return true;
}

static void timer_wake(struct machine *machine, const struct cpu *cpu, uint32_t track)
{
	struct frame *frame = cpu_timer(cpu);

	(void)machine;
	(void)track;
	if (frame && frame->wakes < UINT8_MAX)
		frame->wakes++;
}

/* The kernel reports the signal after the wake-up. */
void timer_note_signal(struct machine *machine, const struct cpu *cpu)
{
	const struct frame *frame = cpu_timer(cpu);
	struct task_timers *timers;
	struct task_state *task;

	if (!frame || frame->beginner == TRACK_NONE)
		return;
	ASSUME(machine_owns(machine, frame->beginner));
	timers = task_timers(machine, frame->beginner);
	task = &machine->task[frame->beginner];
	if (!timers || timers->wakes != frame->name)
		return;
	timers->signals = true;
	if (task->held && task->held->span.timeout == TIMEOUT_TIMER &&
	    task->held->cause.name == frame->name) {
		task->held->span.timeout = TIMEOUT_ALARM;
		task->armed = TIMEOUT_SPENT;
	}
}

/* A timer that the task had set before ended its sleep: a limit, unless the call of the sleep has a
   limit of its own. */
static void timer_conclude(struct machine *machine, uint32_t track, struct cause_note *cause)
{
	struct task_timers *timers = task_timers(machine, track);
	struct task_state *task = &machine->task[track];

	ASSUME(cause->kind == CAUSE_TIMER);
	if (!cause->as.timer.is_limit || is_own_function(machine, cause->name))
		return;
	if (timers && timers->wakes != cause->name) {
		timers->wakes = cause->name;
		timers->signals = false;
	}
	if (task->timeout == TIMEOUT_NONE)
		task->timeout = TIMEOUT_TIMER;
	if (task->timeout == TIMEOUT_ALARM)
		task->armed = TIMEOUT_SPENT;
	cause->as.timer.is_limit =
		task->timeout == TIMEOUT_ALARM || task->timeout == TIMEOUT_TIMER;
}

static void timer_sleep(struct machine *machine, uint32_t track, uint8_t letter)
{
	struct task_timers *timers = task_timers(machine, track);

	ASSUME(timers->before <= timers->slept && timers->slept <= machine->now);
	(void)letter;
	timers->before = timers->slept;
	timers->slept = machine->now;
}

const struct tracker timer_tracker = {
	.handlers = HANDLERS(
		{EVENT_HRTIMER_START, on_timer_start}, {EVENT_TIMER_START, on_timer_start},
		{EVENT_HRTIMER_ENTRY, on_timer_entry}, {EVENT_TIMER_ENTRY, on_timer_entry},
		{EVENT_HRTIMER_EXIT, on_timer_exit},   {EVENT_TIMER_EXIT, on_timer_exit}),
	.explain = {timer_explain, IN_IRQ, 0},
	.wake = timer_wake,
	.sleep = timer_sleep,
	.conclude = {timer_conclude, 1u << CAUSE_TIMER, 0},
	.begin = timers_begin,
	.own_bytes = sizeof(struct timers),
	.stores = STORES(POOL_AT(offsetof(struct timers, armed), struct armed_timer, OBJECTS_MAX,
	                         "timers", NULL)),
	.task_bytes = sizeof(struct task_timers),
	.forgets_tasks = true,
};
