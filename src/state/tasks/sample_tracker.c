/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Stacks of programs, and a profile of running tasks. They come from a buffer of their own, where
 * an event of the scheduler or of the tick carries them:
 *
 *	sched_switch (of a task that goes to sleep)   user_stack
 *	hrtimer_expire_entry (of the tick)            user_stack  kernel_stack
 *
 * The main buffer records the switch, too, a little before or after; so a stack that comes first is
 * kept until its task goes to sleep. No other tracker gets these events.
 */
#include <string.h>

#include "base/assume.h"
#include "base/cleanup.h"
#include "stack_event.h"
#include "state/core/held_wait.h"
#include "state/trackers.h"

/* The longest chain from a thread to the task that executed its program. */
#define ANCESTORS_MAX 8

/* Per CPU: the event that carries the stacks that follow. */
struct carrier {
	enum event_kind kind; /* EVENT_HRTIMER_ENTRY, else a switch */
	uint32_t track;       /* TRACK_NONE: no task's */
	nsec_t time;          /* of the tick */
};

/* A task that is about to go to sleep. */
struct stack_ahead {
	uint32_t user;
	uint32_t cpu;
	uint64_t event_count; /* of the CPU, when its next event is the switch */
};

struct samples {
	struct object_pool named; /* struct named_stack */
	struct map judged; /* ids of stacks that short_stack_is_cut() has judged */
};

OWN_DATA(samples_of, struct samples, SAMPLE)

/* The process whose program a task runs: its own, or one that it was forked from. */
struct program {
	uint32_t track;
	int32_t tgid;
	nsec_t time; /* when its memory was the same as the task's */
	unsigned steps;
};

/*
 * A process that has executed nothing since its fork has its parent's program: moves on to the
 * process that forked it; false: no such process is known.
 */
static bool program_go_up(const struct machine *machine, struct program *program)
{
	while (program->steps++ < ANCESTORS_MAX) {
		const struct track *child = &machine->timeline->track[program->track];

		program->track = child->parent;
		if (child->parent == TRACK_NONE)
			return false;
		if (track_process(machine, child->parent) == program->tgid)
			continue;
		program->tgid = track_process(machine, child->parent);
		program->time = nsec_min(program->time, child->born);
		return true;
	}
	return false;
}

static bool user_function_append(struct machine *machine, struct program program, uint64_t address,
                                 bool is_return, struct buffer *to)
{
	const struct machine_setup *setup = &machine->setup;

	do {
		if (setup->user_function(setup->users, program.tgid, program.time, address,
		                         is_return, to))
			return true;
	} while (program_go_up(machine, &program));
	return false;
}

/* A hash of what the names of a stack depend on besides the addresses. */
static uint64_t program_hash(const struct machine *machine, struct program program)
{
	const struct machine_setup *setup = &machine->setup;
	uint64_t hash = 0;

	do {
		hash = hash_mix(hash, (uint32_t)program.tgid);
		hash = hash_mix(hash, setup->user_period(setup->users, program.tgid, program.time));
	} while (program_go_up(machine, &program));
	return hash;
}

/*
 * Names of the frames, ";" between. Programs without frame pointers have arbitrary data on their
 * stacks: the stack ends at the first address that is not in a program.
 */
static uint32_t user_stack_intern(struct machine *machine, const struct program *program,
                                  const uint64_t *frame, size_t count)
{
	_cleanup_(buffer_release) struct buffer text = buffer_of(BUFFER_LIMIT_DEFAULT);

	for (size_t i = 0; i < count; i++) {
		_cleanup_(buffer_release) struct buffer name = buffer_of(BUFFER_LIMIT_DEFAULT);

		if (!user_function_append(machine, *program, frame[i], i > 0, &name))
			break;
		if (i > 0)
			buffer_putc(&text, ';');
		buffer_puts(&text, name.text);
	}
	if (text.length == 0)
		buffer_puts(&text, "[not mapped]");
	return intern_add(&machine->timeline->names, text.text, text.length);
}

/* The frames of a program's stack: a 0 ends it before the event does. Returns how many, at most
   FRAMES_MAX. */
static size_t user_stack_read(const struct machine *machine, const struct stack_event *stack,
                              uint64_t *ret)
{
	struct stack_event whole = *stack;
	size_t count, used = 0;

	whole.count = UINT64_MAX;
	count = stack_event_read(machine, &whole, ret);
	ASSUME(count <= FRAMES_MAX);
	while (used < count && ret[used])
		used++;
	return used;
}

/* Id in names of the program's functions on the stack; 0: none. */
static uint32_t user_stack_name(struct machine *machine, uint32_t track,
                                const struct stack_event *stack)
{
	uint64_t frame[FRAMES_MAX];
	struct program program = {track, (int32_t)stack->tgid, machine->now, 0};
	size_t used = user_stack_read(machine, stack, frame);
	struct named_stack *known;
	bool is_new;

	if (used == 0 || !machine->setup.user_function)
		return 0;
	known = stack_keep(&samples_of(machine)->named, frame, used, program_hash(machine, program),
	                   &is_new);
	if (is_new)
		known->name = user_stack_intern(machine, &program, frame, used);
	return known->name;
}

/* Notes in which file the frames end, if they end too early. */
static void user_stack_judge(struct machine *machine, uint32_t track,
                             const struct stack_event *stack, uint32_t name)
{
	struct map *judged = &samples_of(machine)->judged;
	_cleanup_(buffer_release) struct buffer file = {0};
	struct program program = {track, (int32_t)stack->tgid, machine->now, 0};
	const char *functions = intern_text(&machine->timeline->names, name);
	const struct machine_setup *setup = &machine->setup;
	uint64_t frame[FRAMES_MAX];
	size_t last = strchr(functions, ';') ? 1 : 0;

	ASSUME(name != 0);
	if (map_get(judged, name) != MAP_NONE)
		return;
	map_put(judged, name, 0);
	if (!short_stack_is_cut(functions) || user_stack_read(machine, stack, frame) <= last)
		return;
	buffer_init(&file, BUFFER_LIMIT_DEFAULT);
	do {
		if (setup->user_file(setup->users, program.tgid, program.time, frame[last],
		                     last > 0, &file)) {
			short_stacks_add(&machine->timeline->short_stacks,
			                 intern_add(&machine->timeline->names, file.text,
			                            file.length));
			return;
		}
	} while (program_go_up(machine, &program));
}

/* Names the stack of a sleep. */
static uint32_t sleep_stack_name(struct machine *machine, uint32_t track,
                                 const struct stack_event *stack)
{
	uint32_t name = user_stack_name(machine, track, stack);

	if (name)
		user_stack_judge(machine, track, stack, name);
	return name;
}

/* Names the stack without the innermost frames, which belong to the tick and its interrupt. */
static uint32_t tick_stack_name(struct machine *machine, const struct stack_event *stack)
{
	const char *name[FRAMES_MAX];
	uint64_t frame[FRAMES_MAX];
	size_t count = stack_event_read(machine, stack, frame), first;
	struct named_stack *known;
	bool is_new;

	if (count == 0)
		return 0;
	known = stack_keep(&samples_of(machine)->named, frame, count, UINT64_MAX, &is_new);
	if (is_new) {
		stack_name(machine, frame, count, name);
		first = stack_interrupt_end(name, count);
		known->name =
			first < count ? stack_intern(machine, frame, name, first, count) : 0;
	}
	return known->name;
}

/* The last sample of the CPU's tick; NULL: none. */
static struct run_sample *carrier_sample(const struct machine *machine,
                                         const struct carrier *carrier)
{
	const struct track *track;

	if (carrier->kind != EVENT_HRTIMER_ENTRY || carrier->track == TRACK_NONE)
		return NULL;
	ASSUME(machine_owns(machine, carrier->track));
	track = &machine->timeline->track[carrier->track];
	return track->sample_count && track->sample[track->sample_count - 1].time == carrier->time
	               ? &track->sample[track->sample_count - 1]
	               : NULL;
}

/* Sets the program's place of a sleep that has begun, or keeps it for a sleep that is about to
   begin. */
static void task_note_user(struct machine *machine, const struct cpu *cpu, uint32_t track,
                           uint32_t user)
{
	struct stack_ahead *ahead;

	ASSUME(machine_owns(machine, track));
	if (user == 0)
		return;
	if (machine->task[track].kind == SEGMENT_WAIT) {
		task_set_user_place(machine, track, user);
	} else if (machine->task[track].kind == SEGMENT_RUN) {
		ahead = tracker_keep_task(machine, TRACKER_SAMPLE, track);
		*ahead = (struct stack_ahead){user, cpu->number, cpu->event_count + 1};
	}
}

/* An event of the buffer of samples: an event that carries a stack, or a stack. */
static void samples_take(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	struct carrier *carrier = tracker_cpu(machine, cpu, TRACKER_SAMPLE);
	struct run_sample *sample = carrier_sample(machine, carrier);
	uint32_t track = machine_find_track(machine, cpu, event->tid);

	if (event->kind == EVENT_SCHED_SWITCH || event->kind == EVENT_HRTIMER_ENTRY) {
		*carrier = (struct carrier){event->kind, track, event->time};
		if (event->kind == EVENT_HRTIMER_ENTRY && track != TRACK_NONE && track != cpu->idle)
			(void)timeline_add_sample(machine->timeline, track, event->time);
		return;
	}
	if (track == TRACK_NONE || track != carrier->track || track == cpu->idle)
		return;
	if (event->kind == EVENT_STACK && sample)
		sample->frames = tick_stack_name(machine, &event->stack);
	if (event->kind == EVENT_USER_STACK && sample)
		sample->user = user_stack_name(machine, track, &event->stack);
	else if (event->kind == EVENT_USER_STACK && carrier->kind == EVENT_SCHED_SWITCH)
		task_note_user(machine, cpu, track,
		               sleep_stack_name(machine, track, &event->stack));
}

void samples_note_user(struct machine *machine, const struct cpu *cpu, const struct event *event)
{
	ASSUME(cpu->left != TRACK_NONE);
	if (machine->task[cpu->left].kind == SEGMENT_WAIT)
		task_note_user(machine, cpu, cpu->left,
		               sleep_stack_name(machine, cpu->left, &event->stack));
}

/* The task goes to sleep, by the switch that the stack belongs to: between the records of a switch
   in the two buffers nothing else happens on a CPU. */
static void sample_on_sleep(struct machine *machine, uint32_t track, uint8_t letter)
{
	const struct stack_ahead *ahead = tracker_task(machine, TRACKER_SAMPLE, track);
	bool is_of_now = ahead && machine->cpu[ahead->cpu]->event_count == ahead->event_count;
	uint32_t user = is_of_now ? ahead->user : 0;

	ASSUME(machine->task[track].kind == SEGMENT_WAIT);
	(void)letter;
	tracker_drop_task(machine, TRACKER_SAMPLE, track);
	if (user)
		task_set_user_place(machine, track, user);
}

/* A task that is about to go to sleep does so at once: in another state it needs the stack no
   more. */
static void sample_on_change(struct machine *machine, uint32_t track, nsec_t t)
{
	(void)t;
	if (machine->task[track].kind != SEGMENT_RUN)
		tracker_drop_task(machine, TRACKER_SAMPLE, track);
}

const struct tracker sample_tracker = {
	.own_bytes = sizeof(struct samples),
	.stores = STORES(
		POOL_AT(offsetof(struct samples, named),
		        struct named_stack, OBJECTS_MAX, NULL, NULL),
		MAP_AT(offsetof(struct samples, judged))),
	.keeps_stores = true,
	.task_bytes = sizeof(struct stack_ahead),
	.cpu_bytes = sizeof(struct carrier),
	.sample = samples_take,
	.sleep = sample_on_sleep,
	.change = sample_on_change,
};
