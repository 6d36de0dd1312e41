/* SPDX-License-Identifier: GPL-2.0-or-later */
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
#include "expiry_tracker.h"

/* The timer whose callback began last on a CPU. */
struct cpu_expiry {
	uint64_t now;   /* the kernel's last reading of a timer's clock */
	nsec_t read;    /* when it was made */
	nsec_t before;  /* the CPU's last event before the interrupt that made it */
	nsec_t entered; /* when the callback began */
	uint64_t timer; /* address; 0: none */
	nsec_t begin;   /* as in struct interval */
	struct expiry_interval expiry; /* without `woken` */
	uint32_t armer; /* track */
};

/* The last expiry that woke the task, until the task has run. */
struct task_expiry {
	nsec_t begin;
	struct expiry_interval expiry;
};

static struct cpu_expiry *cpu_expiry(const struct machine *machine, const struct cpu *cpu)
{
	return tracker_cpu(machine, cpu, TRACKER_EXPIRY);
}

/* The time of the CPU's last event before the interrupt in which a timer's callback has just
   begun. */
static nsec_t cpu_event_before(const struct cpu *cpu)
{
	const struct frame *outer = cpu->depth > 1 ? &cpu->frame[cpu->depth - 2] : NULL;

	return outer && outer->kind == FRAME_IRQ ? outer->before : cpu->last;
}

/* The track of the task that kept interrupts off from that instant on; TRACK_NONE: none did. A CPU
   that idles may just have been slow to wake up. */
static uint32_t cpu_masked_by(const struct machine *machine, const struct cpu *cpu, nsec_t due)
{
	const struct task_state *task;

	if (cpu->current == TRACK_NONE || cpu->current == cpu->idle ||
	    cpu_expiry(machine, cpu)->before > due)
		return TRACK_NONE;
	task = &machine->task[cpu->current];
	return task->kind == SEGMENT_RUN && task->since <= due ? cpu->current : TRACK_NONE;
}

void expiry_note_entry(struct machine *machine, struct cpu *cpu, const struct armed_timer *timer,
                       uint64_t now)
{
	struct cpu_expiry *last = cpu_expiry(machine, cpu);
	const struct frame *frame = cpu_top(cpu, (enum context_level)cpu->level);
	nsec_t read;

	if (now != last->now) {
		last->now = now;
		last->read = machine->now;
		last->before = cpu_event_before(cpu);
	}
	last->timer = 0;
	/* a timer that expires before its time is damage */
	if (!timer || timer->armer == TRACK_NONE || timer->expires == 0 || now < timer->expires ||
	    now > INT64_MAX || !frame || frame->kind != FRAME_TIMER)
		return;
	/* the callback of another timer, called for the same reading, may have armed it */
	read = nsec_max(last->read, timer->time);
	last->timer = frame->timer;
	last->entered = frame->entered;
	last->armer = timer->armer;
	last->begin = read - nsec_min(read - machine->begin, now - timer->expires);
	last->expiry = (struct expiry_interval){
		.armed = timer->time,
		.due = last->begin + nsec_min(read - last->begin, timer->slack),
		.read = read,
		.function = frame->name,
	};
	last->expiry.masked_by = cpu_masked_by(machine, cpu, last->expiry.due);
}

static void expiry_emit(struct machine *machine, uint32_t track, uint32_t cpu,
                        const struct task_expiry *of, nsec_t end)
{
	struct interval interval = {
		.kind = INTERVAL_EXPIRY,
		.cpu = cpu,
		.begin = of->begin,
		.end = end,
		.phase = {NSEC_NEVER, NSEC_NEVER},
		.task = track,
		.other = TRACK_NONE,
		.expiry = of->expiry,
	};

	machine_emit_interval(machine, &interval);
}

/* Whether the CPU is in the callback that began last, of a timer that the task or a thread of its
   process has armed. */
static bool is_of_task(const struct machine *machine, const struct cpu *cpu, uint32_t track)
{
	const struct cpu_expiry *last = cpu_expiry(machine, cpu);
	const struct frame *frame = cpu_top(cpu, (enum context_level)cpu->level);

	return last->timer && frame && frame->kind == FRAME_TIMER && frame->timer == last->timer &&
	       frame->entered == last->entered &&
	       timeline_is_one_process(machine->timeline, last->armer, track);
}

static void expiry_wake(struct machine *machine, const struct cpu *cpu, uint32_t track)
{
	const struct cpu_expiry *last = cpu_expiry(machine, cpu);
	struct task_expiry woken;

	if (!is_of_task(machine, cpu, track))
		return;
	woken = (struct task_expiry){last->begin, last->expiry};
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

	if (task->kind == SEGMENT_RUNNABLE ||
	    (task->kind == SEGMENT_WAIT && of->expiry.woken == t))
		return;
	if (task->kind == SEGMENT_RUN)
		expiry_emit(machine, track, task->cpu, of, task->since);
	tracker_drop_task(machine, TRACKER_EXPIRY, track);
}

static void expiry_close(struct machine *machine, nsec_t end)
{
	const struct task_expiry *of;
	uint32_t place, track;

	(void)end;
	TRACKER_TASK_EACH(machine, TRACKER_EXPIRY, place, track, of)
		if (machine->task[track].kind == SEGMENT_RUN)
			expiry_emit(machine, track, machine->task[track].cpu, of,
			            machine->task[track].since);
}

static void expiry_begin(struct machine *machine)
{
	/* wake-ups are frequent: the hook is not called for nothing */
	if (!machine_wants(machine, INTERVAL_EXPIRY))
		machine->waking &= ~TRACKER_BIT(EXPIRY);
}

static void expiry_forget(struct machine *machine)
{
	tracker_drop_tasks(machine, TRACKER_EXPIRY);
}

static void expiry_forget_cpu(struct machine *machine, struct cpu *cpu)
{
	*cpu_expiry(machine, cpu) = (struct cpu_expiry){0};
}

const struct tracker expiry_tracker = {
	.name = "expiry",
	.also_with = TRACKER_BIT(TIMER),
	.cpu_bytes = sizeof(struct cpu_expiry),
	.task_bytes = sizeof(struct task_expiry),
	.wake = expiry_wake,
	.change = expiry_change,
	.begin = expiry_begin,
	.close = expiry_close,
	.forget = expiry_forget,
	.forget_cpu = expiry_forget_cpu,
};
